import type { ChairResult } from './chairs.ts'
import type { DeviceListResult } from './devices.ts'
import type { DirectusResult } from './directus.ts'
import type { ExportResult } from './export.ts'
import type { FaultResult } from './faults.ts'
import type { ListResult } from './lists.ts'
import type { OrganisationResult } from './organisations.ts'
import type { ReportResult } from './report.ts'
import type { ScreenResult } from './screens.ts'
import type { SettlementResult } from './settlement.ts'

/** What was measured with so many orders; each part from its latest run. */
export interface SizeResults {
  lists?: ListResult[]
  report?: ReportResult
  export?: ExportResult
  directus?: DirectusResult[]
}

/** What a part that was measured with so many orders is called where its day is kept. */
export const partName = (part: string, orders: number) =>
  `${part} of ${orders.toLocaleString('en-US')} orders`

export interface Results {
  /** The day on which each part was measured last. */
  measuredOn: Record<string, string>
  machine: { cores: number; memoryGigabytes: number; node: string }
  /** By the number of orders. */
  sizes: Record<string, SizeResults>
  organisations?: OrganisationResult[]
  devices?: DeviceListResult[]
  screens?: ScreenResult[]
  chairs?: ChairResult
  settlement?: SettlementResult
  faults?: FaultResult[]
}
