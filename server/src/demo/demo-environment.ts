import { createHmac, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { WechatSettings } from '../payments/adapters/wechat/wechat-settings.ts'
import type { WechatMerchant } from '@chairside/sandbox/wechat/merchant'

/** The demo's own secret key, made at the first start and kept in its data folder. */
export function demoSecretKey(dataDirectory: string): string {
  const file = path.join(dataDirectory, 'secret-key')
  if (!fs.existsSync(file)) {
    // Whole or not at all: half a key would never start again.
    fs.writeFileSync(`${file}.part`, randomBytes(32).toString('hex'), { mode: 0o600, flush: true })
    fs.renameSync(`${file}.part`, file)
  }
  return fs.readFileSync(file, 'utf8').trim()
}

/** The password of a simulated chair. */
export const demoBoardPassword = (secretKey: string, sid: string): string =>
  createHmac('sha256', secretKey).update(`demo board ${sid}`).digest('base64url').slice(0, 24)

/** Settings of the platform's WeChat channel at the played WeChat. */
export function demoWechatSettings(merchant: WechatMerchant, url: string): WechatSettings {
  return WechatSettings.parse({
    baseUrl: url,
    oauthAuthorizeUrl: `${url}/connect/oauth2/authorize`,
    oauthTokenUrl: `${url}/sns/oauth2/access_token`,
    mchId: merchant.mchId,
    appId: merchant.appId,
    appSecret: merchant.appSecret,
    certSerialNumber: merchant.certSerialNumber,
    privateKeyPem: merchant.privateKeyPem,
    apiV3Key: merchant.apiV3Key,
    platformKeys: { [merchant.platformSerial]: merchant.platformPublicKeyPem },
  })
}
