import { EyeOutlined } from '@ant-design/icons'
import { App } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Copyable } from './copyable.tsx'
import { useTexts } from './language.tsx'
import { useMay } from './user.ts'

interface Props {
  /** As lists show it. */
  number: string
  /** Asks for the whole one, which the audit trail keeps. */
  reveal: () => Promise<string>
}

/** A phone number of which a part is hidden, with a button that shows the whole one (decisions §1). */
export function WholeNumber({ number, reveal }: Props) {
  const say = useTexts()
  const { message } = App.useApp()
  const mayReveal = useMay()('custom.reveal')
  const [whole, setWhole] = useState<string>()
  const [busy, setBusy] = useState(false)
  const part = useRef<HTMLSpanElement>(null)
  // The button that had the focus is gone.
  useEffect(() => {
    if (whole !== undefined) part.current?.querySelector('button')?.focus()
  }, [whole])
  const show = async () => {
    setBusy(true)
    try {
      setWhole(await reveal())
    } catch (error) {
      void message.error((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  if (whole !== undefined)
    return (
      <span ref={part}>
        <Copyable value={whole} />
      </span>
    )
  if (!mayReveal || !number.includes('*')) return number
  return (
    <span className="copyable">
      <code>{number}</code>
      <button
        type="button"
        className="icon-button"
        aria-label={say('console.list.wholeNumber')}
        title={say('console.list.wholeNumber')}
        disabled={busy}
        onClick={() => void show()}
      >
        <EyeOutlined aria-hidden />
      </button>
    </span>
  )
}
