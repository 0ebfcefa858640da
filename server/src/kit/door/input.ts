import type { Endpoint } from '@chairside/contract'
import { fieldMessages } from '@chairside/contract/locales/field-messages'
import { translate } from '@chairside/contract/locales/texts'
import type { Language } from '@chairside/contract/locales/languages'
import type { FastifyRequest } from 'fastify'
import { RefusedError } from '../call.ts'
import { isUnkeepable } from '../keepable-text.ts'

/** A value as a query would have it. What a body has more than that is like nothing else; it may not even have words. */
const wordsOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.every(isPlain) ? value.join() : value
  return isPlain(value) ? String(value) : value
}
const isPlain = (value: unknown) => typeof value !== 'object' || value === null

const sameValue = (one: unknown, other: unknown) => wordsOf(one) === wordsOf(other)

/**
 * The fields of a call: path, query and, for calls that change something, a JSON or form body (decisions §1).
 * A field given twice with two values is refused; a name is taken once, whatever it is called on the prototype.
 */
function collectFields(
  endpoint: Endpoint,
  request: FastifyRequest,
  language: Language,
): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.create(null)
  const twice: Record<string, string> = {}
  const take = (source: unknown) => {
    if (typeof source !== 'object' || source === null || Array.isArray(source)) return
    for (const [name, value] of Object.entries(source)) {
      const values: unknown[] = Array.isArray(value) && source === request.query ? value : [value]
      for (const one of values) {
        if (name in fields && !sameValue(fields[name], one))
          twice[name] = translate(language, 'validation.givenTwice')
        fields[name] = one
      }
    }
  }
  take(request.params)
  take(request.query)
  if (endpoint.verb !== 'GET') take(request.body)
  if (Object.keys(twice).length > 0) throw new RefusedError('invalidInput', { fields: twice })
  return fields
}

/**
 * Reads and checks the input of a call.
 * @throws RefusedError invalidInput with a message for each wrong field
 */
export function readInput(
  endpoint: Endpoint,
  request: FastifyRequest,
  language: Language,
): Record<string, unknown> {
  const fields = collectFields(endpoint, request, language)
  const unkept = Object.keys(endpoint.input.shape).filter((name) => isUnkeepable(fields[name]))
  if (unkept.length > 0) {
    const message = translate(language, 'validation.wrongForm')
    throw new RefusedError('invalidInput', {
      fields: Object.fromEntries(unkept.map((name) => [name, message])),
    })
  }
  const parsed = endpoint.input.safeParse(fields, { reportInput: true })
  if (parsed.success) return parsed.data
  throw new RefusedError('invalidInput', { fields: fieldMessages(parsed.error.issues, language) })
}
