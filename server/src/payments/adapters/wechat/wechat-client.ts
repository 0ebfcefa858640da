import { createPrivateKey } from 'node:crypto'
import { createWechatKeys, type Proof, type WechatKeys } from './wechat-keys.ts'
import type { WechatSettings } from './wechat-settings.ts'
import { authorization } from './wechat-signing.ts'
import { ErrorBody } from './wechat-wire.ts'

/** A definite answer of WeChat, or `unknown` when nothing certain came. */
export type WechatAnswer =
  | { kind: 'answer'; json: unknown }
  | { kind: 'refused'; status: number; code: string; message: string }
  | { kind: 'unknown'; reason: string }

/** After these nothing is certain, or they only ask to come back later (reference 1.2, 1.4). */
const uncertain = new Set([
  'SYSTEM_ERROR',
  'BANK_ERROR',
  'FREQUENCY_LIMITED',
  'FREQUENCY_LIMIT_EXCEED',
  'RATELIMIT_EXCEEDED',
])
/** Definite, though they come with 500. */
const certainIn500 = new Set(['OPENID_MISMATCH', 'INVALID_TRANSACTIONID'])

/** Spellings without underscores occur. */
const spellings = new Map(
  [
    ...['ORDER_NOT_EXIST', 'RESOURCE_NOT_EXISTS', 'ORDER_CLOSED', 'SYSTEM_ERROR', 'BANK_ERROR'],
    ...['NOT_ENOUGH', 'SIGN_ERROR'],
  ].map((code) => [code.replaceAll('_', ''), code]),
)

export interface WechatClient {
  keys: WechatKeys
  /** @param path as it goes over the wire: encoded, with its query */
  call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<WechatAnswer>
}

/** Talks to WeChat: signs requests, and believes an answer only when its signature is WeChat's. */
export function createWechatClient(settings: WechatSettings): WechatClient {
  const privateKey = createPrivateKey(settings.privateKeyPem)

  const send = async (method: 'GET' | 'POST', path: string, body: string) => {
    const serial = keys.preferred()
    const response = await fetch(settings.baseUrl + path, {
      method,
      headers: {
        accept: 'application/json',
        'user-agent': 'chairside/1',
        authorization: authorization({ method, path, body }, settings, privateKey, new Date()),
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
        ...(serial === undefined ? {} : { 'wechatpay-serial': serial }),
      },
      ...(method === 'POST' ? { body } : {}),
      // A signature is for one address.
      redirect: 'error',
      signal: AbortSignal.timeout(settings.timeoutMs),
    })
    return { serial, response, raw: Buffer.from(await response.arrayBuffer()) }
  }

  const keys = createWechatKeys(settings.platformKeys, settings.apiV3Key, async () => {
    const { response, raw } = await send('GET', '/v3/certificates', '')
    return response.ok ? proofOf(response.headers, raw) : undefined
  })

  return {
    keys,
    async call(method, path, body) {
      try {
        const { serial, response, raw } = await send(
          method,
          path,
          body === undefined ? '' : JSON.stringify(body),
        )
        if (!response.ok) return readError(response.status, raw)
        if (!(await keys.isAuthentic(proofOf(response.headers, raw), new Date(), serial)))
          return { kind: 'unknown', reason: 'the answer is not signed by WeChat' }
        return { kind: 'answer', json: raw.length === 0 ? null : JSON.parse(raw.toString()) }
      } catch (error) {
        return { kind: 'unknown', reason: error instanceof Error ? error.message : String(error) }
      }
    },
  }
}

const proofOf = (headers: Headers, body: Buffer): Proof => ({
  serial: headers.get('wechatpay-serial') ?? '',
  timestamp: headers.get('wechatpay-timestamp') ?? '',
  nonce: headers.get('wechatpay-nonce') ?? '',
  signature: headers.get('wechatpay-signature') ?? '',
  body,
})

/** Error answers are not signed: only the codes that WeChat documents as definite are taken for a refusal. */
function readError(status: number, raw: Buffer): WechatAnswer {
  const error = ErrorBody.safeParse(JSON.parse(raw.toString()))
  if (!error.success) return { kind: 'unknown', reason: `HTTP ${status}` }
  const { message } = error.data
  const code = spellings.get(error.data.code) ?? error.data.code
  const isUncertain =
    uncertain.has(code) || status === 429 || (status >= 500 && !certainIn500.has(code)) || status < 400
  return isUncertain ? { kind: 'unknown', reason: code } : { kind: 'refused', status, code, message }
}
