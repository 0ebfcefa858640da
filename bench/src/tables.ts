import { chairSection, deviceSection, faultSection, settlementSection } from './device-tables.ts'
import type { DirectusResult } from './directus.ts'
import type { ListResult } from './lists.ts'
import { count, ms, seconds, table, times } from './markdown.ts'
import type { Timing } from './measure.ts'
import type { OrganisationResult } from './organisations.ts'
import { partName, type Results, type SizeResults } from './results.ts'
import type { ScreenResult } from './screens.ts'

const listGoals = { merchant: 3, agent: 20, admin: 20 } as const

function listTable(lists: readonly ListResult[]): string {
  return table(
    [
      'who',
      'page',
      'SELECT 1',
      'list p50',
      'p95',
      'sum p50',
      'list ÷ SELECT 1',
      'sum ÷ SELECT 1',
      'goal',
      'plain list',
      'plain sum',
      'plain list ÷ list',
    ],
    lists.map(({ role, page, limit, list, sum, peerList, peerSum }) => [
      role,
      count.format(page),
      ms(limit.p50Ms),
      ms(list.p50Ms),
      ms(list.p95Ms),
      ms(sum.p50Ms),
      times(list.p50Ms / limit.p50Ms),
      times(sum.p50Ms / limit.p50Ms),
      `≤ ${listGoals[role]}×`,
      ms(peerList.p50Ms),
      ms(peerSum.p50Ms),
      times(peerList.p50Ms / list.p50Ms),
    ]),
  )
}

const positions = ['first', '1,000th', 'last'] as const

/** Growth of a role's pages between two sizes, page by page in the order they were measured. */
function growthTable(small: readonly ListResult[], large: readonly ListResult[]): string {
  const rows = (['merchant', 'agent', 'admin'] as const).flatMap((role) => {
    const before = small.filter((one) => one.role === role)
    return large
      .filter((one) => one.role === role)
      .flatMap((after, index) => {
        const same = before[index]
        if (!same) return []
        const grown = (part: 'list' | 'sum' | 'peerList') =>
          after[part].p50Ms / after.limit.p50Ms / (same[part].p50Ms / same.limit.p50Ms)
        return [
          [
            role,
            positions[index] ?? '',
            times(grown('list')),
            times(grown('sum')),
            '≤ 1.2×',
            times(grown('peerList')),
          ],
        ]
      })
  })
  return table(['who', 'page', 'list', 'sum', 'goal', 'plain list'], rows)
}

const together = (list: Timing, sum: Timing) => list.p50Ms + sum.p50Ms

function directusTable(pages: readonly DirectusResult[]): string {
  return table(
    ['page', 'list p50', 'sum p50', 'Directus list', 'Directus sum', 'list', 'list and sum', 'goal'],
    pages.map(({ page, list, sum, directusList, directusSum }) => [
      count.format(page),
      ms(list.p50Ms),
      ms(sum.p50Ms),
      ms(directusList.p50Ms),
      ms(directusSum.p50Ms),
      times(directusList.p50Ms / list.p50Ms),
      times(together(directusList, directusSum) / together(list, sum)),
      '≥ 100×',
    ]),
  )
}

function sizeSection(orders: number, { lists, report, export: sheet, directus }: SizeResults): string[] {
  const parts = [`## ${count.format(orders)} orders`]
  if (lists) {
    const reach = lists
      .filter(({ page }) => page === 1)
      .map((one) => `${one.role} ${count.format(one.merchants)} / ${count.format(one.orders)}`)
    parts.push(`Merchants and orders of the listed year in reach: ${reach.join(', ')}. Times in ms.`)
    parts.push(listTable(lists))
  }
  if (report) {
    parts.push(
      `Report of ${report.days} days of the largest merchant: p50 ${ms(report.report.p50Ms)} ms, p95 ${ms(report.report.p95Ms)} ms; SELECT 1 ${ms(report.limit.p50Ms)} ms; ${times(report.report.p50Ms / report.limit.p50Ms)} (goal ≤ 3×).${report.month ? ` Of one month: p50 ${ms(report.month.p50Ms)} ms, ${times(report.month.p50Ms / report.limit.p50Ms)}.` : ''}`,
    )
  }
  if (sheet) {
    parts.push(
      `Export of ${count.format(sheet.rows)} orders (${sheet.sheetMegabytes} MB): ${seconds(sheet.sheet.p50Ms)}; COPY ${seconds(sheet.copy.p50Ms)}; ${times(sheet.sheet.p50Ms / sheet.copy.p50Ms)} (goal ≤ 5×). Peak memory of the server ${sheet.peakMegabytes} MB, ${sheet.peakMegabytesBefore} MB of it before the export (goal ≤ 200 MB).`,
    )
  }
  if (directus) {
    parts.push(
      `Directus on the same orders, asked for a page of the largest merchant with its total, and for the sum. Times in ms.`,
      directusTable(directus),
    )
  }
  return parts
}

