import { createCipheriv, createSign, createVerify, randomBytes } from 'node:crypto'
import type { WechatMerchant } from './merchant.ts'

/* WeChat's side of the signatures: it checks what merchants sign, and signs what it says itself. */

const windowSeconds = 300

export type RequestVerdict =
  | { accepted: true }
  | { accepted: false; status: number; code: string; message: string }

const signError = (message: string): RequestVerdict => ({
  accepted: false,
  status: 401,
  code: 'SIGN_ERROR',
  message,
})

/** Checks the `Authorization` header of a request over its path as received and its raw body. */
export function checkRequest(
  request: { method: string; url: string; body: string; authorization: string | undefined },
  merchant: WechatMerchant,
  nowMs: number,
): RequestVerdict {
  const [, scheme, rest] = /^(\S+) (.*)$/.exec(request.authorization ?? '') ?? []
  if (scheme !== 'WECHATPAY2-SHA256-RSA2048' || !rest) return signError('the scheme is not known')
  const fields = Object.fromEntries(
    [...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
  const { mchid, nonce_str: nonce = '', timestamp = '', serial_no: serialNo, signature = '' } = fields
  if (mchid !== merchant.mchId) return signError('the merchant is not known')
  if (serialNo !== merchant.certSerialNumber) return signError('the certificate is not known')
  if (Math.abs(nowMs / 1000 - Number(timestamp)) >= windowSeconds)
    return signError('the timestamp is too old')
  const text = `${request.method}\n${request.url}\n${timestamp}\n${nonce}\n${request.body}\n`
  const isRight = createVerify('RSA-SHA256').update(text).verify(merchant.publicKeyPem, signature, 'base64')
  return isRight ? { accepted: true } : signError('the signature is wrong')
}

/** Headers that sign an answer or a notice. */
export function signedHeaders(
  body: string,
  merchant: WechatMerchant,
  nowMs: number,
  privateKeyPem = merchant.platformPrivateKeyPem,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const nonce = randomBytes(16).toString('hex')
  return {
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-serial': merchant.platformSerial,
    'wechatpay-signature': createSign('RSA-SHA256')
      .update(`${timestamp}\n${nonce}\n${body}\n`)
      .sign(privateKeyPem, 'base64'),
  }
}

/** What a notice carries, sealed for the merchant; a text, such as a certificate, as it is. */
export function sealResource(
  plain: object | string,
  apiV3Key: string,
  associatedData: string,
): { algorithm: string; ciphertext: string; nonce: string; associated_data: string; original_type: string } {
  const nonce = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', apiV3Key, nonce)
  cipher.setAAD(Buffer.from(associatedData))
  const sealed = Buffer.concat([
    cipher.update(typeof plain === 'string' ? plain : JSON.stringify(plain), 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  return {
    algorithm: 'AEAD_AES_256_GCM',
    ciphertext: sealed.toString('base64'),
    nonce,
    associated_data: associatedData,
    original_type: associatedData,
  }
}
