// Type-checks every workspace: those that know Node alone as one program, since they import each other's sources, and each
// with settings of its own (DOM, JSX) by itself.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

import { root } from './node-24.mjs'

const { workspaces } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const { include } = JSON.parse(fs.readFileSync(path.join(root, 'tsconfig.json'), 'utf8'))
const alone = workspaces.filter(
  (workspace) => !include.includes(`${workspace}/src`) && hasSources(path.join(root, workspace, 'src')),
)
const failed = ['.', ...alone].filter(
  (project) =>
    spawnSync(process.execPath, [compiler, '-p', project], { cwd: root, stdio: 'inherit' }).status !== 0,
)
process.exit(failed.length > 0 ? 1 : 0)

/** The compiler takes a workspace without a single file for a mistake. */
function hasSources(folder) {
  return (
    fs.existsSync(folder) && fs.readdirSync(folder, { recursive: true }).some((name) => /\.tsx?$/.test(name))
  )
}
