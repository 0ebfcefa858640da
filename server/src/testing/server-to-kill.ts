import { flushCompileCache } from 'node:module'
import { pino } from 'pino'
import { startServer } from '../app/start-server.ts'
import { readConfig } from '../config.ts'
import { listenToSteps } from '../kit/steps.ts'

/*
 * The server as it is, which ends itself without any goodbye when it reaches END_AT_STEP for the END_AT_COUNT-th time.
 * Tells its parent when it serves.
 */

const { END_AT_STEP, END_AT_COUNT = '1', ...environment } = process.env
let left = Number(END_AT_COUNT)
listenToSteps((step) => {
  if (step === END_AT_STEP && --left === 0) process.kill(process.pid, 'SIGKILL')
})
const config = readConfig(environment)
await startServer(config, pino({ level: config.logLevel }))
// Who is killed has no time to keep what it compiled for the next one.
flushCompileCache()
process.send?.('serving')
