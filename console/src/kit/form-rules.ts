import type { Endpoint } from '@chairside/contract'
import type { Language } from '@chairside/contract/locales/languages'
import { fieldMessages } from '@chairside/contract/locales/field-messages'

/** A message for each field that the call would not take, in the words the server uses too. */
export function inputErrors(
  endpoint: Endpoint,
  input: Record<string, unknown>,
  language: Language,
): Record<string, string> {
  const parsed = endpoint.input.safeParse(input, { reportInput: true })
  return parsed.success ? {} : fieldMessages(parsed.error.issues, language)
}

interface SchemaParts {
  maxLength?: number | null
  def?: { innerType?: SchemaParts; out?: SchemaParts }
}

/** Most characters that a field of a call takes, undefined when it is no text or has no limit. */
export function textLimit(endpoint: Endpoint, field: string): number | undefined {
  let schema = endpoint.input.shape[field] as SchemaParts | undefined
  while (schema) {
    if (typeof schema.maxLength === 'number') return schema.maxLength
    schema = schema.def?.innerType ?? schema.def?.out
  }
  return undefined
}
