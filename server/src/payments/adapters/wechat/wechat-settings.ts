import { z } from 'zod'

/** Settings of a WeChat Pay v3 merchant. `partner` is service-provider mode (wechatServerPay). */
export const WechatSettings = z.object({
  baseUrl: z.url().default('https://api.mch.weixin.qq.com'),
  oauthAuthorizeUrl: z.url().default('https://open.weixin.qq.com/connect/oauth2/authorize'),
  oauthTokenUrl: z.url().default('https://api.weixin.qq.com/sns/oauth2/access_token'),
  /** Direct merchant, or the service provider in partner mode. */
  mchId: z.string().min(1).max(32),
  appId: z.string().min(1).max(32),
  appSecret: z.string().default(''),
  /** Serial of our own API certificate. */
  certSerialNumber: z.string().min(1),
  privateKeyPem: z.string().min(1),
  /** Exactly 32 bytes. */
  apiV3Key: z.string().length(32),
  /** WeChat's public keys by serial or key id; more are fetched when an unknown serial comes. */
  platformKeys: z.record(z.string(), z.string()),
  partner: z.object({ subMchId: z.string().min(1).max(32) }).optional(),
  timeoutMs: z.number().int().positive().default(8000),
})
export type WechatSettings = z.output<typeof WechatSettings>
