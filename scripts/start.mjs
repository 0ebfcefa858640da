// npm start: the demo, with a database, a broker, simulated chairs and payment providers of its own.
import { keepingCompiled, prepare, runProgram } from './prepare.mjs'
import { runCommand } from './stop.mjs'

await runCommand(() =>
  runProgram(prepare(), ['server/src/start-demo.ts', ...process.argv.slice(2)], { env: keepingCompiled }),
)
