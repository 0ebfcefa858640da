import { applyRefund, formatYuan, type OrderRow } from '@chairside/contract'
import { useState } from 'react'
import { FormDialog } from '../kit/form-dialog.tsx'
import { useTexts } from '../kit/language.tsx'
import { RemarkField } from '../kit/remark-field.tsx'

/** Applies for the refund of an order, with a remark (spec 1 §2). */
export function RefundDialog({ order, onClose }: { order: OrderRow; onClose: () => void }) {
  const say = useTexts()
  const [remark, setRemark] = useState('')
  return (
    <FormDialog
      title={say('console.orders.refundTitle', { id: order.orderId })}
      endpoint={applyRefund}
      input={{ orderId: order.orderId, remark }}
      submitText={say('console.orders.refund')}
      danger
      doneText={say('console.orders.applied')}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p>{say('console.orders.refundExplain', { amount: formatYuan(order.actualFee) })}</p>
          <RemarkField
            endpoint={applyRefund}
            name="remark"
            label={say('console.orders.remark')}
            value={remark}
            error={errors['remark']}
            autoFocus
            onChange={setRemark}
          />
        </>
      )}
    </FormDialog>
  )
}
