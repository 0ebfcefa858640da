import { pageSizes } from '@chairside/contract'
import { LeftOutlined, RightOutlined, VerticalLeftOutlined, VerticalRightOutlined } from '@ant-design/icons'
import { Button, Select } from 'antd'
import { useLanguage, useTexts } from './language.tsx'
import { formatCount } from './formats.ts'

interface Props {
  page: number
  pageSize: number
  pages: number
  total: number
  /** Of what, where another list has a pager too. */
  label?: string
  onChange: (page: number, pageSize: number) => void
}

/** The pager of every list, as a landmark of its own. */
export function Pager({ page, pageSize, pages, total, label, onChange }: Props) {
  const say = useTexts()
  const { language } = useLanguage()
  const step = (name: string, to: number, icon: React.ReactNode, disabled: boolean) => (
    <Button aria-label={name} icon={icon} disabled={disabled} onClick={() => onChange(to, pageSize)} />
  )
  return (
    <nav className="pager" aria-label={label ?? say('console.list.page')}>
      <span>{say('console.list.total', { count: formatCount(total, language) })}</span>
      {step(say('console.list.first'), 1, <VerticalRightOutlined aria-hidden />, page <= 1)}
      {step(say('console.list.previous'), page - 1, <LeftOutlined aria-hidden />, page <= 1)}
      <span aria-live="polite">
        {say('console.list.pageOf', {
          page: formatCount(page, language),
          pages: formatCount(pages, language),
        })}
      </span>
      {step(say('console.list.next'), page + 1, <RightOutlined aria-hidden />, page >= pages)}
      {step(say('console.list.last'), pages, <VerticalLeftOutlined aria-hidden />, page >= pages)}
      <Select
        aria-label={say('console.list.perPage', { count: '' })}
        value={pageSize}
        options={pageSizes.map((size) => ({
          value: size,
          label: say('console.list.perPage', { count: size }),
        }))}
        onChange={(size) => onChange(1, size)}
      />
    </nav>
  )
}
