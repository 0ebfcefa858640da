import { createHmac, hash, randomBytes } from 'node:crypto'

/** An opaque random token for the browser; only its hash is stored. */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

/** What is kept with a token so that the one that follows it can be made again. */
export const newRenewalSalt = (): Buffer => randomBytes(32)

/** The token that follows one: whoever has only the token, or only what is stored, can tell nothing of it. */
export const renewedFrom = (token: string, salt: Buffer): string =>
  createHmac('sha256', token).update(salt).digest('base64url')
