import type { PayPageDevice, PayPageOrder } from '@chairside/contract'
import type { Page, Route } from 'playwright-core'
import { inject } from 'vitest'

/** Ten minutes that have just begun. */
export const order: PayPageOrder = {
  orderId: 'KT2611221200000000001',
  deviceId: 'G100',
  status: '4',
  phase: 'running',
  hasStarted: true,
  goodsName: '十分钟',
  goodsNameEn: 'Ten minutes',
  priceCents: 500,
  refundedCents: 0,
  durationMinutes: 10,
  endsAt: new Date(Date.now() + 600_000).toISOString(),
  remainingSeconds: 600,
  stopping: false,
  stoppable: true,
  workMode: 0,
  merchantName: 'The spa',
  servicePhone: '021',
}
const goods = { name: '十分钟', nameEn: 'Ten minutes', priceCents: 500, durationMinutes: 10, instock: -1 }
export const chair: PayPageDevice = {
  deviceId: 'G100',
  deviceName: 'One',
  state: 'ready',
  merchantName: 'The spa',
  placeAddress: 'The hall',
  servicePhone: '021',
  opensAt: '',
  sellsFrom: '',
  frontLang: 3,
  bannerPicture: '',
  bannerUrl: '',
  bannerStyle: {},
  successText: '',
  successUrl: '',
  sleepPrompt: '',
  goods: [{ id: 1, ...goods, freeFirst: false, memberOnly: false, workMode: 0, picture: '' }],
  order: null,
  pay: null,
  wechatSignInUrl: '',
}

export type Answer =
  | { data: unknown }
  | { refused: string; code?: string; status?: number; data?: unknown }
  | 'lost connection'

/** What the played server says at the moment; tests change it. */
export interface Played {
  chair: Answer
  order: Answer
  place: Answer
  stop: Answer
  /** The calls so far, each with what was sent. */
  calls: { path: string; body: Record<string, unknown> }[]
}

function answer(route: Route, said: Answer): Promise<void> {
  if (said === 'lost connection') return route.abort('internetdisconnected')
  const json =
    'refused' in said
      ? { success: false, resultCode: said.code ?? '107', message: said.refused, data: said.data ?? null }
      : { success: true, resultCode: '000', message: '', data: said.data }
  return route.fulfill({ status: ('status' in said && said.status) || 200, json })
}

/** Takes a phone to the page of a chair whose server is played. */
export async function openPlayed(phone: Page, first: Partial<Played> = {}): Promise<Played> {
  const played: Played = {
    chair: { data: chair },
    order: { data: order },
    place: { data: { order, pay: { kind: 'none' } } },
    stop: { data: { ...order, stopping: true } },
    calls: [],
    ...first,
  }
  await phone.route('**/api/pay/**', (route) => {
    const { pathname } = new URL(route.request().url())
    played.calls.push({
      path: pathname,
      body: (route.request().postDataJSON() ?? {}) as Record<string, unknown>,
    })
    if (pathname.includes('/devices/')) return answer(route, played.chair)
    if (pathname.endsWith('/stop')) return answer(route, played.stop)
    return answer(route, pathname.endsWith('/orders') ? played.place : played.order)
  })
  await phone.goto(`${inject('demo').url}/d/G100`)
  return played
}

/** The order runs on the chair. */
export const running: Answer = { data: { ...chair, state: 'running', order } }
