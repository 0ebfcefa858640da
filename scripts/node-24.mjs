// Finds a Node that runs TypeScript directly. Plain JavaScript: whatever Node the machine has must read this.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const wantedMajor = 24

/** The path of a Node 24 or newer: the one installed with the dependencies, else the one running this. */
export function findNode() {
  const bundled = path.join(root, 'node_modules', bundledNodePackage(), 'bin', 'node')
  return [bundled, process.execPath].find((candidate) => majorOf(candidate) >= wantedMajor)
}

/** The optional dependency that brings Node for this machine. */
export function bundledNodePackage() {
  return `node-${process.platform}-${process.arch}`
}

/** The environment in which `node` and the tools of node_modules are found first. */
export function environmentWith(node) {
  const folders = [path.dirname(node), path.join(root, 'node_modules', '.bin'), process.env.PATH ?? '']
  return { ...process.env, PATH: folders.join(path.delimiter) }
}

function majorOf(node) {
  const run = spawnSync(node, ['--version'], { encoding: 'utf8' })
  return run.status === 0 ? Number(/^v(\d+)/.exec(run.stdout)?.[1]) : 0
}
