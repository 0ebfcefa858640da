import { ObjectStoreError } from '../../kit/object-store/s3-store.ts'

/** What a look at one part came to. `poor` works, and somebody should see to it; `bad` does not work. */
export interface Finding {
  part: string
  state: 'ok' | 'poor' | 'bad'
  /** A sentence for the operator. */
  words: string
}

export const fine = (part: string, words: string): Finding => ({ part, state: 'ok', words })
export const poor = (part: string, words: string): Finding => ({ part, state: 'poor', words })
export const bad = (part: string, words: string): Finding => ({ part, state: 'bad', words })

/** A look that fails for a reason of its own has found something, too. */
export async function look(part: string, work: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await work()].flat()
  } catch (error) {
    return [bad(part, reasonOf(error))]
  }
}

/** The reason of a failure in a few words, also where a request hides it behind `fetch failed`. */
export function reasonOf(error: unknown): string {
  const { message, code, cause } = error as NodeJS.ErrnoException & { cause?: unknown }
  if (error instanceof ObjectStoreError)
    return `${message}${cause instanceof Error ? ` (${reasonOf(cause)})` : ''}.`
  if (cause instanceof Error) return reasonOf(cause)
  return message || code || String(error)
}

const labels = { ok: 'ok', poor: 'look', bad: 'WRONG' } as const

/** The findings as lines for a terminal. */
export function describeFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ part }) => part.length))
  return findings
    .map(({ part, state, words }) => `${labels[state].padEnd(7)}${part.padEnd(width + 2)}${words}\n`)
    .join('')
}
