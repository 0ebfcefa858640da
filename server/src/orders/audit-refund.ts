import { auditDecisions, auditRefund, endFailedRefund, refundCan, refundStatuses } from '@chairside/contract'
import { handle, type Call } from '../kit/call.ts'
import { sql, type Database } from '../kit/database.ts'
import { withinScope, type Scope } from '../kit/scope.ts'
import { announce } from '../notifications/announce.ts'
import {
  changeStatuses,
  lockOrder,
  noteOnOrder,
  refundApplied,
  refunded,
  refunding,
  refundRefused,
  type OrderRecord,
} from './change-order-status.ts'
import { bookOfflineRefund, giveMoneyBack, goesBackByItself, refundableByHand } from './give-money-back.ts'

interface RefundRecord {
  id: number
  orderId: string
  status: number
  priceCents: number
}

/** A refund within a scope, locked: of two auditors one decides. */
async function lockRefund(db: Database, scope: Scope, id: number): Promise<RefundRecord | undefined> {
  const { rows } = await sql<RefundRecord>`
    select r.id, r.order_id as "orderId", r.status, r.price_cents as "priceCents" from refunds r
     where ${isRefund(scope, id)} for update of r`.execute(db)
  return rows[0]
}

const isRefund = (scope: Scope, id: number) =>
  sql`r.id = ${id} and ${withinScope(scope, { merchantId: sql`r.merchant_id`, placeId: sql`r.place_id` })}`

async function findRefund(
  db: Database,
  scope: Scope,
  id: number,
): Promise<Pick<RefundRecord, 'orderId' | 'status'> | undefined> {
  const { rows } = await sql<Pick<RefundRecord, 'orderId' | 'status'>>`
    select r.order_id as "orderId", r.status from refunds r where ${isRefund(scope, id)}`.execute(db)
  return rows[0]
}

interface Decision {
  refund: RefundRecord
  order: OrderRecord
  priceCents: number
  remark: string
  byWhom: string
  now: Date
}

async function storeDecision(
  db: Database,
  { refund, priceCents, remark, byWhom, now }: Decision,
  audit: number,
  status: number,
): Promise<void> {
  const settled = status === refundStatuses.refunded || status === refundStatuses.refundedOffline
  await sql`
    update refunds set status = ${status}, price_cents = ${priceCents}, remark = ${remark}, audited_at = ${now}, audited_by = ${byWhom}, audit = ${audit},
           settled_at = case when ${settled} then ${now}::timestamptz end
     where id = ${refund.id}`.execute(db)
}

async function refuseRefund(db: Database, decision: Decision): Promise<number> {
  const { order, byWhom, remark } = decision
  await changeStatuses(db, [{ order, to: refundRefused, cause: 'refund refused', byWhom, detail: remark }])
  await storeDecision(db, decision, 0, refundStatuses.refused)
  return refundStatuses.refused
}

/** Sends the money back the way it came; undefined when it came no such way. */
async function approveRefund(db: Database, decision: Decision): Promise<number | undefined> {
  const { order, byWhom, remark, now, priceCents: amountCents } = decision
  const given = await giveMoneyBack(db, order, {
    amountCents,
    refundId: decision.refund.id,
    cause: 'refund approved',
    byWhom,
    detail: remark,
    now,
  })
  if (!given) return undefined
  const status = given === 'done' ? refundStatuses.refunded : refundStatuses.approved
  await storeDecision(db, decision, 1, status)
  return status
}

async function settleOffline(db: Database, decision: Decision): Promise<number> {
  const { order, byWhom, now, priceCents, refund } = decision
  await changeStatuses(db, [
    { order, to: refunding, cause: 'refund approved, offline', byWhom, detail: decision.remark },
  ])
  await changeStatuses(db, [
    { order: { ...order, status: refunding }, to: refunded, cause: 'refunded offline', byWhom },
  ])
  await bookOfflineRefund(db, order, refund.id, priceCents, now)
  await storeDecision(db, decision, 2, refundStatuses.refundedOffline)
  return refundStatuses.refundedOffline
}

/** Its chair may still fail to start, and then everything goes back: a part that is on its way would keep the rest. */
const goesBackWhole = (order: OrderRecord) => order.startedAt === null && goesBackByItself(order)

/** The decision on a refund (spec 1 §§4, 5, decisions §4). */
export const auditRefundCall: Call = handle(auditRefund, async (context) => {
  const { db, scope, input, caller, now, refuse, refuseField, audit } = context
  if (input.refundid !== undefined && input.refundid !== input.id)
    refuseField('refundid', 'validation.givenTwice')
  if (input.auditflag !== undefined && input.auditflag !== input.audit)
    refuseField('auditflag', 'validation.givenTwice')
  const refund = await lockRefund(db, scope, input.id)
  if (!refund) return refuse('notFound')
  if (!refundCan.audit(refund)) return refuse('notPossible')
  const order = await lockOrder(db, refund.orderId)
  if (order?.status !== refundApplied) return refuse('notPossible')
  const refundableCents =
    input.audit === auditDecisions.offline
      ? await refundableByHand(db, order)
      : order.feeCents - order.refundedCents
  const priceCents =
    input.audit === auditDecisions.refuse ? refund.priceCents : (input.price ?? refund.priceCents)
  if (input.audit !== auditDecisions.refuse && priceCents > refundableCents)
    return refuse('refundExceedsPaid')
  const isPart = priceCents < order.feeCents - order.refundedCents
  if (input.audit !== auditDecisions.refuse && isPart && goesBackWhole(order)) return refuse('notStartedYet')

  const decision = { refund, order, priceCents, remark: input.remark, byWhom: caller().userName, now }
  const decide = {
    [auditDecisions.refuse]: refuseRefund,
    [auditDecisions.approve]: approveRefund,
    [auditDecisions.offline]: settleOffline,
  }
  const status = await decide[input.audit](db, decision)
  if (status === undefined) return refuse('onlyOfflineRefund')
  await announce(db, [
    {
      cause: `refund ${refund.id} decided`,
      merchantId: order.merchantId,
      event: {
        type: 'refundDecided',
        told: {
          orderId: order.orderId,
          amountCents: priceCents,
          decision: input.audit === auditDecisions.refuse ? 'refused' : 'approved',
        },
      },
    },
  ])
  audit({
    target: order.orderId,
    before: { status: refund.status },
    after: { status, priceCents, remark: input.remark },
  })
  return { id: refund.id, status }
})

/** A refund that failed is ended by hand (spec 1 §4); its order keeps saying that it failed. */
export const endFailedRefundCall: Call = handle(
  endFailedRefund,
  async ({ db, scope, input, caller, refuse, audit }) => {
    const found = await findRefund(db, scope, input.id)
    if (!found) return refuse('notFound')
    // Before its order is waited for: who audits one that is not audited yet holds it, and waits for the order.
    if (!refundCan.end(found)) return refuse('notPossible')
    // The order first, as by a provider's notice that may come meanwhile.
    const order = await lockOrder(db, found.orderId)
    const refund = await lockRefund(db, scope, input.id)
    if (!refund || !order) return refuse('notFound')
    if (!refundCan.end(refund)) return refuse('notPossible')
    await sql`update refunds set status = ${refundStatuses.ended} where id = ${refund.id}`.execute(db)
    await noteOnOrder(db, order, 'the failed refund was ended by hand', caller().userName)
    audit({
      target: refund.orderId,
      before: { status: refund.status },
      after: { status: refundStatuses.ended },
    })
    return { id: refund.id, status: refundStatuses.ended }
  },
)
