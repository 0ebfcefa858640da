import type { z } from 'zod'
import { validation } from './en/validation.ts'
import type { Language } from './languages.ts'
import { translate } from './texts.ts'

const isMissing = (input: unknown) => input === undefined || input === null || input === ''
const isFraction = (input: unknown) => typeof input === 'string' && /^-?\d+\.\d+$/.test(input.trim())

/** The message at a field for one issue of its schema; a schema may name one of the texts itself. */
function wordIssue(issue: z.core.$ZodIssue, language: Language): string {
  const word = (key: string, values: Record<string, string | number> = {}) =>
    translate(language, `validation.${key}`, values)
  // A text named for a whole field does not say how long it may be.
  if (issue.message in validation && issue.code !== 'too_big') return word(issue.message)
  switch (issue.code) {
    case 'invalid_type':
      if (isMissing(issue.input)) return word('required')
      if (issue.expected === 'boolean') return word('notABoolean')
      if (issue.expected === 'int') return word('notAnInteger')
      if (issue.expected === 'number') return word(isFraction(issue.input) ? 'notAnInteger' : 'notANumber')
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
      return word('wrongForm')
    case 'invalid_value':
      return isMissing(issue.input)
        ? word('required')
        : word('notAChoice', { choices: issue.values.map(String).join(', ') })
    default:
      return word('wrongForm')
  }
}

/** The first message for each field that a call's schema did not accept; parse with `reportInput`. */
export function fieldMessages(
  issues: readonly z.core.$ZodIssue[],
  language: Language,
): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const issue of issues) {
    const name = String(issue.path[0] ?? '')
    fields[name] ??= wordIssue(issue, language)
  }
  return fields
}
