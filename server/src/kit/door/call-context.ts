import { translate } from '@chairside/contract/locales/texts'
import type { Language } from '@chairside/contract/locales/languages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RefusedError, type CallContext } from '../call.ts'
import type { Database } from '../database.ts'
import type { Actor, Principal } from '../principal.ts'
import { platformScope } from '../scope.ts'

/** Header that carries the access token (spec 1 §7). */
export const tokenHeader = 'x-access-token'

/** What a call says of itself for the audit trail. */
export interface Audited {
  target: string
  details: Record<string, unknown>
  by?: Actor
  isTrial?: boolean
}

interface ContextParts {
  db: Database
  input: Record<string, unknown>
  principal: Principal | null
  language: Language
  now: Date
  request: FastifyRequest
  reply: FastifyReply
  audited: Audited
}

/** What a handler gets of its call: who asks what, and how to refuse, to answer and to leave a trace. */
export function createContext({
  db,
  input,
  principal,
  language,
  now,
  request,
  reply,
  audited,
}: ContextParts): CallContext {
  return {
    db,
    input,
    caller: () => {
      if (!principal) throw new Error('an open call has no caller')
      return principal
    },
    token: principal ? String(request.headers[tokenHeader] ?? '') : '',
    scope: principal?.scope ?? platformScope,
    language,
    now,
    log: request.log as CallContext['log'],
    address: request.ip,
    userAgent: String(request.headers['user-agent'] ?? ''),
    accept: String(request.headers.accept ?? ''),
    describeFile: ({ type, name }) => {
      if (type !== undefined) reply.type(type)
      if (name !== undefined) reply.header('content-disposition', `attachment; filename="${name}"`)
    },
    cookie: (name) => request.cookies[name],
    setCookie: (name, value, { path, maxAgeSeconds }) => {
      reply.setCookie(name, value, {
        path,
        maxAge: maxAgeSeconds,
        httpOnly: true,
        sameSite: 'lax',
        secure: request.protocol === 'https',
      })
    },
    refuse: (refusal, data) => {
      throw new RefusedError(refusal, { data })
    },
    refuseField: (field, messageKey, values) => {
      throw new RefusedError('invalidInput', { fields: { [field]: translate(language, messageKey, values) } })
    },
    refuseFields: (messageKeys) => {
      const fields = Object.entries<string | undefined>(messageKeys).map(([field, key]) => [
        field,
        translate(language, key ?? ''),
      ])
      throw new RefusedError('invalidInput', { fields: Object.fromEntries(fields) })
    },
    audit: ({ target, before, after, by, isTrial }) => {
      if (isTrial !== undefined) audited.isTrial = isTrial
      if (by !== undefined) audited.by = by
      if (target !== undefined) audited.target = target
      if (before !== undefined) audited.details['before'] = before
      if (after !== undefined) audited.details['after'] = after
    },
  }
}