function organisationTable(organisations: readonly OrganisationResult[]): string {
  return table(
    ['who', 'what', 'found', 'SELECT 1', 'p50', 'p95', '÷ SELECT 1', 'goal', 'ten rows', '÷ SELECT 1'],
    organisations.map(({ role, what, total, limit, list, rows }) => [
      role,
      what,
      count.format(total),
      ms(limit.p50Ms),
      ms(list.p50Ms),
      ms(list.p95Ms),
      times(list.p50Ms / limit.p50Ms),
      '≤ 3×',
      ms(rows.p50Ms),
      times(rows.p50Ms / limit.p50Ms),
    ]),
  )
}

function screenTable(screens: readonly ScreenResult[]): string {
  return table(
    ['who', 'screen', 'first p50', 'p95', 'again p50', 'p95', 'goal'],
    screens.map(({ role, address, first, again }) => [
      role,
      address,
      ...(first.calls > 0 ? [ms(first.p50Ms), ms(first.p95Ms)] : ['–', '–']),
      ms(again.p50Ms),
      ms(again.p95Ms),
      '≤ 100',
    ]),
  )
}

/** All that was measured as Markdown. */
export function tablesOf({
  measuredOn,
  machine,
  sizes,
  organisations,
  devices,
  screens,
  chairs,
  settlement,
  faults,
}: Results): string {
  const ascending = Object.entries(sizes).map(([orders, found]) => ({ orders: Number(orders), found }))
  ascending.sort((one, other) => one.orders - other.orders)
  const [smallest, largest] = [ascending[0], ascending.at(-1)]
  const [small, large] = [smallest?.found.lists, largest?.found.lists]
  const dayOf = (orders = 0) => measuredOn[partName('lists', orders)]
  const parts = [
    `# Results`,
    `Measured on one machine with ${machine.cores} cores and ${machine.memoryGigabytes} GB, Node ${machine.node}. Written by \`npm run bench\`.`,
    table(['part', 'measured on'], Object.entries(measuredOn)),
    ...ascending.flatMap(({ orders, found }) => sizeSection(orders, found)),
  ]
  // A machine is not the same on another day, nor is the product.
  if (small && large && small !== large && dayOf(smallest?.orders) === dayOf(largest?.orders)) {
    parts.push(
      '## Growth',
      `From ${count.format(smallest?.orders ?? 0)} to ${count.format(largest?.orders ?? 0)} orders, of p50 as a multiple of SELECT 1 in the same run.`,
      growthTable(small, large),
    )
  }
  if (organisations) {
    parts.push(
      '## 5,000 agents and merchants',
      'Ten rows a page, each with what stands below it. Times in ms.',
      organisationTable(organisations),
    )
  }
  if (devices) parts.push(...deviceSection(devices))
  if (screens) {
    parts.push(
      '## From screen to screen',
      'In a real browser with a million orders: from the click in the menu until the screen stands with all its data, in a tab that sees it for the first time, and again. Times in ms, in steps of a frame (17 ms).',
      screenTable(screens),
    )
  }
  if (chairs) parts.push(...chairSection(chairs))
  if (settlement) parts.push(...settlementSection(settlement))
  if (faults) parts.push(...faultSection(faults))
  return `${parts.join('\n\n')}\n`
}
