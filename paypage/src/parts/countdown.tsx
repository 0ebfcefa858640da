import { useEffect, useState } from 'preact/hooks'

interface Props {
  /** As the server's clock has it; the phone only counts on from there. */
  remainingSeconds: number
  totalSeconds: number
  label: string
}

/** The server tells whole seconds, and they were on their way: time is not to run backwards for that. */
const noNewsMs = 2000

/** Longer than `59:59`, it stands in smaller figures within the ring. */
const mostDigits = 5
const twoDigits = (value: number) => String(value).padStart(2, '0')

/** Minutes and seconds, after the hours of a long one: nobody reckons what 583 minutes are. */
function timeText(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}:${twoDigits(seconds % 60)}`
  return `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`
}

const radius = 86
const around = 2 * Math.PI * radius

/** Time left as a ring and in figures. */
export function Countdown({ remainingSeconds, totalSeconds, label }: Props) {
  const [endsAtMs, setEndsAtMs] = useState(() => performance.now() + remainingSeconds * 1000)
  const [nowMs, setNowMs] = useState(() => performance.now())
  useEffect(() => {
    const now = performance.now()
    const told = now + remainingSeconds * 1000
    setNowMs(now)
    setEndsAtMs((before) => (Math.abs(told - before) < noNewsMs ? before : told))
  }, [remainingSeconds])
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), 500)
    return () => clearInterval(timer)
  }, [])
  // What is shown is a moment older than what the server said.
  const left = Math.min(totalSeconds, Math.max(0, Math.ceil((endsAtMs - nowMs) / 1000)))
  const share = totalSeconds > 0 ? Math.min(1, left / totalSeconds) : 0
  const text = timeText(left)
  return (
    <div class="countdown" role="timer" aria-label={`${label} ${text}`}>
      <svg viewBox="0 0 200 200" aria-hidden="true">
        <circle class="track" cx="100" cy="100" r={radius} />
        <circle class="left" cx="100" cy="100" r={radius} stroke-dasharray={`${share * around} ${around}`} />
      </svg>
      <div class="figures" aria-hidden="true">
        <span>{label}</span>
        <strong class={text.length > mostDigits ? 'long' : undefined}>{text}</strong>
      </div>
    </div>
  )
}
