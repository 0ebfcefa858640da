import type { Endpoint } from './kit/endpoint.ts'
import { deviceChangeCalls } from './devices/device-changes.ts'
import { deviceImportCalls } from './devices/device-import.ts'
import { goodsCalls } from './catalogue/goods.ts'
import { goodsImportCalls } from './catalogue/goods-import.ts'
import { goodsTemplateCalls } from './catalogue/goods-templates.ts'
import { placeCalls } from './catalogue/places.ts'
import { placeImportCalls } from './catalogue/place-import.ts'
import { alertCalls } from './devices/alerts.ts'
import { bannerCalls } from './catalogue/banners.ts'
import { pictureCalls } from './catalogue/uploads.ts'
import { batchCalls } from './devices/batches.ts'
import { deviceCalls } from './devices/devices.ts'
import { modelCalls } from './devices/models.ts'
import { deviceCommandCalls } from './devices/device-commands.ts'
import { qrCodeCalls } from './devices/qr-codes.ts'
import { liveDeviceCalls } from './devices/live-devices.ts'
import { adminUserCalls } from './identity/admin-users.ts'
import { auditCalls } from './identity/audit.ts'
import { grantCalls } from './identity/grants.ts'
import { listColumnCalls } from './identity/list-columns.ts'
import { ownSessionCalls } from './identity/own-sessions.ts'
import { savedViewCalls } from './identity/saved-views.ts'
import { sessionCalls } from './identity/sessions.ts'
import { subAccountCalls } from './identity/sub-accounts.ts'
import { twoStepCalls } from './identity/two-step.ts'
import { moveCalls } from './organisations/moves.ts'
import { organisationCalls } from './organisations/organisations.ts'
import { ownProfileCalls } from './organisations/own-profile.ts'
import { organisationSearchCalls } from './organisations/search.ts'
import { receiverCalls } from './notifications/receivers.ts'
import { orderCalls } from './orders/orders.ts'
import { payPageCalls } from './orders/pay-page.ts'
import { refundCalls } from './orders/refunds.ts'
import { dashboardCalls } from './reports/dashboard.ts'
import { findCalls } from './reports/find.ts'
import { incomeLineCalls } from './reports/income-lines.ts'
import { reportCalls } from './reports/order-days.ts'

/** Every call there is: the server serves all of them, documentation and generated tests are made from them. */
export const endpoints = {
  ...sessionCalls,
  ...twoStepCalls,
  ...listColumnCalls,
  ...savedViewCalls,
  ...ownSessionCalls,
  ...subAccountCalls,
  ...adminUserCalls,
  ...grantCalls,
  ...auditCalls,
  ...organisationSearchCalls,
  ...organisationCalls,
  ...moveCalls,
  ...ownProfileCalls,
  ...placeCalls,
  ...placeImportCalls,
  ...pictureCalls,
  ...bannerCalls,
  ...goodsTemplateCalls,
  ...goodsCalls,
  ...goodsImportCalls,
  ...deviceCalls,
  ...modelCalls,
  ...batchCalls,
  ...qrCodeCalls,
  ...deviceChangeCalls,
  ...deviceImportCalls,
  ...alertCalls,
  ...liveDeviceCalls,
  ...deviceCommandCalls,
  ...receiverCalls,
  ...orderCalls,
  ...refundCalls,
  ...dashboardCalls,
  ...findCalls,
  ...reportCalls,
  ...incomeLineCalls,
  ...payPageCalls,
} satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof endpoints
