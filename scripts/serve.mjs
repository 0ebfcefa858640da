// npm run serve: production, with its settings from the environment.
import { keepingCompiled, prepare, runProgram } from './prepare.mjs'
import { runCommand } from './stop.mjs'

// A young generation of 8 MB: left to itself it takes 130 MB as soon as somebody exports a large list.
const flags = ['--max-semi-space-size=8']

await runCommand(() =>
  runProgram(prepare(), [...flags, 'server/src/main.ts', ...process.argv.slice(2)], { env: keepingCompiled }),
)
