import type { Endpoint } from '@chairside/contract'
import { translate } from '@chairside/contract/locales/texts'
import type { Language } from '@chairside/contract/locales/languages'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { RefusedError } from '../call.ts'

const sameValue = (one: unknown, other: unknown) => String(one) === String(other)

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

/** The message at a field for one issue of the schema. */
function wordIssue(issue: z.core.$ZodIssue, language: Language): string {
  const word = (key: string, values: Record<string, string | number> = {}) =>
    translate(language, `validation.${key}`, values)
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === '' || issue.input === null) return word('required')
      if (issue.expected === 'boolean') return word('notABoolean')
      if (issue.expected === 'int') return word('notAnInteger')
      if (issue.expected === 'number') return word('notANumber')
      return word('wrongForm')
    case 'too_small':
      if (issue.origin !== 'string') return word('tooSmall', { min: String(issue.minimum) })
      return issue.input === '' || Number(issue.minimum) === 1
        ? word('required')
        : word('tooShort', { min: String(issue.minimum) })
    case 'too_big':
      return word(issue.origin === 'string' ? 'tooLong' : 'tooBig', { max: String(issue.maximum) })
    case 'invalid_format':
      if (issue.format === 'date') return word('notADate')
      if (issue.message === 'month') return word('notAMonth')
      if (issue.message === 'orderId' || issue.message === 'deviceId') return word(issue.message)
      return word('wrongForm')
    case 'invalid_value':
      return issue.input === undefined
        ? word('required')
        : word('notAChoice', { choices: issue.values.map(String).join(', ') })
    default:
      return word('wrongForm')
  }
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
  const parsed = endpoint.input.safeParse(collectFields(endpoint, request, language), { reportInput: true })
  if (parsed.success) return parsed.data
  const fields: Record<string, string> = {}
  for (const issue of parsed.error.issues) {
    const name = String(issue.path[0] ?? '')
    fields[name] ??= wordIssue(issue, language)
  }
  throw new RefusedError('invalidInput', { fields })
}
