import { createHash } from 'node:crypto'

/** Holds the key by which a customer's browser is known. */
export const customerCookie = 'chairside_customer'
export const customerCookieSeconds = 400 * 86_400

/** Names a browser to itself, without telling its key: what a sign-in elsewhere brings back to the same browser. */
export const browserMark = (customerKey: string): string =>
  createHash('sha256').update(`browser ${customerKey}`).digest('base64url').slice(0, 22)
