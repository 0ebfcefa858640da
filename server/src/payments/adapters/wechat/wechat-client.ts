import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import type { WechatSettings } from './wechat-settings.ts'
import { authorization, isSignedBy, openResource } from './wechat-signing.ts'

/** WeChat refuses what is older than this, and so do we. */
export const clockToleranceSeconds = 300

/** A definite answer of WeChat, or `unknown` when nothing certain came. */
export type WechatAnswer =
  | { kind: 'answer'; json: unknown }
  | { kind: 'refused'; status: number; code: string; message: string }
  | { kind: 'unknown'; reason: string }

const ErrorBody = z.object({ code: z.string(), message: z.string().default('') })

const Certificates = z.object({
  data: z.array(
    z.object({
      serial_no: z.string(),
      encrypt_certificate: z.object({
        nonce: z.string(),
        associated_data: z.string(),
        ciphertext: z.string(),
      }),
    }),
  ),
})

/** Codes after which nothing is certain, or that only ask to come back later (reference tables of orders and refunds). */
const transient = new Set(['SYSTEM_ERROR', 'BANK_ERROR', 'FREQUENCY_LIMITED', 'RATELIMIT_EXCEEDED'])

export interface WechatClient {
  call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<WechatAnswer>
  /** WeChat's public key of a serial; looks for new certificates once when it is not known. */
  platformKey(serial: string): Promise<string | undefined>
}

/** Talks to WeChat: signs requests, and believes an answer only when its signature is WeChat's. */
export function createWechatClient(settings: WechatSettings): WechatClient {
  const keys = new Map(Object.entries(settings.platformKeys))

  const send = async (method: 'GET' | 'POST', path: string, body: string) => {
    const response = await fetch(settings.baseUrl + path, {
      method,
      headers: {
        accept: 'application/json',
        'user-agent': 'chairside/1',
        authorization: authorization({ method, path, body }, settings, new Date()),
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
        ...(keys.size > 0 ? { 'wechatpay-serial': [...keys.keys()][0] ?? '' } : {}),
      },
      ...(method === 'POST' ? { body } : {}),
      signal: AbortSignal.timeout(settings.timeoutMs),
    })
    return { response, raw: Buffer.from(await response.arrayBuffer()) }
  }

  const refreshKeys = async (): Promise<void> => {
    const { response, raw } = await send('GET', '/v3/certificates', '')
    if (!response.ok) return
    // The certificates themselves are sealed with our APIv3 key, which proves where they are from.
    for (const { serial_no, encrypt_certificate } of Certificates.parse(JSON.parse(raw.toString())).data) {
      const pem = openResource(settings.apiV3Key, encrypt_certificate)
      keys.set(
        serial_no,
        pem.includes('BEGIN CERTIFICATE')
          ? new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'pem' }).toString()
          : pem,
      )
    }
  }

  const platformKey = async (serial: string): Promise<string | undefined> => {
    if (!keys.has(serial)) await refreshKeys().catch(() => undefined)
    return keys.get(serial)
  }

  const isAuthentic = async (headers: Headers, raw: Buffer): Promise<boolean> => {
    const key = await platformKey(headers.get('wechatpay-serial') ?? '')
    const timestamp = headers.get('wechatpay-timestamp') ?? ''
    const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) < clockToleranceSeconds
    return (
      key !== undefined &&
      isFresh &&
      isSignedBy(key, {
        timestamp,
        nonce: headers.get('wechatpay-nonce') ?? '',
        body: raw,
        signature: headers.get('wechatpay-signature') ?? '',
      })
    )
  }

  return {
    platformKey,
    async call(method, path, body) {
      try {
        const { response, raw } = await send(method, path, body === undefined ? '' : JSON.stringify(body))
        if (response.ok) {
          if (!(await isAuthentic(response.headers, raw)))
            return { kind: 'unknown', reason: 'the answer is not signed by WeChat' }
          return { kind: 'answer', json: raw.length === 0 ? null : JSON.parse(raw.toString()) }
        }
        const error = ErrorBody.safeParse(JSON.parse(raw.toString()))
        if (!error.success) return { kind: 'unknown', reason: `HTTP ${response.status}` }
        const { code, message } = error.data
        if (response.status >= 500 || response.status === 429 || transient.has(code))
          return { kind: 'unknown', reason: code }
        return { kind: 'refused', status: response.status, code, message }
      } catch (error) {
        return { kind: 'unknown', reason: error instanceof Error ? error.message : String(error) }
      }
    },
  }
}
