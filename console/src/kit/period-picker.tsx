import { dayPeriods, type DayPeriod } from '@chairside/contract'
import { Radio } from 'antd'
import { useId } from 'react'
import type { AddressState } from './address.ts'
import { DateField } from './date-field.tsx'
import { useTexts } from './language.tsx'

/** A period as the address has it, and the fields of the call that it stands for. */
export interface ChosenPeriod {
  datetype: DayPeriod
  startdate: string
  enddate: string
  /** A custom period is complete with both dates. */
  isComplete: boolean
}

export function periodOf(state: AddressState, byDefault: DayPeriod): ChosenPeriod {
  const datetype = dayPeriods.find((period) => period === state['datetype']) ?? byDefault
  const custom = datetype === '5'
  const startdate = custom ? (state['startdate'] ?? '') : ''
  const enddate = custom ? (state['enddate'] ?? '') : ''
  return { datetype, startdate, enddate, isComplete: !custom || (startdate !== '' && enddate !== '') }
}

/** The address with another period; the default one leaves no trace in it. */
export function withPeriod(
  state: AddressState,
  byDefault: DayPeriod,
  next: { datetype: DayPeriod; startdate?: string; enddate?: string },
): AddressState {
  const { datetype: _type, startdate: _start, enddate: _end, ...rest } = state
  if (next.datetype === byDefault) return rest
  if (next.datetype !== '5') return { ...rest, datetype: next.datetype }
  const { startdate = '', enddate = '' } = next
  return { ...rest, datetype: '5', startdate, enddate }
}

interface Props {
  period: ChosenPeriod
  label: string
  errors: Record<string, string>
  onChange: (next: { datetype: DayPeriod; startdate: string; enddate: string }) => void
}

/** Radio choices of a period (date types 1–5, spec 3 §2.1), with two dates for the custom one. */
export function PeriodPicker({ period, label, errors, onChange }: Props) {
  const say = useTexts()
  const id = useId()
  const { datetype, startdate, enddate } = period
  const dayField = (name: 'startdate' | 'enddate', text: string) => (
    <div className="field">
      <label htmlFor={`${id}-${name}`}>{text}</label>
      <DateField
        id={`${id}-${name}`}
        value={period[name]}
        isInvalid={errors[name] !== undefined}
        onChange={(day) => onChange({ datetype, startdate, enddate, [name]: day })}
      />
      {errors[name] && (
        <p className="error" role="alert">
          {errors[name]}
        </p>
      )}
    </div>
  )
  return (
    <>
      <Radio.Group
        className="whole-row"
        value={datetype}
        aria-label={label}
        onChange={(event) => onChange({ datetype: event.target.value as DayPeriod, startdate, enddate })}
        options={dayPeriods.map((one) => ({ value: one, label: say(`console.reports.period.${one}`) }))}
      />
      {datetype === '5' && (
        <>
          {dayField('startdate', say('console.orders.startDate'))}
          {dayField('enddate', say('console.orders.endDate'))}
        </>
      )}
    </>
  )
}
