import type { DeviceListResult } from './devices.ts'
import { count, ms, table, times } from './markdown.ts'

const goalOf = (role: DeviceListResult['role']) => (role === 'admin' ? 20 : 3)

/** The list of devices by each of its filters. */
export function deviceSection(devices: readonly DeviceListResult[]): string[] {
  const rows = devices.map(({ role, what, total, limit, first, middle, last }) => {
    const slowest = Math.max(first.p50Ms, middle.p50Ms, last.p50Ms)
    return [
      role,
      what,
      count.format(total),
      ms(limit.p50Ms),
      ms(first.p50Ms),
      ms(middle.p50Ms),
      ms(last.p50Ms),
      times(slowest / limit.p50Ms),
      `≤ ${goalOf(role)}×`,
    ]
  })
  return [
    '## 50,000 devices of 2,000 merchants',
    'Ten rows a page, with the total; the slowest of the first, middle and last page counts. p50 in ms.',
    table(['who', 'by', 'found', 'SELECT 1', 'first', 'middle', 'last', 'slowest ÷ SELECT 1', 'goal'], rows),
  ]
}
