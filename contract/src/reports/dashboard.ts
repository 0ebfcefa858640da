import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'

/** Days of the chart, today included. */
export const dashboardChartDays = 30
/** A device that is online and sold nothing for this many whole days is quiet. */
export const quietDeviceDays = 3
/** Quiet devices that are named; all are counted. */
export const quietDevicesShown = 10

/** A device that is online, ready for sale and sold nothing for days. */
export const QuietDevice = z.object({
  deviceId: z.string(),
  name: z.string(),
  merchantName: z.string(),
  placeAddress: z.string(),
  /** Platform day of the last sale; null when it never sold. */
  lastSaleDay: z.string().nullable(),
})
export type QuietDevice = z.output<typeof QuietDevice>

/** What the morning asks for, within the caller's scope; null where the caller lacks the permission for it. */
export const Dashboard = z.object({
  /** The platform's calendar day. */
  today: z.string(),
  /** The same weekday a week before; its figures are of the whole day. */
  comparedDay: z.string(),
  /** Takes `reportorderday.list`, as the chart does. */
  income: z.object({ todayCents: z.int(), comparedCents: z.int() }).nullable(),
  /** Orders by the day they were placed; takes `order.list`. */
  orders: z.object({ today: z.int(), compared: z.int() }).nullable(),
  /** Takes `device.list`, as quiet devices do. */
  devices: z.object({ total: z.int(), online: z.int(), offline: z.int(), trouble: z.int() }).nullable(),
  /** Refunds that wait for an audit; takes `refund.list`. */
  refundsWaiting: z.object({ count: z.int(), amountCents: z.int() }).nullable(),
  chart: z.array(z.object({ day: z.string(), incomeCents: z.int(), count: z.int() })).nullable(),
  /** Income of as many days just before those of the chart. */
  chartBeforeCents: z.int().nullable(),
  /** Longest quiet first. */
  quietDevices: z.object({ total: z.int(), days: z.int(), list: z.array(QuietDevice) }).nullable(),
})
export type Dashboard = z.output<typeof Dashboard>

export const getDashboard = endpoint({
  verb: 'GET',
  path: '/api/dashboard',
  summary: 'Figures for the home screen',
  needs: 'signedIn',
  input: z.object({}),
  data: Dashboard,
  refuses: [],
})

export const dashboardCalls = { getDashboard }
