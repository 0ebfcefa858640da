import type { PermissionKey } from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTexts } from './language.tsx'
import { useMay } from './user.ts'

interface Props {
  text: TextKey
  /** The key that the button needs. */
  needs: PermissionKey
  /** The one thing of a screen that stands out; a second button beside it does not. */
  isPrimary?: boolean
  onClick: () => void
}

/** Begins something new, beside the title of a list. */
export function AddButton({ text, needs, isPrimary = true, onClick }: Props) {
  const say = useTexts()
  const may = useMay()
  if (!may(needs)) return null
  return (
    <Button type={isPrimary ? 'primary' : 'default'} icon={<PlusOutlined aria-hidden />} onClick={onClick}>
      {say(text)}
    </Button>
  )
}
