import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** Seals what is secret at rest, with AES-256-GCM and a key that has a version. */
export interface SecretBox {
  seal(text: string): Buffer
  /** @throws WrongKeyError when it was sealed with a key that is not held, or is not what was sealed */
  open(sealed: Buffer): string
  /** A key for one purpose, derived from the oldest key: a newer one that seals from now on does not change it. */
  keyFor(purpose: string): Buffer
  /** Tells the oldest key from others without telling anything of it. */
  fingerprint: string
}

/** Keys by version, 1 to 255. The current one seals; the others only open what they sealed. */
export interface SecretKeys {
  current: number
  keys: Readonly<Record<number, string>>
}

/** What was sealed was sealed by another SECRET_KEY, or is damaged. */
export class WrongKeyError extends Error {
  override name = 'WrongKeyError'
}

const latestVersion = 255
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + nonceBytes + tagBytes

/** @param secretKey one key for all, or several by version while they are being changed */
export function createSecretBox(secretKey: string | SecretKeys): SecretBox {
  const { current, keys } = typeof secretKey === 'string' ? { current: 1, keys: { 1: secretKey } } : secretKey
  const versions = Object.keys(keys).map(Number)
  if (!versions.includes(current)) throw new Error(`there is no key of the current version ${current}`)
  if (versions.some((version) => !(version >= 1 && version <= latestVersion)))
    throw new Error(`versions of keys are 1 to ${latestVersion}`)
  const sealing = new Map(versions.map((version) => [version, keyringOf(keys[version] ?? '')]))
  const newest = sealing.get(current) ?? keyringOf('')
  const oldest = sealing.get(Math.min(...versions)) ?? newest

  return {
    keyFor: oldest.keyFor,
    fingerprint: oldest.fingerprint,
    seal(text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', newest.atRest, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.from([current]), nonce, cipher.getAuthTag(), body])
    },
    open(sealed) {
      const version = sealed[0] ?? 0
      const keyring = sealing.get(version)
      if (!keyring)
        throw new WrongKeyError(
          `A secret was sealed with version ${version} of the key; held are ${versions.join(', ')}.`,
        )
      try {
        const nonce = sealed.subarray(1, 1 + nonceBytes)
        // A shortened tag would be easier to guess.
        const decipher = createDecipheriv('aes-256-gcm', keyring.atRest, nonce, { authTagLength: tagBytes })
        decipher.setAuthTag(sealed.subarray(1 + nonceBytes, headBytes))
        return decipher.update(sealed.subarray(headBytes), undefined, 'utf8') + decipher.final('utf8')
      } catch (cause) {
        throw new WrongKeyError(
          `A secret was sealed with another SECRET_KEY than this one (fingerprint ${keyring.fingerprint}).`,
          { cause },
        )
      }
    },
  }
}

/** Keys for single purposes, none of which tells the secret key or another one. */
function keyringOf(secretKey: string) {
  const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, 'chairside', purpose, 32))
  return {
    keyFor,
    atRest: keyFor('secrets at rest'),
    fingerprint: createHash('sha256').update(keyFor('fingerprint')).digest('hex').slice(0, 12),
  }
}
