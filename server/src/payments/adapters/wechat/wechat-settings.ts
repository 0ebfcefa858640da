import { createPrivateKey, createPublicKey } from 'node:crypto'
import { z } from 'zod'

const isKey = (read: (pem: string) => unknown) => (pem: string) => {
  try {
    read(pem)
    return true
  } catch {
    return false
  }
}
const publicKeyPem = z.string().refine(isKey(createPublicKey), 'is not a public key in PEM')

/** Settings of a WeChat Pay v3 merchant. `partner` is service-provider mode (wechatServerPay). */
export const WechatSettings = z.object({
  /** Without a path: signatures are over the path as WeChat receives it. */
  baseUrl: z
    .url()
    .refine((url) => new URL(url).pathname === '/', 'has a path')
    .transform((url) => new URL(url).origin)
    .default('https://api.mch.weixin.qq.com'),
  oauthAuthorizeUrl: z.url().default('https://open.weixin.qq.com/connect/oauth2/authorize'),
  oauthTokenUrl: z.url().default('https://api.weixin.qq.com/sns/oauth2/access_token'),
  /** Direct merchant, or the service provider in partner mode. */
  mchId: z.string().min(1).max(32),
  appId: z.string().min(1).max(32),
  appSecret: z.string().default(''),
  /** Serial of our own API certificate. */
  certSerialNumber: z.string().min(1),
  privateKeyPem: z.string().refine(isKey(createPrivateKey), 'is not a private key in PEM'),
  /** Exactly 32 bytes. */
  apiV3Key: z.string().refine((key) => Buffer.byteLength(key) === 32, 'is not of 32 bytes'),
  /** WeChat's public keys by serial or key id; more are fetched when an unknown serial comes. */
  platformKeys: z.record(z.string(), publicKeyPem),
  partner: z.object({ subMchId: z.string().min(1).max(32) }).optional(),
  timeoutMs: z.number().int().positive().default(8000),
})
export type WechatSettings = z.output<typeof WechatSettings>

/** A direct merchant (wechatPay). */
export const WechatDirectSettings = WechatSettings.refine(
  ({ partner }) => partner === undefined,
  'is of a service provider',
)
/** A service provider (wechatServerPay). */
export const WechatPartnerSettings = WechatSettings.refine(
  ({ partner }) => partner !== undefined,
  'names no sub-merchant',
)
