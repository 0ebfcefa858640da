import type { Texts } from '../en/index.ts'
import type { Translated } from '../translated.ts'
import { alerts } from './alerts.ts'
import { audit } from './audit.ts'
import { catalogue } from './catalogue.ts'
import { banners } from './banners.ts'
import { batches } from './batches.ts'
import { console } from './console.ts'
import { devices } from './devices.ts'
import { identity } from './identity.ts'
import { imports } from './imports.ts'
import { models } from './models.ts'
import { notifications } from './notifications.ts'
import { orders } from './orders.ts'
import { organisations } from './organisations.ts'
import { permissions } from './permissions.ts'
import { pictures } from './pictures.ts'
import { refunds } from './refunds.ts'
import { refusals } from './refusals.ts'
import { reports } from './reports.ts'
import { sheet } from './sheet.ts'
import { stickers } from './stickers.ts'
import { validation } from './validation.ts'
import { views } from './views.ts'

export const zhCN: Translated<Texts> = {
  alerts,
  audit,
  catalogue,
  banners,
  batches,
  console,
  devices,
  identity,
  imports,
  models,
  notifications,
  orders,
  organisations,
  permissions,
  pictures,
  refunds,
  refusals,
  reports,
  sheet,
  stickers,
  validation,
  views,
}
