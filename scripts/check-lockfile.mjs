// The lockfile names no download addresses, so that it installs from any registry, and every package has its checksum.
import fs from 'node:fs'
import path from 'node:path'

import { root } from './node-24.mjs'

const { packages } = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
const problems = Object.entries(packages).flatMap(([place, { resolved, integrity, link }]) => {
  if (link || !place.includes('node_modules/')) return []
  return [
    ...(resolved === undefined ? [] : [`${place} names a download address: ${resolved}`]),
    ...(integrity === undefined ? [`${place} has no checksum`] : []),
  ]
})
for (const problem of problems) console.error(`package-lock.json: ${problem}`)
process.exit(problems.length > 0 ? 1 : 0)
