import { randomInt } from 'node:crypto'

/**
 * Headers of calls from an address of somebody's own, as a proxy would name it: who comes from one address shares what it
 * has of calls and sign-ins. The network is one that is kept for tests.
 */
export const ownAddress = (): { 'x-forwarded-for': string } => ({
  'x-forwarded-for': `198.${18 + randomInt(2)}.${randomInt(256)}.${randomInt(1, 255)}`,
})
