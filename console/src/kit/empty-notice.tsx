import type { TextKey } from '@chairside/contract/locales/texts'
import { Button, Empty } from 'antd'
import { useTexts } from './language.tsx'

/** What a list says when there is nothing in it at all: what it is for, or what to begin with. */
export interface EmptyText {
  title?: TextKey
  hint: TextKey
}

interface Props {
  text?: EmptyText | undefined
  /** Takes the filters away; absent when nothing was filtered. */
  onClear?: (() => void) | undefined
}

/** Stands in the place of rows: nothing matches the filters, or there is nothing yet. */
export function EmptyNotice({ text, onClear }: Props) {
  const say = useTexts()
  const title = say(onClear ? 'console.list.empty' : (text?.title ?? 'console.list.nothingYet'))
  const hint = onClear ? 'console.list.emptyHint' : text?.hint
  return (
    <div className="notice">
      <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={title} />
      {hint && <p className="hint">{say(hint)}</p>}
      {onClear && <Button onClick={onClear}>{say('console.list.clearFilters')}</Button>}
    </div>
  )
}
