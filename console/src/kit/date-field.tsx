import { Input } from 'antd'
import type { DatePickerProps } from './date-picker.tsx'
import { lazyPart } from './lazy-part.tsx'

/** A day to choose; the calendar behind it is fetched apart from the screen, which need not wait for it. */
export const DateField = lazyPart<DatePickerProps>(
  () => import('./date-picker.tsx').then((module) => module.DayPicker),
  ({ id, value }) => <Input id={id} value={value} readOnly />,
)
