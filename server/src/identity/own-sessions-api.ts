import { endOwnOtherSessions, endOwnSession, listSessions } from '@chairside/contract'
import { handle, type Call } from '../kit/call.ts'
import { endOtherSessions } from './accounts-sql.ts'
import { browserOf } from './browser-name.ts'
import { deleteSessionOf, findSessionsOf } from './sessions-sql.ts'
import { hashToken } from './tokens.ts'

/** Where one is signed in, and signing out there. */
export const ownSessionCalls: Call[] = [
  handle(listSessions, async ({ db, caller, token, now }) => {
    const sessions = await findSessionsOf(db, caller().accountId, { ownTokenHash: hashToken(token), now })
    const list = sessions.map(({ createdAt, lastUsedAt, userAgent, ...session }) => ({
      ...session,
      createTime: createdAt.toISOString(),
      lastUsedTime: lastUsedAt.toISOString(),
      browser: browserOf(userAgent),
    }))
    return { list, total: list.length }
  }),
  handle(endOwnOtherSessions, async ({ db, caller, token, audit }) => {
    const { accountId, userName } = caller()
    audit({ target: userName })
    return { endedSessions: await endOtherSessions(db, accountId, hashToken(token)) }
  }),
  handle(endOwnSession, async ({ db, input, caller, refuse, audit }) => {
    const { accountId, userName } = caller()
    audit({ target: userName })
    return (await deleteSessionOf(db, accountId, input.sessionId)) ? null : refuse('notFound')
  }),
]
