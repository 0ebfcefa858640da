import {
  isMerchantMode,
  type Endpoint,
  type InputOf,
  type listOrders,
  type OrderRow,
  type SessionUser,
  type sumOrders,
} from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import { useMemo, useState } from 'react'
import type { AddressState } from '../kit/address.ts'
import { useRead } from '../kit/call.ts'
import { DeviceLink } from '../kit/device-link.tsx'
import { useTexts } from '../kit/language.tsx'
import { lazyDialog } from '../kit/lazy-part.tsx'
import { ListScreen } from '../kit/list-screen.tsx'
import { ReadSum } from '../kit/read-sum.tsx'
import { useUser } from '../kit/user.ts'
import { OrderActions } from './order-actions.tsx'
import { OrderStatusTag } from './order-status-tag.tsx'
import { filtersFrom } from './order-filters.ts'
import { RefundDialog } from './lazy-refund-dialog.ts'

const OrderDetails = lazyDialog(() => import('./order-details.tsx').then((module) => module.OrderDetails))

interface Props {
  title: TextKey
  list: typeof listOrders | Endpoint
  sum: typeof sumOrders | Endpoint
  /** The year of orders that an address without a year means: asked for by name, since pages outlive years. */
  newestYear: number
}

/** Merchants ask for their own; agents' own id narrows nothing, so it is left out (spec 1 §6). */
function ownOrders(state: AddressState, user: SessionUser): Record<string, unknown> {
  if (isMerchantMode(user.type)) return { merchantid: user.merchantId }
  return state['merchantid'] === String(user.merchantId) ? { merchantid: undefined } : {}
}

/** Left to the details, so that a screen of 1440 shows all others; what was bought mostly tells its minutes. */
const optionalColumns = ['duration', 'payId', 'channelAccount', 'address', 'merchantUserId']
/** The status says it too. */
const hiddenColumns = ['finished']
/** A merchant's own name says nothing to it. */
const hiddenFromMerchants = [...hiddenColumns, 'merchantName', 'merchantUserId']
const widths = {
  merchantName: 138,
  status: 136,
  deviceSid: 98,
  goodsName: 130,
  payChannel: 116,
  payId: 272,
  actions: 136,
}

const draw = {
  status: (order: OrderRow) => <OrderStatusTag order={order} />,
  deviceSid: ({ deviceSid }: OrderRow) => <DeviceLink deviceId={deviceSid} />,
}

/** The list of orders, of this year and of earlier ones, for merchants and for agents. */
export function OrderList({ title, list, sum, newestYear }: Props) {
  const user = useUser()
  const isMerchant = isMerchantMode(user.type)
  const [shown, setShown] = useState<string | null>(null)
  const [refunding, setRefunding] = useState<OrderRow | null>(null)
  const filters = useMemo(() => filtersFrom(newestYear), [newestYear])
  return (
    <>
      <ListScreen<OrderRow & Record<string, unknown>>
        title={title}
        emptyText={{ hint: 'console.orders.noneHint' }}
        endpoint={list as never}
        filters={filters}
        rowKey="orderId"
        optionalColumns={optionalColumns}
        hiddenColumns={isMerchant ? hiddenFromMerchants : hiddenColumns}
        widths={widths}
        draw={draw}
        fixed={(state) => ({ year: state['year'] ?? newestYear, ...ownOrders(state, user) })}
        totals={(input) => <TotalIncome sum={sum as Endpoint} input={input} />}
        onOpen={(order) => setShown(order.orderId)}
        {...(isMerchant
          ? { actions: (order) => <OrderActions order={order} onRefund={setRefunding} /> }
          : {})}
      />
      {/* Not in its row, which may leave the page while somebody writes. */}
      {refunding && (
        <RefundDialog key={refunding.orderId} order={refunding} onClose={() => setRefunding(null)} />
      )}
      {shown !== null && <OrderDetails key={shown} orderId={shown} onClose={() => setShown(null)} />}
    </>
  )
}

function TotalIncome({ sum, input }: { sum: Endpoint; input: Record<string, unknown> }) {
  const say = useTexts()
  const read = useRead(sum, input as InputOf<Endpoint>)
  return (
    <span aria-live="polite">
      {say('console.list.totalIncome')} <ReadSum read={read} />
    </span>
  )
}
