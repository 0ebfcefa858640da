// Type-checks every workspace; each has its own compiler settings (Node, DOM, JSX).
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

import { root } from './node-24.mjs'

const { workspaces } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const failed = workspaces.filter((workspace) => {
  if (!hasSources(path.join(root, workspace, 'src'))) return false
  return (
    spawnSync(process.execPath, [compiler, '-p', workspace], { cwd: root, stdio: 'inherit' }).status !== 0
  )
})
process.exit(failed.length > 0 ? 1 : 0)

/** The compiler takes a workspace without a single file for a mistake. */
function hasSources(folder) {
  return (
    fs.existsSync(folder) && fs.readdirSync(folder, { recursive: true }).some((name) => /\.tsx?$/.test(name))
  )
}
