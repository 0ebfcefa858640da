import { useRef, useState } from 'preact/hooks'
import { copyText } from '../copy-text.ts'
import { useTexts } from '../language.ts'
import { chairCard } from './staff.tsx'

/** Order number, phone number and a way to a person, in every state of the page. */
export function Help({ orderId, phone, deviceId }: { orderId: string; phone: string; deviceId?: string }) {
  const { say } = useTexts()
  const [open, setOpen] = useState(false)
  const [copied, setCopied] = useState(false)
  const number = useRef<HTMLElement>(null)
  const copy = async () => {
    if (!number.current || !(await copyText(number.current))) return
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  const whom = () => {
    if (phone) return say(orderId ? 'problemHint' : 'problemCall')
    return say(orderId ? 'problemNoPhone' : 'problemAsk')
  }
  return (
    <footer>
      {orderId && (
        <p class="order-number">
          <span>{say('orderNumber')}</span> <code ref={number}>{orderId}</code>
          <button type="button" onClick={copy} aria-live="polite">
            {copied ? say('copied') : say('copy')}
          </button>
        </p>
      )}
      {phone && !open && (
        <a class="link" href={`tel:${phone}`}>
          {say('phone', { phone })}
        </a>
      )}
      <button class="link" type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        {say('problem')}
      </button>
      {open && (
        <div class="help">
          <p>{whom()}</p>
          {phone && (
            <a class="secondary" href={`tel:${phone}`}>
              {say('call', { phone })}
            </a>
          )}
          {deviceId && (
            // The same sticker leads whoever looks after the chair to its card in the console.
            <a class="link" href={chairCard(deviceId)} target="_blank" rel="noopener">
              {say('forStaff')}
            </a>
          )}
        </div>
      )}
    </footer>
  )
}
