// npm run build: the console and the pay page, when their sources have changed.
import { prepare } from './prepare.mjs'
import { runCommand } from './stop.mjs'

await runCommand(() => {
  prepare()
  return 0
})
