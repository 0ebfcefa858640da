import { orderActors, orderCauses } from '@chairside/contract'
import { refusalReasons } from '@chairside/contract/devices/device-protocol'
import { translate } from '@chairside/contract/locales/texts'
import { describe, expect, it } from 'vitest'
import { partsOf, wordKeys } from './story-words.ts'

/** What tables and adapters say beside the causes. */
const otherWords = [
  ...['preparing', 'prepared', 'paid', 'closed', 'refused', 'wanted', 'accepted', 'succeeded', 'failed'],
  ...['sent start', 'sent stop', 'start', 'stop', 'ended', 'timedOut', 'cancelled'],
  ...['settled', 'repeated', 'wrong amount', 'unknown payment', 'unknown refund', 'not paid'],
  ...['payment', 'refund', 'notice', 'query'],
]

describe.each(['en', 'zh-CN'] as const)('the words of a story in %s', (language) => {
  it('are there for every cause, every reason of a chair and every step', () => {
    const phrases = [...orderCauses, ...refusalReasons, ...otherWords]
    const isWordless = (phrase: string) => wordKeys(phrase).every((key) => translate(language, key) === key)
    expect(phrases.filter(isWordless)).toEqual([])
  })

  it('are there for everybody who takes part', () => {
    const keys = orderActors.map((actor) => `console.timeline.${actor}`)
    expect(keys.filter((key) => translate(language, key) === key)).toEqual([])
  })
})

describe('what the server says in one go', () => {
  it.each([
    ['paid · notice', ['paid', 'notice']],
    ['the chair refused · busy', ['the chair refused', 'busy']],
    ['the chair refused: busy', ['the chair refused', 'busy']],
    ['the chair refused: no reason', ['the chair refused']],
    ['refused: wrong amount', ['refused', 'wrong amount']],
  ])('%s', (phrase, parts) => {
    expect(partsOf(phrase)).toEqual(parts)
  })
})
