import { describe, expect, it } from 'vitest'
import { createSecretBox, WrongKeyError } from './secrets.ts'

const [first, second] = ['the first key of a platform, long enough', 'another key, just as long as the first']
const text = '{"apiV3Key":"微信支付密钥"}'

describe('a secret at rest', () => {
  it('opens to what was sealed, and is sealed differently each time', () => {
    const box = createSecretBox(first)
    const sealed = box.seal(text)
    expect(box.open(sealed)).toBe(text)
    expect(box.seal(text).equals(sealed)).toBe(false)
    expect(sealed.includes(Buffer.from('apiV3Key'))).toBe(false)
  })

  it('names the fingerprint of the key that does not open it', () => {
    const stranger = createSecretBox(second)
    const open = () => stranger.open(createSecretBox(first).seal(text))
    expect(open).toThrow(WrongKeyError)
    expect(open).toThrow(stranger.fingerprint)
    expect(stranger.fingerprint).not.toBe(createSecretBox(first).fingerprint)
  })

  it.each([0, 1, 20, 29])('is refused when its byte %i was changed', (index) => {
    const box = createSecretBox(first)
    const sealed = box.seal(text)
    sealed[index] = (sealed[index] ?? 0) ^ 1
    expect(() => box.open(sealed)).toThrow(WrongKeyError)
  })

  it.each([0, 1, 13, 28])('is refused when only %i of its bytes are left', (length) => {
    const box = createSecretBox(first)
    expect(() => box.open(box.seal(text).subarray(0, length))).toThrow(WrongKeyError)
  })
})

describe('a key that takes over', () => {
  const before = createSecretBox(first)
  const after = createSecretBox({ current: 2, keys: { 1: first, 2: second } })

  it('seals from now on, while what the one before sealed still opens', () => {
    expect(after.open(before.seal(text))).toBe(text)
    expect(() => before.open(after.seal(text))).toThrow('version 2')
    expect(createSecretBox({ current: 2, keys: { 2: second } }).open(after.seal(text))).toBe(text)
  })

  it('changes nothing that was derived from the one before', () => {
    expect(after.keyFor('device passwords')).toEqual(before.keyFor('device passwords'))
    expect(after.fingerprint).toBe(before.fingerprint)
  })

  it('has to be among the keys', () => {
    expect(() => createSecretBox({ current: 3, keys: { 1: first } })).toThrow('version 3')
  })
})

it('derives a key of its own for each purpose', () => {
  const box = createSecretBox(first)
  expect(box.keyFor('one')).not.toEqual(box.keyFor('another'))
  expect(box.keyFor('one')).toHaveLength(32)
})
