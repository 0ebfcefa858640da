import { randomFillSync } from 'node:crypto'

const idBytes = 9
/** Drawn for many ids at once: asking the system for each costs more than all else about an id. */
const drawn = Buffer.alloc(idBytes * 256)
let used = drawn.length

/** A short random reference of a request, as it is in the log and in an answer with code 199. */
export function newRequestId(): string {
  if (used === drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  used += idBytes
  return drawn.toString('base64url', used - idBytes, used)
}
