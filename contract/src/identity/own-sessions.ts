import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { instant, listOf } from '../kit/fields.ts'

/** Somewhere one is signed in. */
export const SessionRow = z.object({
  id: z.uuid(),
  createTime: instant,
  /** To the minute. */
  lastUsedTime: instant,
  /** Address of the sign-in. */
  address: z.string(),
  /** Browser and system, as `Chrome 140 · Windows`; empty when unknown. */
  browser: z.string(),
  /** The session that asks. */
  current: z.boolean(),
})
export type SessionRow = z.output<typeof SessionRow>

export const listSessions = endpoint({
  verb: 'GET',
  path: '/api/sessions',
  summary: "One's own sessions, the last used first",
  needs: 'signedIn',
  input: z.object({}),
  data: listOf(SessionRow),
  refuses: [],
})

export const endOwnOtherSessions = endpoint({
  verb: 'DELETE',
  path: '/api/sessions',
  summary: 'Signs out everywhere else',
  needs: 'signedIn',
  audit: 'session.endothers',
  input: z.object({}),
  data: z.object({ endedSessions: z.int() }),
  refuses: [],
})

export const endOwnSession = endpoint({
  verb: 'DELETE',
  path: '/api/sessions/:sessionId',
  summary: "Ends one of one's own sessions",
  needs: 'signedIn',
  audit: 'session.end',
  input: z.object({ sessionId: z.uuid() }),
  data: z.null(),
  refuses: ['notFound'],
})

export const ownSessionCalls = { listSessions, endOwnOtherSessions, endOwnSession }
