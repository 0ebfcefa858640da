import { CheckOutlined, CopyOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTexts } from './language.tsx'

/** Browsers give the clipboard to pages over HTTPS alone; over plain HTTP the old way still works. */
async function writeClipboard(value: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(value)
  const field = document.createElement('textarea')
  field.value = value
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}

/** An id that copies with one click, and opens what it names where there is something to open. */
export function Copyable({ value, onOpen }: { value: string; onOpen?: (() => void) | undefined }) {
  const say = useTexts()
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await writeClipboard(value)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <span className="copyable">
      {onOpen ? (
        <button type="button" className="id-button" onClick={onOpen}>
          <code title={value}>{value}</code>
        </button>
      ) : (
        <code title={value}>{value}</code>
      )}
      <button
        type="button"
        className="icon-button"
        aria-label={copied ? say('console.list.copied') : say('console.list.copy', { value })}
        onClick={() => void copy()}
      >
        {copied ? <CheckOutlined aria-hidden /> : <CopyOutlined aria-hidden />}
      </button>
    </span>
  )
}
