import {
  endFailedRefund,
  isMerchantMode,
  listRefunds,
  refundCan,
  refundFilters,
  revealRefundPhone,
  type RefundRow,
} from '@chairside/contract'
import { App } from 'antd'
import { useState, type ReactNode } from 'react'
import { lazyDialog } from '../kit/lazy-part.tsx'
import { useMay, useUser } from '../kit/user.ts'
import { ActionButton } from '../kit/action-button.tsx'
import { call, useChange } from '../kit/call.ts'
import { useConfirm } from '../kit/confirm.ts'
import { DeviceLink } from '../kit/device-link.tsx'
import { Facts } from '../kit/facts.tsx'
import type { FilterDefinition } from '../kit/filter.ts'
import { formatDateTime } from '../kit/formats.ts'
import { useTextOf, useTexts } from '../kit/language.tsx'
import { ListScreen } from '../kit/list-screen.tsx'
import { WholeNumber } from '../kit/whole-number.tsx'
import { useOrderWords } from './order-words.ts'

const AuditDialog = lazyDialog(() => import('./audit-dialog.tsx').then((module) => module.AuditDialog))
const OrderDetails = lazyDialog(() => import('./order-details.tsx').then((module) => module.OrderDetails))

/** Filters of spec 1 §2, "Refunds screen". */
const filters: readonly FilterDefinition[] = [
  {
    name: 'merchantid',
    text: 'console.orders.merchant',
    kind: 'merchant',
    visible: ({ type }) => !isMerchantMode(type),
  },
  { name: 'devicesid', text: 'refunds.field.deviceSid', kind: 'text', maxLength: 20 },
  { name: 'orderid', text: 'refunds.field.orderId', kind: 'text', maxLength: 32, isId: true },
  {
    name: 'status',
    text: 'refunds.field.status',
    kind: 'choice',
    values: refundFilters,
    valueText: 'refunds.filter',
  },
  { name: 'startdate', text: 'console.orders.startDate', kind: 'date' },
  { name: 'enddate', text: 'console.orders.endDate', kind: 'date' },
]

/** An opened row tells them in one sentence. */
const hiddenColumns = ['auditDecision', 'auditor', 'auditTime', 'remark']
/** A merchant's own name says nothing to it. */
const hiddenFromMerchants = [...hiddenColumns, 'merchantName']

const keyOf = ({ id }: RefundRow) => String(id)
const draw = {
  deviceSid: ({ deviceSid }: RefundRow) => <DeviceLink deviceId={deviceSid} />,
  phone: (refund: RefundRow) => (refund.phone === '' ? null : <Phone refund={refund} />),
  reason: (refund: RefundRow) => (refund.reason === '' ? null : <Reason refund={refund} />),
}

/** `/refunds`: what was applied for, what was decided, and what waits for a decision. An order's id opens its story. */
export function RefundsPage() {
  const { type } = useUser()
  const mayOrders = useMay()('order.list')
  const [auditing, setAuditing] = useState<RefundRow | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  return (
    <>
      <ListScreen<RefundRow & Record<string, unknown>>
        title="console.refunds.title"
        emptyText={{ hint: 'console.refunds.noneHint' }}
        endpoint={listRefunds as never}
        filters={filters}
        rowKey="orderId"
        keyOf={keyOf}
        {...(mayOrders ? { onOpen: (refund: RefundRow) => setShown(refund.orderId) } : {})}
        hiddenColumns={isMerchantMode(type) ? hiddenFromMerchants : hiddenColumns}
        optionalColumns={['content', 'reason']}
        widths={{ merchantName: 148, deviceSid: 104, phone: 116, status: 152, actions: 104 }}
        draw={draw}
        actions={(refund) => <RefundActions refund={refund} onAudit={setAuditing} />}
        expanded={(refund) => <RefundStory refund={refund} />}
      />
      {/* Not in its row, which may leave the page while somebody writes. */}
      {auditing && <AuditDialog key={auditing.id} refund={auditing} onClose={() => setAuditing(null)} />}
      {shown !== null && <OrderDetails key={shown} orderId={shown} onClose={() => setShown(null)} />}
    </>
  )
}

function RefundStory({ refund }: { refund: RefundRow }) {
  const say = useTexts()
  const facts = [
    [say('refunds.field.phone'), draw.phone(refund)],
    [say('refunds.field.content'), refund.content],
    [say('refunds.field.auditResult'), <Decision key="decision" refund={refund} />],
    [say('refunds.field.remark'), refund.remark],
    [say('refunds.field.reason'), draw.reason(refund)],
  ] as const
  return <Facts facts={facts} />
}

/** The number in part, which is of no use to copy, and the way to the whole one. */
function Phone({ refund: { id, phone } }: { refund: RefundRow }): ReactNode {
  return <WholeNumber number={phone} reveal={async () => (await call(revealRefundPhone, { id })).phone} />
}

/** Why it failed or waits. */
function Reason({ refund: { reason } }: { refund: RefundRow }): ReactNode {
  return useOrderWords().wordsOf(reason)
}

/** Who decided what and when. */
function Decision({ refund: { auditor, auditTime, auditDecision } }: { refund: RefundRow }): ReactNode {
  const say = useTexts()
  const textOf = useTextOf()
  if (auditTime === null || auditDecision === null) return say('console.list.none')
  return say('console.refunds.by', {
    name: auditor,
    time: formatDateTime(auditTime),
    decision: textOf(`refunds.auditDecision.${auditDecision}`),
  })
}

function RefundActions({ refund, onAudit }: { refund: RefundRow; onAudit: (refund: RefundRow) => void }) {
  const say = useTexts()
  const may = useMay()
  const confirm = useConfirm()
  const { message } = App.useApp()
  const end = useChange(endFailedRefund)
  const confirmEnd = async () => {
    const ended = await confirm({
      title: say('console.refunds.endTitle'),
      explain: say('console.refunds.endExplain', { id: refund.orderId }),
      doText: say('console.refunds.end'),
      act: () => end.mutateAsync({ id: refund.id }),
    })
    if (ended) void message.success(say('console.form.done'))
  }
  if (refundCan.audit(refund)) {
    if (!may('order.auditrefund')) return null
    return <ActionButton onClick={() => onAudit(refund)}>{say('console.refunds.audit')}</ActionButton>
  }
  if (refundCan.end(refund))
    return may('order.endrefund') ? (
      <ActionButton onClick={() => void confirmEnd()}>{say('console.refunds.end')}</ActionButton>
    ) : null
  return <span className="hint">{say('console.refunds.alreadyAudited')}</span>
}
