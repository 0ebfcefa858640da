import {
  isMerchantMode,
  listIncomeLines,
  pageSizes,
  sumIncomeLines,
  type IncomeLine,
} from '@chairside/contract'
import { Link } from '@tanstack/react-router'
import { Drawer } from 'antd'
import type { ReactNode } from 'react'
import { useAddress } from '../kit/address.ts'
import { useRead } from '../kit/call.ts'
import { Copyable } from '../kit/copyable.tsx'
import { DeviceLink } from '../kit/device-link.tsx'
import { EmptyNotice } from '../kit/empty-notice.tsx'
import { ExportButton } from '../kit/export-button.tsx'
import { useTextOf, useTexts } from '../kit/language.tsx'
import { ListRows } from '../kit/list-rows.tsx'
import { orderListOf } from '../kit/order-lists.ts'
import { Pager } from '../kit/pager.tsx'
import { ReadState } from '../kit/read-state.tsx'
import { ReadSum } from '../kit/read-sum.tsx'
import { useReturnFocus } from '../kit/return-focus.ts'
import { useMay, useUser } from '../kit/user.ts'
import { withoutLines } from './lines-address.ts'

const keyOf = ({ orderId, what }: IncomeLine) => `${orderId} ${what}`
const draw = { deviceSid: ({ deviceSid }: IncomeLine) => <DeviceLink deviceId={deviceSid} /> }
const widths = { orderId: 208, what: 92, deviceSid: 104, merchantName: 136, payChannel: 112 }

const countFrom = (text: string | undefined, otherwise: number) =>
  /^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : otherwise

/** What a cell of the daily income sums up, with the order of each line. Which cell and which page, the address tells. */
export function IncomeLines() {
  const say = useTexts()
  const textOf = useTextOf()
  const [state, setState] = useAddress()
  const close = () => setState(withoutLines(state), { replace: true })
  // Back closes it, since it is in the address.
  useReturnFocus()
  const { day = '', part = '', merchantid = '' } = state
  const [page, size] = [countFrom(state['page'], 1), countFrom(state['pagesize'], pageSizes[0])]
  const wanted = { day, merchantid, part: part as '' }
  const read = useRead(listIncomeLines, { ...wanted, pagenum: page, pagesize: size })
  const sum = useRead(sumIncomeLines, wanted)
  const total = read.data?.total ?? 0
  const title = [day, textOf(`reports.field.${part || 'total'}Income`)].join(' · ')
  return (
    <Drawer
      open
      onClose={close}
      size={980}
      title={title}
      closable={{ 'aria-label': say('console.form.close') }}
      extra={<ExportButton endpoint={listIncomeLines} input={wanted} rows={total} />}
    >
      <div className="totals" aria-live="polite">
        <span>
          {say('console.reports.total')} <ReadSum read={sum} />
        </span>
      </div>
      <ReadState read={read} empty={read.data?.total === 0 ? <EmptyNotice /> : undefined}>
        <Lines title={title} lines={read.data?.list ?? []} />
        <Pager
          page={page}
          pageSize={size}
          pages={Math.max(1, Math.ceil(total / size))}
          total={total}
          label={title}
          onChange={(number, pagesize) =>
            setState({ ...state, page: String(number), pagesize: String(pagesize) })
          }
        />
      </ReadState>
    </Drawer>
  )
}

function Lines({ title, lines }: { title: string; lines: readonly IncomeLine[] }) {
  const { type } = useUser()
  const mayOrders = useMay()('order.list')
  return (
    <ListRows<IncomeLine & Record<string, unknown>>
      label={title}
      endpoint={listIncomeLines}
      rows={lines}
      rowKey="orderId"
      keyOf={keyOf}
      widths={widths}
      {...(isMerchantMode(type) ? { hiddenColumns: ['merchantName'] } : {})}
      draw={mayOrders ? { ...draw, orderId: (line) => <OrderLink line={line} /> } : draw}
    />
  )
}

/** The order, in the list of its year. */
function OrderLink({ line: { orderId, year } }: { line: IncomeLine }) {
  const { type } = useUser()
  const { to, search } = orderListOf(year, type)
  const linked = (shown: ReactNode) => (
    <Link to={to as '/'} search={{ ...search, orderid: orderId } as never}>
      {shown}
    </Link>
  )
  return <Copyable value={orderId} linked={linked} />
}
