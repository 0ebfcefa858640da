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
