import { importLimits } from '@chairside/contract'
import { FileExcelOutlined } from '@ant-design/icons'
import { FileChoice, useFileDrop } from '../file-choice.tsx'
import { FormField } from '../form-field.tsx'
import { formatCount } from '../formats.ts'
import { useLanguage, useTexts } from '../language.tsx'
import './imports.css'

const megabyte = 1024 * 1024

interface Props {
  /** Name of the file that is chosen. */
  name: string | undefined
  fault: string | undefined
  isDisabled: boolean
  onChoose: (file: File) => void
}

/** An Excel file that is chosen, or dropped; what is wrong with it is shown at the field. */
export function FileDrop({ name, fault, isDisabled, onChoose }: Props) {
  const say = useTexts()
  const { language } = useLanguage()
  const { isOver, zone } = useFileDrop(onChoose, isDisabled)
  const limits = say('imports.limits', {
    size: importLimits.bytes / megabyte,
    rows: formatCount(importLimits.rows, language),
  })
  return (
    <FormField name="file" label={say('imports.file')} error={fault} hint={limits}>
      {(attributes) => (
        <div className={`file-drop ${isOver ? 'file-over' : ''}`} {...zone}>
          <FileExcelOutlined aria-hidden />
          {name !== undefined && <span className="file-name">{name}</span>}
          <FileChoice
            attributes={attributes}
            accept=".xlsx"
            text={say(name === undefined ? 'imports.choose' : 'imports.chooseAnother')}
            isDisabled={isDisabled}
            onChoose={onChoose}
          />
          <span className="hint" aria-hidden="true">
            {say(isOver ? 'imports.drop' : 'imports.orDrop')}
          </span>
        </div>
      )}
    </FormField>
  )
}
