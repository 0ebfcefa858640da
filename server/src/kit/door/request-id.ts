import { randomBytes } from 'node:crypto'

/** A short random reference of a request, as it is in the log and in an answer with code 199. */
export const newRequestId = () => randomBytes(9).toString('base64url')
