import { createHash } from 'node:crypto'

/** Short enough for a column of the online history, and for the client id that is made of it. */
const longest = 40
const ofHash = 12

/**
 * Name of the gateway of a process, the same after a restart and no other's: two of one name would push each other off
 * the broker for ever. Long names of hosts often differ only at their end, so what is cut off is told apart by a hash.
 */
export function instanceNameOf(host: string, port: number): string {
  const whole = `${host}-${port}`
  const name = whole.replace(/[^A-Za-z0-9_-]/g, '-')
  if (name.length <= longest) return name
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, ofHash)
  return `${name.slice(0, longest - ofHash - 1)}-${hash}`
}
