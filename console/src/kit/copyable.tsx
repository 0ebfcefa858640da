import { CheckOutlined, CopyOutlined } from '@ant-design/icons'
import { useRef, useState, type ReactNode } from 'react'
import { useTexts } from './language.tsx'

/**
 * Browsers give the clipboard to pages over HTTPS alone, and not always then; the old way needs a field that has the focus.
 * It stands beside the button, since a dialog lets the focus go nowhere else.
 * @returns whether it was copied
 */
async function writeClipboard(value: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = value
    button.after(field)
    field.select()
    const isCopied = document.execCommand('copy')
    field.remove()
    button.focus()
    return isCopied
  }
}

interface Props {
  value: string
  onOpen?: (() => void) | undefined
  /** Makes what is shown a link to what it names. */
  linked?: (shown: ReactNode) => ReactNode
}

/** An id that copies with one click, and opens what it names where there is something to open. */
export function Copyable({ value, onOpen, linked = (shown) => shown }: Props) {
  const say = useTexts()
  const [copied, setCopied] = useState(false)
  const part = useRef<HTMLSpanElement>(null)
  const copy = async (button: HTMLElement) => {
    if (!(await writeClipboard(value, button))) {
      // Left selected, it is copied by keyboard.
      const shown = part.current?.querySelector('code')
      if (shown) getSelection()?.selectAllChildren(shown)
      return
    }
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <span ref={part} className="copyable">
      {onOpen ? (
        <button type="button" className="id-button" onClick={onOpen}>
          <code title={value}>{value}</code>
        </button>
      ) : (
        linked(<code title={value}>{value}</code>)
      )}
      <button
        type="button"
        className="icon-button"
        aria-label={copied ? say('console.list.copied') : say('console.list.copy', { value })}
        onClick={(event) => void copy(event.currentTarget)}
      >
        {copied ? <CheckOutlined aria-hidden /> : <CopyOutlined aria-hidden />}
      </button>
    </span>
  )
}
