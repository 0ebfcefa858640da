// What can be judged without running the product.
import { spawnSync } from 'node:child_process'

import { environmentWith, root } from './node-24.mjs'

const checks = [
  { name: 'types', command: ['scripts/typecheck.mjs'] },
  { name: 'lint', command: ['node_modules/oxlint/bin/oxlint', '--deny-warnings'] },
  { name: 'format', command: ['node_modules/oxfmt/bin/oxfmt', '--check'] },
  { name: 'imports', command: ['scripts/check-imports.mjs'] },
  { name: 'tables', command: ['scripts/check-tables.mjs'] },
  { name: 'docs', command: ['scripts/check-docs.mjs'] },
  { name: 'lockfile', command: ['scripts/check-lockfile.mjs'] },
]

/** Runs all of them, also after one has failed. @returns the names of those that failed */
export function runChecks(node) {
  return checks
    .filter(({ name, command }) => {
      console.log(`Checking ${name} …`)
      const options = { cwd: root, env: environmentWith(node), stdio: ['ignore', 'inherit', 'inherit'] }
      return spawnSync(node, command, options).status !== 0
    })
    .map(({ name }) => name)
}
