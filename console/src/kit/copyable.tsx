import { CheckOutlined, CopyOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTexts } from './language.tsx'

/** An id that copies with one click. */
export function Copyable({ value }: { value: string }) {
  const say = useTexts()
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <span className="copyable">
      <code>{value}</code>
      <button
        type="button"
        className="icon-button"
        aria-label={copied ? say('console.list.copied') : say('console.list.copy', { value })}
        onClick={(event) => {
          event.stopPropagation()
          void copy()
        }}
      >
        {copied ? <CheckOutlined /> : <CopyOutlined />}
      </button>
    </span>
  )
}
