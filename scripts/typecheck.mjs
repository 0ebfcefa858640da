// Type-checks every workspace: those that know Node alone as one program, since they import each other's sources, and each
// with settings of its own (DOM, JSX) by itself.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

import { root } from './node-24.mjs'

const { workspaces } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const { include } = JSON.parse(fs.readFileSync(path.join(root, 'tsconfig.json'), 'utf8'))
const alone = workspaces.filter(
  (workspace) => !include.includes(`${workspace}/src`) && hasSources(path.join(root, workspace, 'src')),
)
// Side by side, each with one checker: several within a program check again what they share. What each says comes whole.
const outcomes = await Promise.all(['.', ...alone].map(check))
process.exit(outcomes.includes(false) ? 1 : 0)

async function check(project) {
  const run = promisify(execFile)(process.execPath, [compiler, '-p', project, '--checkers', '1'], {
    cwd: root,
    maxBuffer: Infinity,
    // The compiler tidies up its memory less often: it soon gives back all of it.
    env: { ...process.env, GOGC: '400' },
  })
  const { stdout, stderr, code, message } = await run.catch((error) => error)
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  if (code !== undefined && !stdout && !stderr) console.error(`${project}: ${message}`)
  return code === undefined
}

/** The compiler takes a workspace without a single file for a mistake. */
function hasSources(folder) {
  return (
    fs.existsSync(folder) && fs.readdirSync(folder, { recursive: true }).some((name) => /\.tsx?$/.test(name))
  )
}
