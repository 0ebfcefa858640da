// Type-checks every workspace; each has its own compiler settings (Node, DOM, JSX).
import { spawnSync } from 'node:child_process'

const workspaces = ['contract', 'server', 'sandbox', 'console', 'paypage', 'bench', 'e2e']
let failed = false
for (const workspace of workspaces) {
  const run = spawnSync('npx', ['--no-install', 'tsc', '-p', workspace], { stdio: 'inherit' })
  if (run.status !== 0) failed = true
}
process.exit(failed ? 1 : 0)
