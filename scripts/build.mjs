// Builds the console and the pay page when what they are made of has changed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

import { compressFolder } from './compress.mjs'
import { environmentWith, root } from './node-24.mjs'
import { Stop } from './stop.mjs'

const workspaces = ['console', 'paypage']

/** What every page is made of, beside its own folder. */
const sharedSources = ['contract', 'package-lock.json', 'tsconfig.base.json']

export function build(node) {
  for (const workspace of workspaces) {
    if (!fs.existsSync(path.join(root, workspace, 'vite.config.ts'))) {
      console.warn(`Not built: ${workspace} has no vite.config.ts.`)
      continue
    }
    const stampFile = path.join(root, workspace, 'dist', '.sources')
    const stamp = hashSources([workspace, ...sharedSources])
    if (fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === stamp) continue
    console.log(`Building ${workspace} …`)
    const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js')
    const run = spawnSync(node, [vite, 'build', '--logLevel', 'warn'], {
      cwd: path.join(root, workspace),
      env: environmentWith(node),
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    if (run.status !== 0) throw new Stop(`Building ${workspace} failed; the reason is above.`)
    compressFolder(path.join(root, workspace, 'dist'))
    fs.writeFileSync(stampFile, stamp)
  }
}

function hashSources(places) {
  const hash = createHash('sha256')
  for (const place of places) addToHash(hash, place)
  return hash.digest('hex')
}

function addToHash(hash, place) {
  const absolute = path.join(root, place)
  if (!fs.statSync(absolute).isDirectory()) {
    hash.update(place).update('\0').update(fs.readFileSync(absolute)).update('\0')
    return
  }
  for (const name of fs.readdirSync(absolute).toSorted()) {
    if (name !== 'node_modules' && name !== 'dist') addToHash(hash, `${place}/${name}`)
  }
}
