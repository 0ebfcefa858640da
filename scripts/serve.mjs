// npm run serve: production, with its settings from the environment.
import { keepingCompiled, prepare, runProgram } from './prepare.mjs'
import { runCommand } from './stop.mjs'

/*
 * How V8 keeps its memory.
 * - A young generation of 8 MB: left to itself it takes 130 MB as soon as somebody exports a large list. (With 4 MB, rows
 *   on their way grow old, and the same export takes 100 MB more.)
 * - The old generation is cleared when it has grown by 15%: left to itself it waits until there is twice as much, and the
 *   export took 20 to 60 MB more, differently each time. It takes no more processor time.
 */
const flags = ['--max-semi-space-size=8', '--heap-growing-percent=15']

await runCommand(() =>
  runProgram(prepare(), [...flags, 'server/src/main.ts', ...process.argv.slice(2)], {
    env: keepingCompiled,
  }),
)
