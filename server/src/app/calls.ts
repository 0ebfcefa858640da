import type { Call } from '../kit/call.ts'
import type { ObjectStore } from '../kit/object-store/object-store.ts'
import type { SecretBox } from '../kit/secrets.ts'
import { createDeviceCalls } from '../devices/device-calls.ts'
import { catalogueCalls } from '../catalogue/catalogue-calls.ts'
import type { LiveDevices } from '../devices/live-devices.ts'
import { bannerCalls } from '../catalogue/banner-calls.ts'
import { createPictureCalls } from '../catalogue/picture-calls.ts'
import { accountCalls } from '../identity/account-calls.ts'
import { createAuditCalls } from '../identity/audit-api.ts'
import { createSessionCalls } from '../identity/session-calls.ts'
import type { SessionGate } from '../identity/session-gate.ts'
import type { ReceiverServices } from '../notifications/receiver-services.ts'
import { createReceiverCalls } from '../notifications/receivers-api.ts'
import { createOrderCalls } from '../orders/order-calls.ts'
import { organisationCalls } from '../organisations/organisation-calls.ts'
import type { PaymentServices } from '../payments/payment-services.ts'
import { createDashboardCalls } from '../reports/dashboard-api.ts'
import { createFindCalls } from '../reports/find-api.ts'
import { createIncomeLineCalls } from '../reports/income-lines-api.ts'
import { createOrderDaysCalls } from '../reports/order-days-api.ts'
import { pictureUrl } from '@chairside/contract'
import { wechatSignInUrlFor } from './wechat-return.ts'

export interface CallServices {
  gate: SessionGate
  secrets: SecretBox
  payments: PaymentServices
  receivers: ReceiverServices
  live: LiveDevices
  pictures: ObjectStore
  timeZone: string
  paymentWindowSeconds: number
}

/** Every call of the product, by domain. */
export function createCalls({
  gate,
  secrets,
  payments,
  receivers,
  live,
  pictures,
  timeZone,
  paymentWindowSeconds,
}: CallServices): Call[] {
  return [
    ...createSessionCalls(gate, secrets),
    ...accountCalls,
    ...createAuditCalls(timeZone),
    ...organisationCalls,
    ...catalogueCalls,
    ...createDeviceCalls({ timeZone, secrets, live, publicUrl: payments.publicUrl }),
    ...createPictureCalls(pictures),
    ...createReceiverCalls(receivers),
    ...bannerCalls,
    ...createOrderCalls({
      timeZone,
      paymentWindowSeconds,
      payments,
      pictureUrl,
      wechatSignInUrl: wechatSignInUrlFor(payments.channels, payments.publicUrl),
    }),
    ...createDashboardCalls(timeZone),
    ...createFindCalls(timeZone),
    ...createOrderDaysCalls(timeZone),
    ...createIncomeLineCalls(timeZone),
  ]
}
