import { randomBytes } from 'node:crypto'
import type { deviceOrderPrefix, rechargeOrderPrefix } from '@chairside/contract'

type Prefix = typeof deviceOrderPrefix | typeof rechargeOrderPrefix

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const suffixLength = 4

/** A new order id: prefix, UTC time to the millisecond (yyMMddHHmmssSSS), four random letters or digits (decisions §4). */
export function newOrderId(prefix: Prefix, now: Date): string {
  const time = now.toISOString().replace(/\D/g, '').slice(2, 17)
  const suffix = [...randomBytes(suffixLength)].map((byte) => alphabet[byte % alphabet.length]).join('')
  return `${prefix}${time}${suffix}`
}

/** The time in an order id, which is exactly its `order_time` and so finds its partition; undefined for other texts. */
export function timeOfOrderId(orderId: string): Date | undefined {
  const parts = /^[A-Z]{2}(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{3})[0-9A-Z]{4}$/.exec(orderId)
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second, millisecond] = parts
  const time = new Date(`20${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`)
  return Number.isNaN(time.getTime()) ? undefined : time
}
