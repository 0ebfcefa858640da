import { formatYuan, type Found, type SessionUser } from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import { formatDateTime } from '../kit/formats.ts'
import { orderListOf } from '../kit/order-lists.ts'

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

function orderOption(
  order: Found['orders'][number],
  { type }: SessionUser,
  textOf: (key: string) => string,
): PaletteOption {
  const { orderId, year, status, orderFee, merchantName, orderTime } = order
  const { to, search } = orderListOf(year, type)
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
    to,
    search: { ...search, orderid: orderId },
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
    to: `/devices/card/${deviceId}`,
    search: {},
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
