import { useTexts } from '../kit/language.tsx'
import './signal-bars.css'

const levels = [1, 2, 3, 4, 5]

/** Signal from 0 to 5 as bars, and in words for who does not see them (spec 2 §2). */
export function SignalBars({ level }: { level: number }) {
  const say = useTexts()
  return (
    <span
      className="signal"
      role="img"
      aria-label={say('console.devices.signal', { level })}
      title={say('console.devices.signal', { level })}
    >
      {levels.map((one) => (
        <i key={one} className={one <= level ? 'on' : ''} style={{ height: `${one * 20}%` }} />
      ))}
    </span>
  )
}
