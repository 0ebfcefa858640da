import type { PermissionKey } from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import { UploadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTexts } from '../language.tsx'
import { ToolButton } from '../tool-button.tsx'
import { useMay } from '../user.ts'

interface Props {
  /** What is imported, where the screen does not say it; in words on a phone, too. */
  text?: TextKey
  /** The key that adding one takes. */
  needs: PermissionKey
  onClick: () => void
}

const sign = <UploadOutlined aria-hidden />

/** Opens the import of a screen; the same word and sign everywhere. */
export function ImportButton({ text, needs, onClick }: Props) {
  const say = useTexts()
  const may = useMay()
  if (!may(needs)) return null
  if (text === undefined) return <ToolButton icon={sign} text={say('imports.open')} onClick={onClick} />
  return (
    <Button icon={sign} onClick={onClick}>
      {say(text)}
    </Button>
  )
}
