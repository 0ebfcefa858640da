// Brings node_modules to what package-lock.json says. Imports nothing that an install would bring.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { bundledNodePackage, findNode, root } from './node-24.mjs'
import { Stop } from './stop.mjs'

const stampFile = path.join(root, 'node_modules', '.chairside-lock')

/** Installs when something is missing, and returns the path of a Node 24. */
export function install() {
  const lock = fs.readFileSync(path.join(root, 'package-lock.json'))
  const stamp = createHash('sha256').update(lock).digest('hex')
  if (readText(stampFile) !== stamp) {
    if (!isInstalled(JSON.parse(lock.toString()))) runInstall()
    try {
      fs.writeFileSync(stampFile, stamp)
    } catch {
      // Installed by another user; the next start compares again, which takes a moment longer.
    }
  }
  const node = findNode()
  if (node) return node
  throw new Stop(
    `Chairside needs Node 24; this is ${process.version}, and npm left out the optional package ${bundledNodePackage()} that brings it.`,
    'Run "npm ci --include=optional", or install Node 24 or newer.',
  )
}

/** Compares what npm noted in node_modules, so that somebody's own "npm ci" or "npm install" is not repeated. */
function isInstalled(lock) {
  const noted = readText(path.join(root, 'node_modules', '.package-lock.json'))
  if (!noted) return false
  const installed = JSON.parse(noted).packages
  return Object.entries(lock.packages).every(([place, wanted]) => {
    if (!place.includes('node_modules/') || wanted.link) return true
    if (!installed[place]) return wanted.optional === true && !fitsThisMachine(wanted)
    return installed[place].version === wanted.version && fs.existsSync(path.join(root, place))
  })
}

/** Optional packages that name a machine are built for it; the others only replace those where none fits. */
function fitsThisMachine({ os: systems, cpu: processors, libc }) {
  const mine = systems?.includes(process.platform) && processors?.includes(process.arch)
  return mine === true && !libc?.includes('musl')
}

function runInstall() {
  console.log('Installing the dependencies (npm ci) …')
  // Whatever the umask, the owner must be able to read what was installed.
  process.umask(process.umask() & 0o077)
  const options = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  if (!isWritable(process.env.npm_config_cache ?? path.join(os.homedir(), '.npm'))) {
    options.push('--cache', path.join(root, '.cache', 'npm'))
  }
  const npm = process.env.npm_execpath?.endsWith('.js')
    ? [process.execPath, process.env.npm_execpath]
    : ['npm']
  const run = spawnSync(npm[0], [...npm.slice(1), ...options], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (run.status === 0) return
  throw new Stop(
    `The dependencies could not be installed${run.error ? ` (${run.error.message})` : ''}; npm says why above.`,
    'They need access to the npm registry, and write access to this folder.',
  )
}

/** True when the folder, or the nearest one above that exists, may be written. */
function isWritable(folder) {
  try {
    fs.mkdirSync(folder, { recursive: true })
    fs.accessSync(folder, fs.constants.W_OK)
    return true
  } catch {
    return false
  }
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
