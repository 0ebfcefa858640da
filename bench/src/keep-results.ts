import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { partName, type Results, type SizeResults } from './results.ts'
import { tablesOf } from './tables.ts'

type Kept = Omit<Results, 'machine'>

const folder = path.join(import.meta.dirname, '../results')
const jsonFile = path.join(folder, 'results.json')

function readResults(): Kept {
  if (!fs.existsSync(jsonFile)) return { measuredOn: {}, sizes: {} }
  const { machine: _by, ...kept } = JSON.parse(fs.readFileSync(jsonFile, 'utf8')) as Results
  return kept
}

/** Writes all results anew, as figures and as tables. */
function writeResults(kept: Kept): void {
  const results: Results = {
    machine: {
      cores: os.availableParallelism(),
      memoryGigabytes: Math.round(os.totalmem() / 1024 ** 3),
      node: process.version,
    },
    ...kept,
  }
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(jsonFile, `${JSON.stringify(results, null, 2)}\n`)
  fs.writeFileSync(path.join(folder, 'results.md'), tablesOf(results))
}

/** The days of all parts, these being of today. */
function daysWith({ measuredOn }: Kept, names: readonly string[]): Record<string, string> {
  const today = new Date().toISOString().slice(0, 10)
  return { ...measuredOn, ...Object.fromEntries(names.map((name) => [name, today])) }
}

/** Keeps what was measured now with so many orders beside what was measured before. */
export function keepResults(orders: number, measured: SizeResults): void {
  const kept = readResults()
  const measuredOn = daysWith(
    kept,
    Object.keys(measured).map((part) => partName(part, orders)),
  )
  writeResults({
    ...kept,
    measuredOn,
    sizes: { ...kept.sizes, [orders]: { ...kept.sizes[orders], ...measured } },
  })
}

/** Keeps what was measured of a part that does not depend on the number of orders. */
export function keepPart(part: Partial<Omit<Kept, 'sizes' | 'measuredOn'>>): void {
  const kept = readResults()
  writeResults({ ...kept, ...part, measuredOn: daysWith(kept, Object.keys(part)) })
}
