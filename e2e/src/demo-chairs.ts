import type { DemoCall } from './demo-calls.ts'

interface ListedChair {
  id: number
  deviceId: string
}

/** The chairs from a part of the list on, and then the others. */
function startingAt(chairs: readonly ListedChair[], from: 'beginning' | 'middle' | 'end'): ListedChair[] {
  if (from === 'end') return chairs.toReversed()
  const first = from === 'middle' ? Math.floor(chairs.length / 2) : 0
  return [...chairs.slice(first), ...chairs.slice(0, first)]
}

/**
 * A chair of the merchant that can be bought now. The tests of orders take theirs from the beginning of the list, those
 * that command chairs from its middle, and those that change what is sold from its end.
 */
export async function chairForSale(
  call: DemoCall,
  from: 'beginning' | 'middle' | 'end' = 'beginning',
): Promise<ListedChair> {
  const until = Date.now() + 40_000
  while (Date.now() < until) {
    const { list } = await call<{ list: ListedChair[] }>(
      'GET',
      '/api/devices?pagesize=0&status=1&associated=1&locked=0',
    )
    for (const chair of startingAt(list, from)) {
      const { state } = await call<{ state: string }>('GET', `/api/pay/devices/${chair.deviceId}`)
      if (state === 'ready') return chair
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error('no chair of the merchant can be bought')
}
