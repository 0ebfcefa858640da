import type { AlertKind } from '../devices/alerts.ts'

/** What an organisation may have itself notified of, about a merchant of its own or below it. */
export const notificationEvents = [
  'alertRaised',
  'alertCleared',
  'refundApplied',
  'refundDecided',
  'refundFailed',
] as const
export type NotificationEventType = (typeof notificationEvents)[number]

/** What is told of an alert of devices. */
export interface AlertTold {
  kind: AlertKind
  placeId: number | null
  placeAddress: string
  /** The device, where it is of one; empty where it is of several. */
  deviceId: string
  deviceName: string
  devices: number
  placeDevices: number
  code: string
}

/** What is told of a refund. */
export interface RefundTold {
  orderId: string
  amountCents: number
}

/** An event as it is kept until it is sent; its words are found when it is, in the language of the receiver. */
export type NotificationEvent =
  | { type: 'alertRaised' | 'alertCleared'; told: AlertTold }
  | { type: 'refundApplied' | 'refundFailed'; told: RefundTold }
  | { type: 'refundDecided'; told: RefundTold & { decision: 'approved' | 'refused' } }
