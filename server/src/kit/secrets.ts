import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** Seals what is secret at rest, with AES-256-GCM and a key that has a version. */
export interface SecretBox {
  seal(text: string): Buffer
  /** @throws WrongKeyError when it was sealed with another key */
  open(sealed: Buffer): string
  /** A key for one purpose, derived from the secret key. */
  keyFor(purpose: string): Buffer
  /** Tells keys apart without telling anything of them. */
  fingerprint: string
}

export class WrongKeyError extends Error {
  override name = 'WrongKeyError'
}

const version = 1
const nonceBytes = 12
const tagBytes = 16

export function createSecretBox(secretKey: string): SecretBox {
  const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, 'chairside', purpose, 32))
  const key = keyFor('secrets at rest')
  const fingerprint = createHash('sha256').update(keyFor('fingerprint')).digest('hex').slice(0, 12)
  return {
    keyFor,
    fingerprint,
    seal(text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.from([version]), nonce, cipher.getAuthTag(), body])
    },
    open(sealed) {
      const nonce = sealed.subarray(1, 1 + nonceBytes)
      const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)
      try {
        if (sealed[0] !== version) throw new Error('unknown version')
        const decipher = createDecipheriv('aes-256-gcm', key, nonce)
        decipher.setAuthTag(tag)
        return (
          decipher.update(sealed.subarray(1 + nonceBytes + tagBytes), undefined, 'utf8') +
          decipher.final('utf8')
        )
      } catch (cause) {
        throw new WrongKeyError(
          `A secret was sealed with another SECRET_KEY than this one (fingerprint ${fingerprint}).`,
          { cause },
        )
      }
    },
  }
}
