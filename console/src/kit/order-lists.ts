import { isMerchantMode, type UserType } from '@chairside/contract'
import { platformYear } from './formats.ts'

/** The screen that lists the orders of a year for somebody, and what its address says of the year. */
export function orderListOf(year: number, type: UserType): { to: string; search: Record<string, string> } {
  if (year !== platformYear()) return { to: '/historyorder', search: { year: String(year) } }
  return { to: isMerchantMode(type) ? '/orders' : '/agentorder', search: {} }
}
