import { resultCodeOf, successCode, type Envelope, type Refusal } from '@chairside/contract'
import { translate } from '@chairside/contract/locales/texts'
import type { Language } from '@chairside/contract/locales/languages'

/** An accepted answer. */
export function accepted<Data>(data: Data, language: Language): Envelope<Data> {
  return { success: true, resultCode: successCode, message: translate(language, 'refusals.success'), data }
}

/** A refused answer; `data` carries what the refusal has to say beyond its words. */
export function refused(
  refusal: Refusal,
  language: Language,
  data: unknown = null,
  values: Record<string, string> = {},
): Envelope<unknown> {
  return {
    success: false,
    resultCode: resultCodeOf[refusal],
    message: translate(language, `refusals.${refusal}`, values),
    data,
  }
}
