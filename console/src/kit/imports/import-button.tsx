import type { PermissionKey } from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import { UploadOutlined } from '@ant-design/icons'
import { AddButton } from '../add-button.tsx'

interface Props {
  /** What is imported, where the screen does not say it. */
  text?: TextKey
  /** The key that adding one takes. */
  needs: PermissionKey
  onClick: () => void
}

/** Opens the import of a screen; the same word and sign everywhere. */
export const ImportButton = ({ text = 'imports.open', needs, onClick }: Props) => (
  <AddButton
    text={text}
    needs={needs}
    isPrimary={false}
    icon={<UploadOutlined aria-hidden />}
    onClick={onClick}
  />
)
