/** A table of Markdown, its columns as wide as their widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [line(head), rule, ...rows.map(line)].join('\n')
}

export const count = new Intl.NumberFormat('en-US')
export const ms = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(2))
export const times = (value: number) => `${value >= 100 ? value.toFixed(0) : value.toFixed(1)}×`
export const seconds = (value: number) => `${(value / 1000).toFixed(1)} s`
