import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { ExportResult } from './export.ts'
import type { ListResult } from './lists.ts'
import type { ReportResult } from './report.ts'
import { tablesOf } from './tables.ts'

/** What was measured with so many orders; each part from its latest run. */
export interface SizeResults {
  lists?: ListResult[]
  report?: ReportResult
  export?: ExportResult
}

export interface Results {
  measuredOn: string
  machine: { cores: number; memoryGigabytes: number; node: string }
  /** By the number of orders. */
  sizes: Record<string, SizeResults>
}

const folder = path.join(import.meta.dirname, '../results')
const jsonFile = path.join(folder, 'results.json')

function readResults(): Record<string, SizeResults> {
  if (!fs.existsSync(jsonFile)) return {}
  return (JSON.parse(fs.readFileSync(jsonFile, 'utf8')) as Results).sizes
}

/** Keeps what was measured now beside what was measured before, as figures and as tables. */
export function keepResults(orders: number, measured: SizeResults): void {
  const sizes = readResults()
  sizes[orders] = { ...sizes[orders], ...measured }
  const results: Results = {
    measuredOn: new Date().toISOString().slice(0, 10),
    machine: {
      cores: os.availableParallelism(),
      memoryGigabytes: Math.round(os.totalmem() / 1024 ** 3),
      node: process.version,
    },
    sizes,
  }
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(jsonFile, `${JSON.stringify(results, null, 2)}\n`)
  fs.writeFileSync(path.join(folder, 'results.md'), tablesOf(results))
}
