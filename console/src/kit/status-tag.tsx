import { useTextOf } from './language.tsx'

type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'quiet'

/** What a status means at a glance; the word says it too, so no colour is needed to read it. */
const tones: Record<string, Record<string, Tone>> = {
  'orders.status': {
    '1': 'quiet',
    '2': 'quiet',
    '3': 'good',
    '4': 'busy',
    '5': 'warn',
    '6': 'quiet',
    '7': 'busy',
    '8': 'quiet',
    '9': 'bad',
  },
  'refunds.status': {
    '0': 'bad',
    '1': 'good',
    '2': 'quiet',
    '3': 'good',
    '4': 'quiet',
    '5': 'warn',
    '6': 'busy',
  },
  'organisations.status': { '1': 'good', '2': 'bad' },
  'alerts.kind': { offline: 'quiet', trouble: 'bad', weakSignal: 'warn', quiet: 'warn' },
  'alerts.state': { open: 'bad', cleared: 'good' },
  'devices.status': { '1': 'good', '2': 'quiet', '3': 'bad', '4': 'good' },
  'devices.associated': { '0': 'quiet', '1': 'good', '2': 'bad' },
  'models.flag': { true: 'good', false: 'quiet' },
  'banners.enabled': { true: 'good', false: 'quiet' },
  'banners.waiting': { true: 'warn' },
  'devices.locked': { '0': 'good', '1': 'warn', '2': 'bad' },
}

/** A status in words, with its tone. `of` is the prefix of the status' texts. */
export function StatusTag({ of, value }: { of: string; value: string }) {
  const textOf = useTextOf()
  const tone = tones[of]?.[value]
  const text = textOf(`${of}.${value}`)
  return tone ? <span className={`tag tag-${tone}`}>{text}</span> : <span>{text}</span>
}
