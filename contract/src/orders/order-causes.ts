/** Causes in an order's story, as the server writes them; readers see them in their own language. */
export const orderCauses = [
  'placed',
  'paid',
  'paid from the balance',
  'free of charge',
  'started by hand',
  'not paid',
  'the customer chose anew',
  'the chair acknowledged',
  'the chair did not acknowledge',
  'the chair refused',
  'the chair acknowledged too late and is stopped',
  'the chair ended',
  'the chair ended before its time',
  'its time is over; the chair did not report the end',
  'the chair is no longer with this merchant',
  'its payment was learnt of too late',
  'paid after it was closed',
  'paid once more; that goes back',
  'refund applied',
  'refund refused',
  'refund approved',
  'refund approved, offline',
  'refunded',
  'refunded offline',
  'the refund waits',
  'the refund failed',
  'it is not known whether the refund went',
  'the failed refund was ended by hand',
  'the refund of a second payment failed',
] as const
export type OrderCause = (typeof orderCauses)[number]

/** Who takes part in an order's story without an account. */
export const orderActors = ['customer', 'member', 'device', 'provider', 'system'] as const
