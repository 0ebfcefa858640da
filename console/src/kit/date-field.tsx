import { Input } from 'antd'
import { lazy, Suspense } from 'react'
import type { DatePickerProps } from './date-picker.tsx'

const DayPicker = lazy(() => import('./date-picker.tsx').then((module) => ({ default: module.DayPicker })))

/** A day to choose; the calendar behind it is fetched apart from the screen, which need not wait for it. */
export function DateField(props: DatePickerProps) {
  return (
    <Suspense fallback={<Input id={props.id} value={props.value} readOnly />}>
      <DayPicker {...props} />
    </Suspense>
  )
}
