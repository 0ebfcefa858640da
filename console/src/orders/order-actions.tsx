import {
  deviceOrderPrefix,
  formatYuan,
  isMerchantMode,
  orderCan,
  orderStatuses,
  startOrder,
  type OrderRow,
} from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import { App } from 'antd'
import { ActionButton } from '../kit/action-button.tsx'
import { useChange } from '../kit/call.ts'
import { useConfirm } from '../kit/confirm.ts'
import { useTexts } from '../kit/language.tsx'
import { useMay, useUser } from '../kit/user.ts'

/** Refund and start of an order (spec 1 §6): only in merchant mode, only device orders, only with the key. */
export function OrderActions({ order, onRefund }: { order: OrderRow; onRefund: (order: OrderRow) => void }) {
  const say = useTexts()
  const user = useUser()
  const may = useMay()
  const start = useStart()
  if (!isMerchantMode(user.type) || !order.orderId.startsWith(deviceOrderPrefix)) return null
  const whyNoRefund = whyNotRefunded(order)
  const whyNoStart = whyNotStarted(order)
  return (
    <>
      {may('order.refund') && (
        <ActionButton
          danger
          disabledBecause={whyNoRefund && say(whyNoRefund)}
          onClick={() => onRefund(order)}
        >
          {say('console.orders.refund')}
        </ActionButton>
      )}
      {may('order.start') && (
        <ActionButton disabledBecause={whyNoStart && say(whyNoStart)} onClick={() => void start(order)}>
          {say('console.orders.start')}
        </ActionButton>
      )}
    </>
  )
}

function whyNotRefunded(order: OrderRow): TextKey | undefined {
  if (!orderCan.refund(order)) return 'console.orders.cannotRefund'
  return order.actualFee === 0 ? 'console.orders.nothingToRefund' : undefined
}

function whyNotStarted(order: OrderRow): TextKey | undefined {
  if (!orderCan.start(order)) return 'console.orders.cannotStart'
  // A chair that stops before its time leaves this state, and then the rest can be started.
  if (order.status === orderStatuses.running) return 'console.orders.startRuns'
  return order.finished ? 'refusals.nothingLeftToDeliver' : undefined
}

function useStart(): (order: OrderRow) => Promise<void> {
  const say = useTexts()
  const confirm = useConfirm()
  const { message } = App.useApp()
  const start = useChange(startOrder, true)
  return async ({ orderId, deviceSid: device, status, orderFee }) => {
    const started = await confirm({
      title: say('console.orders.startTitle'),
      explain:
        status === orderStatuses.unpaid
          ? say('console.orders.startUnpaidExplain', { id: orderId, device, amount: formatYuan(orderFee) })
          : say('console.orders.startExplain', { id: orderId, device }),
      doText: say('console.orders.start'),
      act: () => start.mutateAsync({ orderId }),
    })
    if (started) void message.success(say('console.orders.started'))
  }
}
