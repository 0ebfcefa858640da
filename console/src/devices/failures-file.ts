import type { FailedDevice } from './bulk-change.ts'

/** Told to spreadsheets, which would take Chinese for something else. */
const byteOrderMark = '\uFEFF'

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

/** Lines of a table that spreadsheets read: ids and reasons are our own words, none of which begins a formula. */
export function linesOfFailures(
  failed: readonly FailedDevice[],
  titles: { deviceId: string; reason: string },
): string {
  const rows = [
    [titles.deviceId, titles.reason],
    ...failed.map(({ device, reason }) => [device.deviceId, reason]),
  ]
  return byteOrderMark + rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('')
}
