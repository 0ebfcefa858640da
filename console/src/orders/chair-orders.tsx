import {
  formatYuan,
  isMerchantMode,
  listOrders,
  orderColumns,
  sumOrders,
  type OrderRow,
} from '@chairside/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../kit/call.ts'
import { drawCell, isNumeric } from '../kit/cell.tsx'
import { DataTable, type TableColumn } from '../kit/data-table.tsx'
import { EmptyNotice } from '../kit/empty-notice.tsx'
import { Figure } from '../kit/figure.tsx'
import { formatCount, platformDay } from '../kit/formats.ts'
import { useLanguage, useTextOf, useTexts } from '../kit/language.tsx'
import { lazyDialog } from '../kit/lazy-part.tsx'
import { useNarrow } from '../kit/narrow.ts'
import { orderListOf } from '../kit/order-lists.ts'
import { PartFailure, ReadState } from '../kit/read-state.tsx'
import { RecordCards } from '../kit/record-cards.tsx'
import { useMay, useUser } from '../kit/user.ts'
import { RefundDialog } from './lazy-refund-dialog.ts'
import { OrderActions } from './order-actions.tsx'
import { OrderStatusTag } from './order-status-tag.tsx'

const OrderDetails = lazyDialog(() => import('./order-details.tsx').then((module) => module.OrderDetails))

/** What is shown of an order, in pixels. */
const widths = { orderId: 200, orderTime: 170, status: 120, goodsName: 160, orderFee: 90, actualFee: 90 }
const lastOrders = 10
/** On a phone each is a card. */
const lastOrdersNarrow = 5

/** What a chair brought today and this month, and its last orders; nothing for who may not see orders. */
export function ChairOrders({ deviceId }: { deviceId: string }) {
  const may = useMay()
  return may('order.list') ? <OwnOrders deviceId={deviceId} /> : null
}

function OwnOrders({ deviceId }: { deviceId: string }) {
  const say = useTexts()
  const today = platformDay()
  return (
    <>
      <section className="figures" aria-label={say('console.home.today')}>
        <IncomeSince name={say('console.home.incomeToday')} deviceId={deviceId} from={today} to={today} />
        <IncomeSince
          name={say('orders.ofChair.incomeThisMonth')}
          deviceId={deviceId}
          from={`${today.slice(0, 8)}01`}
          to={today}
        />
      </section>
      <LastOrders deviceId={deviceId} />
    </>
  )
}

/** Orders of one chair, as the list of orders takes them. */
function useOrdersOf(deviceId: string) {
  const { type, merchantId } = useUser()
  const year = Number(platformDay().slice(0, 4))
  return {
    filters: { devicesid: deviceId, ...(isMerchantMode(type) ? { merchantid: merchantId } : {}) },
    list: orderListOf(year, type),
  }
}

interface IncomeProps {
  name: string
  deviceId: string
  from: string
  to: string
}

/** Income of the orders of some days, and how many they are; leads to them. */
function IncomeSince({ name, deviceId, from, to }: IncomeProps) {
  const say = useTexts()
  const { language } = useLanguage()
  const { filters, list } = useOrdersOf(deviceId)
  const days = { startdate: from, enddate: to }
  const income = useRead(sumOrders, { ...filters, ...days })
  const orders = useRead(listOrders, { ...filters, ...days, pagesize: 1, pagenum: 1 })
  const count = orders.data?.total
  const failed = [income, orders].filter((read) => read.isError && read.data === undefined)
  if (failed.length > 0) {
    const refetch = () => failed.forEach((read) => void read.refetch())
    return (
      <div className="panel figure-panel">
        <span className="hint">{name}</span>
        <PartFailure read={{ error: failed[0]?.error ?? null, refetch }} />
      </div>
    )
  }
  return (
    <Figure
      name={name}
      value={income.data === undefined ? '…' : formatYuan(income.data)}
      hint={count === undefined ? '…' : say('orders.ofChair.orders', { count: formatCount(count, language) })}
      to={list.to}
      search={{ ...list.search, devicesid: deviceId, ...days }}
    />
  )
}

function LastOrders({ deviceId }: { deviceId: string }) {
  const say = useTexts()
  const textOf = useTextOf()
  const { language } = useLanguage()
  const narrow = useNarrow()
  const { filters, list } = useOrdersOf(deviceId)
  const read = useRead(listOrders, {
    ...filters,
    pagesize: narrow ? lastOrdersNarrow : lastOrders,
    pagenum: 1,
  })
  const [shown, setShown] = useState<string | null>(null)
  const [refunding, setRefunding] = useState<OrderRow | null>(null)
  const columns = orderColumns.flatMap((column): TableColumn<OrderRow>[] => {
    const field = column.field as keyof typeof widths
    if (!(field in widths)) return []
    const draw = (order: OrderRow) =>
      field === 'status' ? (
        <OrderStatusTag order={order} />
      ) : (
        drawCell(
          column,
          order[field],
          language,
          field === 'orderId' ? () => setShown(order.orderId) : undefined,
        )
      )
    return [
      {
        key: field,
        title: textOf(column.text),
        width: widths[field],
        isNumeric: isNumeric(column),
        isOneLine: column.kind === 'text',
        draw,
      },
    ]
  })
  const actions = (order: OrderRow) => <OrderActions order={order} onRefund={setRefunding} />
  const keyOf = ({ orderId }: OrderRow) => orderId
  const rows = read.data?.list ?? []
  const title = say('orders.ofChair.last')
  const { type } = useUser()
  const withActions: TableColumn<OrderRow>[] = isMerchantMode(type)
    ? [
        ...columns,
        {
          key: 'actions',
          title: say('console.list.actions'),
          width: 150,
          draw: (order) => <div className="row-actions">{actions(order)}</div>,
        },
      ]
    : columns
  return (
    <section>
      <h2>{title}</h2>
      <ReadState read={read} empty={rows.length === 0 ? <EmptyNotice /> : undefined}>
        {narrow ? (
          <RecordCards columns={columns} rows={rows} keyOf={keyOf} hasValue={() => true} actions={actions} />
        ) : (
          <DataTable label={title} columns={withActions} rows={rows} keyOf={keyOf} />
        )}
      </ReadState>
      <p>
        <Link to={list.to as '/'} search={{ ...list.search, devicesid: deviceId } as never}>
          {say('orders.ofChair.all')}
        </Link>
      </p>
      {refunding && (
        <RefundDialog key={refunding.orderId} order={refunding} onClose={() => setRefunding(null)} />
      )}
      {shown !== null && <OrderDetails key={shown} orderId={shown} onClose={() => setShown(null)} />}
    </section>
  )
}
