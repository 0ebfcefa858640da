import type { DemoCall } from './demo-calls.ts'

interface ListedChair {
  id: number
  deviceId: string
  /** What it sells at night, where that is something else. */
  sleepTemplateName: string | null
}

/** What chairs are taken for, by the last digit of their ids: tests that run beside each other take different ones. */
const takenFor = {
  journey: [0],
  payPage: [1, 2, 3],
  commands: [4, 5],
  orders: [6],
  goods: [7, 8],
  locks: [9],
} as const

export type ChairUse = keyof typeof takenFor

/** Whether a chair is one of those that are taken for something. */
export function isTakenFor(use: ChairUse, deviceId: string): boolean {
  const digits: readonly number[] = takenFor[use]
  return digits.includes(Number(deviceId.at(-1)))
}

/**
 * A chair of the merchant that can be bought now and sells the same at any hour. Only when none of its own can does a test
 * take one of another's.
 */
export async function chairForSale(call: DemoCall, use: ChairUse): Promise<ListedChair> {
  const until = Date.now() + 60_000
  while (Date.now() < until) {
    const { list } = await call<{ list: ListedChair[] }>(
      'GET',
      '/api/devices?pagesize=0&status=1&associated=1&locked=0',
    )
    const alike = list.filter(({ sleepTemplateName }) => sleepTemplateName === null)
    const { own = [], others = [] } = Object.groupBy(alike, ({ deviceId }) =>
      isTakenFor(use, deviceId) ? 'own' : 'others',
    )
    for (const chair of [...own, ...others]) {
      const { state } = await call<{ state: string }>('GET', `/api/pay/devices/${chair.deviceId}`)
      if (state === 'ready') return chair
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error('no chair of the merchant can be bought')
}
