import { useTextOf, useTexts } from '../kit/language.tsx'
import { partsOf, readDelivered, wordKeys } from './story-words.ts'

/** Says in the reader's language what the server says of an order; what has no words of ours is said as it is. */
export function useOrderWords(): { wordOf(part: string): string; wordsOf(phrase: string): string } {
  const textOf = useTextOf()
  const say = useTexts()
  const wordOf = (part: string) => {
    const run = readDelivered(part)
    if (run) return say('console.story.delivered', run)
    const known = wordKeys(part).find((key) => textOf(key) !== key)
    return known === undefined ? part : textOf(known)
  }
  return { wordOf, wordsOf: (phrase) => partsOf(phrase).map(wordOf).join(' · ') }
}
