import type { Endpoint } from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'

const textOf: readonly (readonly [does: RegExp, text: TextKey])[] = [
  [/^add/, 'console.form.addFailed'],
  [/^(edit|modify|change|hours|time|account)/, 'console.form.updateFailed'],
  [/^delete/, 'console.form.deleteFailed'],
]

/** The words of a failed call, by what its name in the audit trail says that it does (spec 1 §8). */
export function failedTextOf({ audit = '' }: Endpoint): TextKey {
  const [, does = ''] = audit.split('.')
  return textOf.find(([name]) => name.test(does))?.[1] ?? 'console.form.failed'
}
