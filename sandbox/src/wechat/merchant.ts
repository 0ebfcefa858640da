import { generateKeyPairSync, randomBytes } from 'node:crypto'

/** A merchant of the played WeChat, and what WeChat itself signs with. */
export interface WechatMerchant {
  mchId: string
  appId: string
  appSecret: string
  certSerialNumber: string
  /** The merchant's own key: requests are signed with it. */
  privateKeyPem: string
  publicKeyPem: string
  apiV3Key: string
  /** WeChat's key: answers and notices are signed with it. */
  platformSerial: string
  platformPrivateKeyPem: string
  platformPublicKeyPem: string
}

function keyPair(): { privateKeyPem: string; publicKeyPem: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
}

const serial = () => randomBytes(20).toString('hex').toUpperCase()

/** Opens a merchant account: keys, numbers and secrets as WeChat would hand them out. */
export function createWechatMerchant(mchId = '1900000001', appId = 'wx5a0d000000000001'): WechatMerchant {
  const merchant = keyPair()
  const platform = keyPair()
  return {
    mchId,
    appId,
    appSecret: randomBytes(16).toString('hex'),
    certSerialNumber: serial(),
    ...merchant,
    apiV3Key: randomBytes(16).toString('hex'),
    platformSerial: `PUB_KEY_ID_${serial().slice(0, 20)}`,
    platformPrivateKeyPem: platform.privateKeyPem,
    platformPublicKeyPem: platform.publicKeyPem,
  }
}
