import type {
  DataOf,
  Envelope,
  cancelPayOrder,
  placeOrder,
  showPayOrder,
  showPayPage,
  stopPayOrder,
} from '@chairside/contract'
import type { PageLanguage } from './language.ts'

export type PayPage = DataOf<typeof showPayPage>
export type PayOrder = DataOf<typeof showPayOrder>
export type Goods = PayPage['goods'][number]
export type Placed = DataOf<typeof placeOrder>

/** The server refused; the message is in the page's language. */
export class Refused extends Error {
  readonly code: string
  /** Only for the moment: too many calls, or the server is not itself. */
  readonly isPassing: boolean
  /** What was asked for has ended: the same request again is the same refusal. */
  readonly hasEnded: boolean
  constructor({ resultCode, message, data }: Envelope<unknown>, status: number) {
    super(message)
    this.code = resultCode
    this.isPassing = status !== 200
    this.hasEnded = typeof data === 'object' && data !== null && 'ended' in data
  }
}

const answerTimeoutMs = 15_000
/** The server asks the payment provider up to four times, which may be silent for 8 s each. */
const providerTimeoutMs = 35_000

async function call<Data>(
  language: PageLanguage,
  path: string,
  body?: unknown,
  timeoutMs = answerTimeoutMs,
): Promise<Data> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), timeoutMs)
  try {
    const response = await fetch(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'accept-language': language,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      credentials: 'same-origin',
      signal: abort.signal,
    })
    const envelope = (await response.json()) as Envelope<Data>
    if (!envelope.success) throw new Refused(envelope, response.status)
    return envelope.data
  } finally {
    clearTimeout(timer)
  }
}

export const api = {
  page: (language: PageLanguage, deviceId: string) =>
    call<DataOf<typeof showPayPage>>(language, `/api/pay/devices/${encodeURIComponent(deviceId)}`),
  place: (
    language: PageLanguage,
    wanted: {
      deviceId: string
      goodsId: number
      payWay: 'jsapi' | 'native'
      requestKey: string
      priceCents: number
      durationMinutes: number
    },
  ) => call<DataOf<typeof placeOrder>>(language, '/api/pay/orders', wanted, providerTimeoutMs),
  order: (language: PageLanguage, orderId: string) =>
    call<DataOf<typeof showPayOrder>>(language, `/api/pay/orders/${orderId}`),
  stop: (language: PageLanguage, orderId: string) =>
    call<DataOf<typeof stopPayOrder>>(language, `/api/pay/orders/${orderId}/stop`, {}),
  cancel: (language: PageLanguage, orderId: string) =>
    call<DataOf<typeof cancelPayOrder>>(language, `/api/pay/orders/${orderId}/cancel`, {}, providerTimeoutMs),
}
