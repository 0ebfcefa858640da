import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { selfSignedCertificate } from './certificate.ts'

/** A key WeChat signs with. A certificate is fetched by its serial; a public key is handed out once. */
export interface PlatformKey {
  platformSerial: string
  platformPrivateKeyPem: string
  platformPublicKeyPem: string
  platformCertificatePem: string | null
}

/** A merchant of the played WeChat, and what WeChat itself signs with. */
export interface WechatMerchant extends PlatformKey {
  name: string
  mchId: string
  appId: string
  appSecret: string
  certSerialNumber: string
  /** The merchant's own key: requests are signed with it. */
  privateKeyPem: string
  publicKeyPem: string
  apiV3Key: string
  /** Of a service provider: the merchants it takes money for. */
  subMchIds: string[]
  /** What WeChat signed with before, and still does when it is asked to. */
  earlierKeys: PlatformKey[]
}

const dayMs = 86_400_000
const certificateDays = 5 * 365

const createKeyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const privatePem = (pair: ReturnType<typeof createKeyPair>) =>
  pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const publicPem = (pair: ReturnType<typeof createKeyPair>) =>
  pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()

/** 40 hex digits, as serials of certificates are; the first keeps the number positive and of full length. */
const newSerial = () => `5${randomBytes(20).toString('hex').toUpperCase().slice(1)}`

/** Makes a key for WeChat to sign with, in either of its two modes. */
export function createPlatformKey(mode: 'publicKey' | 'certificate'): PlatformKey {
  const pair = createKeyPair()
  const serial = newSerial()
  const now = Date.now()
  return {
    platformSerial: mode === 'certificate' ? serial : `PUB_KEY_ID_${serial.slice(0, 20)}`,
    platformPrivateKeyPem: privatePem(pair),
    platformPublicKeyPem: publicPem(pair),
    platformCertificatePem:
      mode === 'certificate'
        ? selfSignedCertificate({
            ...pair,
            serial,
            name: 'Sandbox Pay',
            from: new Date(now - dayMs),
            until: new Date(now + certificateDays * dayMs),
          })
        : null,
  }
}

export interface MerchantToOpen {
  name?: string
  subMchIds?: string[]
  keyMode?: 'publicKey' | 'certificate'
}

/** Opens a merchant account: keys, numbers and secrets as WeChat would hand them out. */
export function createWechatMerchant(
  mchId = '1900000001',
  appId = 'wx5a0d000000000001',
  { name = '模拟商户 Sandbox Merchant', subMchIds = [], keyMode = 'publicKey' }: MerchantToOpen = {},
): WechatMerchant {
  const pair = createKeyPair()
  return {
    name,
    mchId,
    appId,
    appSecret: randomBytes(16).toString('hex'),
    certSerialNumber: newSerial(),
    privateKeyPem: privatePem(pair),
    publicKeyPem: publicPem(pair),
    apiV3Key: randomBytes(16).toString('hex'),
    subMchIds,
    ...createPlatformKey(keyMode),
    earlierKeys: [],
  }
}

/** All keys WeChat signs with for a merchant, the newest first. */
export const platformKeysOf = (merchant: WechatMerchant): PlatformKey[] => [merchant, ...merchant.earlierKeys]

/** WeChat begins to sign with a new certificate; what it signed with before stays known. */
export function rotatePlatformKey(merchant: WechatMerchant): void {
  const { platformSerial, platformPrivateKeyPem, platformPublicKeyPem, platformCertificatePem } = merchant
  merchant.earlierKeys.unshift({
    platformSerial,
    platformPrivateKeyPem,
    platformPublicKeyPem,
    platformCertificatePem,
  })
  Object.assign(merchant, createPlatformKey('certificate'))
}
