import { createDecipheriv, createSign, createVerify, randomBytes, type KeyLike } from 'node:crypto'

/* Signatures and ciphers of WeChat Pay APIv3: SHA256withRSA over lines, AES-256-GCM for what it tells us. */

const scheme = 'WECHATPAY2-SHA256-RSA2048'
const gcmTagBytes = 16

/** WeChat refuses what is older than this, or as far ahead, and so do we. */
export const clockToleranceSeconds = 300

export const newNonce = (): string => randomBytes(16).toString('hex')

/** The text a request is signed over; `path` carries its query and a GET has an empty body. */
export const requestText = (
  method: string,
  path: string,
  timestamp: string,
  nonce: string,
  body: string,
): string => `${method}\n${path}\n${timestamp}\n${nonce}\n${body}\n`

/** The text that pays in WeChat's own window is signed over. */
export const paySignText = (appId: string, timestamp: string, nonce: string, prepay: string): string =>
  `${appId}\n${timestamp}\n${nonce}\n${prepay}\n`

export const sign = (text: string, privateKey: KeyLike): string =>
  createSign('RSA-SHA256').update(text).sign(privateKey, 'base64')

/** The `Authorization` header of a request. */
export function authorization(
  request: { method: string; path: string; body: string },
  merchant: { mchId: string; certSerialNumber: string },
  privateKey: KeyLike,
  now: Date,
): string {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const nonce = newNonce()
  const text = requestText(request.method, request.path, timestamp, nonce, request.body)
  const signature = sign(text, privateKey)
  return `${scheme} mchid="${merchant.mchId}",nonce_str="${nonce}",timestamp="${timestamp}",serial_no="${merchant.certSerialNumber}",signature="${signature}"`
}

/** Whether WeChat signed these bytes: `timestamp\nnonce\nbody\n`. */
export function isSignedBy(
  publicKey: KeyLike,
  signed: { timestamp: string; nonce: string; body: Buffer; signature: string },
): boolean {
  try {
    return createVerify('RSA-SHA256')
      .update(`${signed.timestamp}\n${signed.nonce}\n`)
      .update(signed.body)
      .update('\n')
      .verify(publicKey, signed.signature, 'base64')
  } catch {
    return false
  }
}

export interface SealedResource {
  algorithm: string
  ciphertext: string
  nonce: string
  associated_data?: string | undefined
}

/** Opens what WeChat sealed with the merchant's APIv3 key. @throws when the key, the associated data or the bytes are not what was sealed */
export function openResource(apiV3Key: string, resource: SealedResource): string {
  if (resource.algorithm !== 'AEAD_AES_256_GCM') throw new Error(`${resource.algorithm} is not known`)
  const sealed = Buffer.from(resource.ciphertext, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', apiV3Key, resource.nonce, { authTagLength: gcmTagBytes })
  decipher.setAAD(Buffer.from(resource.associated_data ?? ''))
  decipher.setAuthTag(sealed.subarray(-gcmTagBytes))
  return decipher.update(sealed.subarray(0, -gcmTagBytes), undefined, 'utf8') + decipher.final('utf8')
}
