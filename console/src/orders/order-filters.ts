import { firstOrderYear, isMerchantMode, orderStatusValues, payChannels } from '@chairside/contract'
import type { AddressState } from '../kit/address.ts'
import type { FilterDefinition } from '../kit/filter.ts'

const yearsDownTo = (from: number) => () =>
  Array.from({ length: from - firstOrderYear + 1 }, (_, index) => from - index)
const daysOfYear = (byDefault: number) => (state: AddressState) => {
  const year = state['year'] ?? String(byDefault)
  return { first: `${year}-01-01`, last: `${year}-12-31` }
}

/** Filters of spec 1 §2, "Orders screen", with the years that a screen offers, from the newest one down. */
export const filtersFrom = (year: number): readonly FilterDefinition[] => [
  { name: 'year', text: 'console.orders.year', kind: 'year', years: yearsDownTo(year) },
  {
    name: 'merchantid',
    text: 'console.orders.merchant',
    kind: 'merchant',
    visible: ({ type }) => !isMerchantMode(type),
  },
  {
    name: 'agentid',
    text: 'console.orders.agent',
    kind: 'agent',
    visible: ({ type }) => !isMerchantMode(type),
  },
  { name: 'devicesid', text: 'orders.field.deviceSid', kind: 'text', maxLength: 20 },
  {
    name: 'status',
    text: 'orders.field.status',
    kind: 'choice',
    values: orderStatusValues,
    valueText: 'orders.status',
  },
  { name: 'startdate', text: 'console.orders.startDate', kind: 'date', limits: daysOfYear(year) },
  { name: 'enddate', text: 'console.orders.endDate', kind: 'date', limits: daysOfYear(year) },
  { name: 'orderid', text: 'orders.field.orderId', kind: 'text', maxLength: 32, isId: true },
  { name: 'transactionid', text: 'orders.field.payId', kind: 'text', maxLength: 64, isId: true },
  {
    name: 'paychannel',
    text: 'orders.field.payChannel',
    kind: 'choice',
    values: payChannels,
    valueText: 'orders.payChannel',
  },
  { name: 'payid', text: 'console.orders.payId', kind: 'text', maxLength: 64, isId: true },
]
