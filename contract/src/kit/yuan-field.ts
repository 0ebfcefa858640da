import { centsFromYuan, formatYuan } from './amount.ts'
import { mostCents } from './fields.ts'
import type { TextKey } from '../locales/texts.ts'

/** An amount that was typed in yuan: its cents, or the key of what is wrong with it. */
export type TypedYuan = { amountCents: number } | { fault: TextKey; values: Record<string, string> }

/** Reads a price as it was typed in yuan, as decimal text, so that no cent is lost (decisions §1). */
export function readYuan(yuan: string): TypedYuan {
  const wrong = (fault: TextKey, values: Record<string, string> = {}) => ({ fault, values })
  if (yuan.trim() === '') return wrong('validation.required')
  const amountCents = centsFromYuan(yuan)
  if (amountCents === undefined) return wrong('console.form.notAnAmount')
  if (amountCents < 0) return wrong('validation.tooSmall', { min: formatYuan(0) })
  return amountCents > mostCents
    ? wrong('validation.tooBig', { max: formatYuan(mostCents) })
    : { amountCents }
}
