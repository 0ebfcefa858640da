// npm run serve: production, with its settings from the environment.
import { prepare, runProgram } from './prepare.mjs'
import { runCommand } from './stop.mjs'

await runCommand(() => runProgram(prepare(), ['server/src/main.ts', ...process.argv.slice(2)]))
