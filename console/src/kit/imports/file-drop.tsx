import { importLimits } from '@chairside/contract'
import { FileExcelOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useRef, useState, type DragEvent } from 'react'
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

/** An Excel file that is chosen, or dropped; what is wrong with it stands at the field. */
export function FileDrop({ name, fault, isDisabled, onChoose }: Props) {
  const say = useTexts()
  const { language } = useLanguage()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const limits = say('imports.limits', {
    size: importLimits.bytes / megabyte,
    rows: formatCount(importLimits.rows, language),
  })
  const zone = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(!isDisabled)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      const [file] = event.dataTransfer.files
      if (file && !isDisabled) onChoose(file)
    },
  }
  return (
    <FormField name="file" label={say('imports.file')} error={fault} hint={limits}>
      {(attributes) => (
        <div className={`file-drop ${isOver ? 'file-over' : ''}`} {...zone}>
          <input
            {...attributes}
            ref={input}
            className="unseen"
            type="file"
            accept=".xlsx"
            disabled={isDisabled}
            onChange={({ target }) => {
              const [file] = target.files ?? []
              // The same file can be chosen again after it was mended.
              target.value = ''
              if (file) onChoose(file)
            }}
          />
          <FileExcelOutlined aria-hidden />
          {name !== undefined && <span className="file-name">{name}</span>}
          {/* The input before it is what keyboard and screen reader use; this is where the mouse goes. */}
          <Button tabIndex={-1} aria-hidden disabled={isDisabled} onClick={() => input.current?.click()}>
            {say(name === undefined ? 'imports.choose' : 'imports.chooseAnother')}
          </Button>
          <span className="hint" aria-hidden="true">
            {say(isOver ? 'imports.drop' : 'imports.orDrop')}
          </span>
        </div>
      )}
    </FormField>
  )
}
