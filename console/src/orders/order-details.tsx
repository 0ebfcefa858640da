import { deviceOrderPrefix, getOrder, orderColumns, type OrderRow } from '@chairside/contract'
import { Drawer } from 'antd'
import { useState } from 'react'
import { useRead } from '../kit/call.ts'
import { drawCell } from '../kit/cell.tsx'
import { DeviceLink } from '../kit/device-link.tsx'
import { Facts } from '../kit/facts.tsx'
import { useLanguage, useTextOf, useTexts } from '../kit/language.tsx'
import { ReadState } from '../kit/read-state.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderStory } from './order-story.tsx'
import { RefundDialog } from './lazy-refund-dialog.ts'
import { useAboveThePage } from '../kit/above-the-page.ts'

/** What only the use of a device has. */
const ofUses: ReadonlySet<string> = new Set(['finished', 'deviceSid', 'address', 'duration'])
const columnsOf = ({ orderId }: OrderRow) =>
  orderColumns.filter(({ field }) => orderId.startsWith(deviceOrderPrefix) || !ofUses.has(field))

/** Everything of one order, what can be done with it, and its whole story. */
export function OrderDetails({ orderId, onClose }: { orderId: string; onClose: () => void }) {
  const say = useTexts()
  useAboveThePage(onClose)
  const textOf = useTextOf()
  const { language } = useLanguage()
  const read = useRead(getOrder, { orderId })
  const order = read.data
  const [refunding, setRefunding] = useState<OrderRow | null>(null)
  return (
    <Drawer
      open
      onClose={onClose}
      size={560}
      title={orderId}
      closable={{ 'aria-label': say('console.form.close') }}
    >
      <ReadState read={read}>
        {order && (
          <>
            <div className="row-actions">
              <OrderActions order={order} onRefund={setRefunding} />
            </div>
            <Facts
              facts={columnsOf(order).map((column) => [
                textOf(column.text),
                column.field === 'deviceSid' ? (
                  <DeviceLink key="device" deviceId={order.deviceSid} onLeave={onClose} />
                ) : (
                  drawCell(column, order[column.field as keyof typeof order], language)
                ),
              ])}
            />
            <h2>{say('console.orders.timeline')}</h2>
            <OrderStory steps={order.timeline} />
          </>
        )}
      </ReadState>
      {refunding && <RefundDialog order={refunding} onClose={() => setRefunding(null)} />}
    </Drawer>
  )
}
