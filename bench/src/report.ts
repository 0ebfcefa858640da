import { readData, signIn, type Caller } from './callers.ts'
import { createHttpClient } from './http-client.ts'
import { measureInTurn, type Timing } from './measure.ts'
import { listedYear } from './prepare-data.ts'

export interface ReportResult {
  days: number
  limit: Timing
  report: Timing
  /** The same for one month of it; results of before have none. */
  month?: Timing
}

/** The income of each day of a year and of a month of the largest merchant, beside the time before. */
export async function measureReport(
  urls: { product: string; peer: string },
  merchant: Caller,
  rounds: number,
): Promise<ReportResult> {
  const product = createHttpClient(urls.product)
  const peer = createHttpClient(urls.peer)
  try {
    const token = await signIn(product, merchant.userName)
    const pathOf = (from: string, to: string) =>
      `/api/accounting/merchantdays/day?datetype=5&startdate=${listedYear}-${from}&enddate=${listedYear}-${to}`
    const path = pathOf('01-01', '12-31')
    const monthPath = pathOf('12-01', '12-31')
    const data = readData<{ reportDate: unknown[]; total: { totalIncome: number } }>(
      await product.getBody(path, token),
    )
    if (data.total.totalIncome <= 0) throw new Error('the report has no income')
    const timings = await measureInTurn(rounds, [
      { name: 'limit', callsPerRound: 80, call: () => peer.getBody('/limit') },
      { name: 'report', callsPerRound: 80, call: () => product.getBody(path, token) },
      { name: 'month', callsPerRound: 80, call: () => product.getBody(monthPath, token) },
    ])
    return { days: data.reportDate.length, ...timings }
  } finally {
    product.close()
    peer.close()
  }
}
