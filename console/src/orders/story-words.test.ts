import { orderActors, orderCauses } from '@chairside/contract'
import { refusalReasons } from '@chairside/contract/devices/device-protocol'
import { translate } from '@chairside/contract/locales/texts'
import { describe, expect, it } from 'vitest'
import { partsOf, readDelivered, readDetail, wordKeys } from './story-words.ts'

/** What tables and adapters say beside the causes. */
const otherWords = [
  ...['preparing', 'prepared', 'paid', 'closed', 'refused', 'wanted', 'accepted', 'succeeded', 'failed'],
  ...['sent start', 'sent stop', 'start', 'stop', 'ended', 'timedOut', 'cancelled'],
  ...['settled', 'repeated', 'wrong amount', 'unknown payment', 'unknown refund', 'not paid'],
  ...['payment', 'refund', 'notice', 'query', 'the provider does not know the refund'],
]

describe.each(['en', 'zh-CN'] as const)('the words of a story in %s', (language) => {
  it('are there for every cause, every reason of a chair and every step', () => {
    const phrases = [...orderCauses, ...refusalReasons, ...otherWords]
    const isWordless = (phrase: string) => wordKeys(phrase).every((key) => translate(language, key) === key)
    expect(phrases.filter(isWordless)).toEqual([])
  })

  it('are those of the status where the cause is the change itself, so that it is said once', () => {
    const changes = {
      '5': 'refund applied',
      '6': 'refund refused',
      '8': 'refunded',
      '9': 'the refund failed',
    }
    for (const [status, cause] of Object.entries(changes))
      expect(translate(language, wordKeys(cause)[0])).toBe(translate(language, `orders.status.${status}`))
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
    [
      'TK1 · NOT_FOUND the provider does not know the refund',
      ['TK1', 'NOT_FOUND', 'the provider does not know the refund'],
    ],
  ])('%s', (phrase, parts) => {
    expect(partsOf(phrase)).toEqual(parts)
  })
})

describe('the detail of a step', () => {
  it.each([
    ['refund applied · paid · and more', { said: ['refund applied'], written: 'paid · and more' }],
    ['refund refused · REFUND later', { said: ['refund refused'], written: 'REFUND later' }],
    ['the chair ended · 300/900 s', { said: ['the chair ended', '300/900 s'], written: '' }],
  ])('%s keeps what somebody wrote as it was written', (detail, read) => {
    expect(readDetail(detail)).toEqual(read)
  })

  it('tells how much of a use was had', () => {
    expect(readDelivered('300/900 s')).toEqual({ delivered: '300', bought: '900' })
    expect(readDelivered('TK300/900')).toBeUndefined()
  })
})
