import { getOrder, orderColumns, type DataOf } from '@chairside/contract'
import { Drawer, Skeleton, Timeline } from 'antd'
import { useRead } from '../kit/call.ts'
import { drawCell } from '../kit/cell.tsx'
import { formatDateTime } from '../kit/formats.ts'
import { useLanguage, useTextOf, useTexts } from '../kit/language.tsx'

type Step = DataOf<typeof getOrder>['timeline'][number]

/** Everything of one order, and its whole story. */
export function OrderDetails({ orderId, onClose }: { orderId: string; onClose: () => void }) {
  const say = useTexts()
  const textOf = useTextOf()
  const { language } = useLanguage()
  const read = useRead(getOrder, { orderId })
  const order = read.data?.orderId === orderId ? read.data : undefined
  return (
    <Drawer
      open
      onClose={onClose}
      size={560}
      title={orderId}
      closable={{ 'aria-label': say('console.form.close') }}
    >
      {read.isError && <p className="error">{say('console.list.failed', { reason: read.error.message })}</p>}
      {!order && !read.isError && <Skeleton active />}
      {order && (
        <>
          <dl className="details">
            {orderColumns.map((column) => (
              <div key={column.field}>
                <dt>{textOf(column.text)}</dt>
                <dd>{drawCell(column, order[column.field as keyof typeof order], language)}</dd>
              </div>
            ))}
          </dl>
          <h2>{say('console.orders.timeline')}</h2>
          <Timeline
            items={order.timeline.map((step, index) => ({ key: index, content: <StepView step={step} /> }))}
          />
        </>
      )}
    </Drawer>
  )
}

const actors = new Set(['customer', 'device', 'provider', 'system'])

function StepView({ step }: { step: Step }) {
  const textOf = useTextOf()
  const what = step.kind === 'status' ? textOf(`orders.status.${step.what}`) : step.what
  return (
    <>
      <strong>
        {textOf(`console.timeline.${step.kind}`)}: {what}
      </strong>
      <div className="hint">
        <time dateTime={step.at}>{formatDateTime(step.at)}</time> ·{' '}
        {actors.has(step.by) ? textOf(`console.timeline.${step.by}`) : step.by}
      </div>
      {step.detail && <div>{step.detail}</div>}
    </>
  )
}
