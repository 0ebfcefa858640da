import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import timezone from 'dayjs/plugin/timezone'
import utc from 'dayjs/plugin/utc'
import { platformTimeZone } from './installation.ts'
import { useTexts } from './language.tsx'

// The calendar's today is the platform's day, as every day on screen is, wherever the browser is.
dayjs.extend(utc)
dayjs.extend(timezone)
dayjs.tz.setDefault(platformTimeZone)

export interface DatePickerProps {
  id: string
  /** `YYYY-MM-DD`, empty for none. */
  value: string
  /** First and last day that can be chosen. */
  limits?: { first: string; last: string } | undefined
  isInvalid?: boolean
  onChange: (date: string) => void
}

const dateFormat = 'YYYY-MM-DD'

/** One calendar day, in antd's picker; `DateField` fetches it apart from the screen. */
export function DayPicker({ id, value, limits, isInvalid = false, onChange }: DatePickerProps) {
  const say = useTexts()
  const chosen = value === '' ? null : dayjs(value)
  return (
    <DatePicker
      id={id}
      className="whole-width"
      placeholder={say('console.form.chooseDate')}
      value={chosen?.isValid() ? chosen : null}
      {...(isInvalid ? { status: 'error' as const } : {})}
      {...(limits ? { minDate: dayjs(limits.first), maxDate: dayjs(limits.last) } : {})}
      onChange={(date) => onChange(date ? date.format(dateFormat) : '')}
    />
  )
}
