// npm run check: types, lint, format, imports, documents and the lockfile.
import { runChecks } from './checks.mjs'
import { install } from './install.mjs'
import { runCommand } from './stop.mjs'

await runCommand(() => {
  const failed = runChecks(install())
  console.log(failed.length > 0 ? `Failed: ${failed.join(', ')}` : 'All checks passed')
  return failed.length > 0 ? 1 : 0
})
