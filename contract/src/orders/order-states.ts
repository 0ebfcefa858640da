/** Order status (spec 1 §4; 9 from decisions §4). */
export const orderStatuses = {
  unpaid: '1',
  closed: '2',
  paid: '3',
  running: '4',
  refundApplied: '5',
  refundRefused: '6',
  refunding: '7',
  refunded: '8',
  refundFailed: '9',
} as const
export type OrderStatus = (typeof orderStatuses)[keyof typeof orderStatuses]
export const orderStatusValues = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const

/**
 * Allowed changes of status, each guarded by the state it leaves (decisions §4). A refund that was refused leaves the
 * order where nobody can apply for it any more: in its own state 6.
 */
export const orderTransitions: Record<OrderStatus, readonly OrderStatus[]> = {
  '1': ['2', '3'],
  // A payment that arrives for a closed order is refunded by itself.
  '2': ['7'],
  // A chair that never acknowledged gives the money back by itself: 3 → 7.
  '3': ['4', '5', '7'],
  '4': ['3', '5', '7'],
  '5': ['6', '7'],
  // Refused while its chair was being started, which then did not start.
  '6': ['7'],
  '7': ['8', '9'],
  '8': [],
  // The provider may still pay a refund that it had reported as failed.
  '9': ['8'],
}

/** How an order was paid (spec 1 §4; the last three are ours, decisions §5 and §6). */
export const payChannels = [
  'wechatPay',
  'wechatServerPay',
  'aliPay',
  'custAccount',
  'manualStart',
  'externalStart',
  'ccbPay',
  'unionPay',
] as const
export type PayChannel = (typeof payChannels)[number]

/** Prefix of the ids of device orders; recharges begin with `CZ` (decisions §4). */
export const deviceOrderPrefix = 'KT'
export const rechargeOrderPrefix = 'CZ'

/** The facts of an order that decide what may be done with it. */
export interface OrderFacts {
  orderId: string
  status: OrderStatus
}

const isDeviceOrder = (order: OrderFacts) => order.orderId.startsWith(deviceOrderPrefix)

/** What may be done with an order; the server guards by it, the console shows a button by it (spec 1 §6). */
export const orderCan = {
  refund: (order: OrderFacts) => isDeviceOrder(order) && (order.status === '3' || order.status === '4'),
  start: (order: OrderFacts) => isDeviceOrder(order) && !['2', '5', '7', '8'].includes(order.status),
  become: (order: OrderFacts, next: OrderStatus) => orderTransitions[order.status].includes(next),
}

/** Status of a refund row (decisions §4). */
export const refundStatuses = {
  failed: 0,
  refunded: 1,
  refused: 2,
  refundedOffline: 3,
  ended: 4,
  unaudited: 5,
  approved: 6,
} as const
export type RefundStatus = (typeof refundStatuses)[keyof typeof refundStatuses]

/** Filter values of the refund list: 1 unaudited, 2 audited, 3 failed (spec 1 §4). */
export const refundFilters = ['1', '2', '3'] as const
export type RefundFilter = (typeof refundFilters)[number]
export const refundStatusesOfFilter: Record<RefundFilter, readonly RefundStatus[]> = {
  '1': [5],
  '2': [1, 2, 3, 4, 6],
  '3': [0],
}

/** Audit decisions sent: 1 approve, 0 refuse, 2 offline (spec 1 §4). */
export const auditDecisions = { refuse: '0', approve: '1', offline: '2' } as const
export const auditDecisionValues = ['0', '1', '2'] as const

/** What may be done with a refund row (spec 1 §4). */
export const refundCan = {
  audit: (refund: { status: number }) => refund.status === refundStatuses.unaudited,
  end: (refund: { status: number }) => refund.status === refundStatuses.failed,
}

/** Longest remark of a refund or its audit (spec 1 §5, §9). */
export const refundRemarkMax = 200
