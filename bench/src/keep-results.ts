import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Results, SizeResults } from './results.ts'
import { tablesOf } from './tables.ts'

type Kept = Omit<Results, 'measuredOn' | 'machine'>

const folder = path.join(import.meta.dirname, '../results')
const jsonFile = path.join(folder, 'results.json')

function readResults(): Kept {
  if (!fs.existsSync(jsonFile)) return { sizes: {} }
  const { measuredOn: _on, machine: _by, ...kept } = JSON.parse(fs.readFileSync(jsonFile, 'utf8')) as Results
  return kept
}

/** Writes all results anew, as figures and as tables. */
function writeResults(kept: Kept): void {
  const results: Results = {
    measuredOn: new Date().toISOString().slice(0, 10),
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

/** Keeps what was measured now with so many orders beside what was measured before. */
export function keepResults(orders: number, measured: SizeResults): void {
  const kept = readResults()
  writeResults({ ...kept, sizes: { ...kept.sizes, [orders]: { ...kept.sizes[orders], ...measured } } })
}

/** Keeps what was measured of a part that does not depend on the number of orders. */
export function keepPart(part: Partial<Omit<Kept, 'sizes'>>): void {
  writeResults({ ...readResults(), ...part })
}
