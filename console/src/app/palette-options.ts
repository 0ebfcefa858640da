import { formatYuan, isMerchantMode, type Found, type SessionUser } from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import { formatDateTime, platformYear } from '../kit/formats.ts'

/** Something that the palette leads to. */
export interface PaletteOption {
  key: string
  group: TextKey
  name: string
  hint: string
  to: string
  search: Record<string, string>
}

const withDots = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(' · ')

/** Orders of this year stand in the list of orders, earlier ones in the history. */
function orderOption(
  order: Found['orders'][number],
  { type }: SessionUser,
  textOf: (key: string) => string,
): PaletteOption {
  const { orderId, year, status, orderFee, merchantName, orderTime } = order
  const ofThisYear = isMerchantMode(type) ? '/orders' : '/agentorder'
  const isOfThisYear = year === platformYear()
  return {
    key: `order ${orderId}`,
    group: 'console.palette.orders',
    name: orderId,
    hint: withDots(
      textOf(`orders.status.${status}`),
      formatYuan(orderFee),
      merchantName,
      formatDateTime(orderTime),
    ),
    to: isOfThisYear ? ofThisYear : '/historyorder',
    search: { ...(isOfThisYear ? {} : { year: String(year) }), orderid: orderId },
  }
}

/** What was found, each with the screen that shows it. */
export const optionsOf = (
  { orders, devices, organisations }: Found,
  user: SessionUser,
  textOf: (key: string) => string,
): PaletteOption[] => [
  ...orders.map((order) => orderOption(order, user, textOf)),
  ...devices.map(({ deviceId, name, merchantName, placeAddress }) => ({
    key: `device ${deviceId}`,
    group: 'console.palette.devices' as const,
    name: deviceId,
    hint: withDots(name, merchantName, placeAddress),
    to: '/devices',
    search: { deviceid: deviceId },
  })),
  ...organisations.map(({ id, name, userId, chain }) => ({
    key: `organisation ${id}`,
    group: 'console.palette.organisations' as const,
    name,
    hint: withDots(userId, chain.map((above) => above.name).join(' › ')),
    to: '/merchants',
    search: { userid: userId },
  })),
]
