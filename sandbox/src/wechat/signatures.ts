import { createCipheriv, createSign, createVerify, randomBytes } from 'node:crypto'
import type { PlatformKey, WechatMerchant } from './merchant.ts'

/* WeChat's side of the signatures: it checks what merchants sign, and signs what it says itself. */

const windowSeconds = 300

export type RequestVerdict =
  | { accepted: true; merchant: WechatMerchant }
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
  merchants: readonly WechatMerchant[],
  nowMs: number,
): RequestVerdict {
  const [, scheme, rest] = /^(\S+) (.*)$/.exec(request.authorization ?? '') ?? []
  if (scheme !== 'WECHATPAY2-SHA256-RSA2048' || !rest) return signError('the scheme is not known')
  const fields = Object.fromEntries(
    [...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
  const { mchid, nonce_str: nonce = '', timestamp = '', serial_no: serialNo, signature = '' } = fields
  const merchant = merchants.find(({ mchId }) => mchId === mchid)
  if (!merchant) return signError('the merchant is not known')
  if (serialNo !== merchant.certSerialNumber) return signError('the certificate is not known')
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) >= windowSeconds)
    return signError('the timestamp is too old')
  if (!/^[0-9A-Za-z]{1,32}$/.test(nonce)) return signError('the nonce is not of 1 to 32 characters')
  const text = `${request.method}\n${request.url}\n${timestamp}\n${nonce}\n${request.body}\n`
  const isRight = createVerify('RSA-SHA256').update(text).verify(merchant.publicKeyPem, signature, 'base64')
  return isRight ? { accepted: true, merchant } : signError('the signature is wrong')
}

/** What a page hands to WeChat's own window to pay with (reference 1.2). */
export function isPaySigned(parameters: Record<string, string>, merchant: WechatMerchant): boolean {
  const { appId, timeStamp, nonceStr, package: prepay, signType, paySign = '' } = parameters
  return (
    signType === 'RSA' &&
    createVerify('RSA-SHA256')
      .update(`${appId}\n${timeStamp}\n${nonceStr}\n${prepay}\n`)
      .verify(merchant.publicKeyPem, paySign, 'base64')
  )
}

/** Headers that sign an answer or a notice. */
export function signedHeaders(
  body: string,
  key: Pick<PlatformKey, 'platformSerial' | 'platformPrivateKeyPem'>,
  nowMs: number,
  privateKeyPem = key.platformPrivateKeyPem,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const nonce = randomBytes(16).toString('hex')
  return {
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-serial': key.platformSerial,
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
