import {
  applyRefund,
  deviceOrderPrefix,
  formatYuan,
  isMerchantMode,
  orderCan,
  refundRemarkMax,
  startOrder,
  type OrderRow,
} from '@chairside/contract'
import { App, Input } from 'antd'
import { useState } from 'react'
import { useMay, useUser } from '../kit/user.ts'
import { ActionButton } from '../kit/action-button.tsx'
import { useChange } from '../kit/call.ts'
import { FormDialog, FormField } from '../kit/form-dialog.tsx'
import { useTexts } from '../kit/language.tsx'

/** Refund and start of an order (spec 1 §6): only in merchant mode, only device orders, only with the key. */
export function OrderActions({ order, onDetails }: { order: OrderRow; onDetails: () => void }) {
  const say = useTexts()
  const user = useUser()
  const may = useMay()
  const start = useStart()
  const [refunding, setRefunding] = useState(false)
  const isDeviceOrder = order.orderId.startsWith(deviceOrderPrefix)
  const offered = isMerchantMode(user.type) && isDeviceOrder
  return (
    <>
      <ActionButton onClick={onDetails}>{say('console.list.details')}</ActionButton>
      {offered && may('order.refund') && (
        <ActionButton
          danger
          disabledBecause={orderCan.refund(order) ? undefined : say('console.orders.cannotRefund')}
          onClick={() => setRefunding(true)}
        >
          {say('console.orders.refund')}
        </ActionButton>
      )}
      {offered && may('order.start') && (
        <ActionButton
          disabledBecause={
            orderCan.start(order) && !order.finished ? undefined : say('console.orders.cannotStart')
          }
          onClick={() => start(order)}
        >
          {say('console.orders.start')}
        </ActionButton>
      )}
      {refunding && <RefundDialog order={order} onClose={() => setRefunding(false)} />}
    </>
  )
}

function useStart(): (order: OrderRow) => void {
  const say = useTexts()
  const { modal, message } = App.useApp()
  const start = useChange(startOrder)
  return (order) => {
    const { orderId: id, deviceSid: device } = order
    void modal.confirm({
      title: say('console.orders.startTitle'),
      content:
        order.status === '1'
          ? say('console.orders.startUnpaidExplain', { id, device, amount: formatYuan(order.orderFee) })
          : say('console.orders.startExplain', { id, device }),
      okText: say('console.orders.start'),
      cancelText: say('console.form.cancel'),
      onOk: async () => {
        try {
          await start.mutateAsync({ orderId: id })
          void message.success(say('console.orders.started'))
        } catch (error) {
          void message.error(say('console.form.failed', { reason: (error as Error).message }))
        }
      },
    })
  }
}

function RefundDialog({ order, onClose }: { order: OrderRow; onClose: () => void }) {
  const say = useTexts()
  const apply = useChange(applyRefund)
  const [remark, setRemark] = useState('')
  return (
    <FormDialog
      title={say('console.orders.refundTitle', { id: order.orderId })}
      submitText={say('console.orders.refund')}
      danger
      doneText={say('console.orders.applied')}
      submit={() => apply.mutateAsync({ orderId: order.orderId, remark })}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p>{say('console.orders.refundExplain', { amount: formatYuan(order.actualFee) })}</p>
          <FormField name="remark" label={say('console.orders.remark')} error={errors['remark']}>
            {(attributes) => (
              <Input.TextArea
                {...attributes}
                autoFocus
                rows={3}
                maxLength={refundRemarkMax}
                showCount
                value={remark}
                onChange={(event) => setRemark(event.target.value)}
              />
            )}
          </FormField>
        </>
      )}
    </FormDialog>
  )
}
