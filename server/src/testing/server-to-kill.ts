import fs from 'node:fs'
import { flushCompileCache } from 'node:module'
import { pino } from 'pino'
import { startServer } from '../app/start-server.ts'
import { readConfig } from '../config.ts'
import { listenToSteps } from '../kit/steps.ts'

/*
 * The server as it is, which ends itself without any goodbye when it comes to one of END_AT_STEPS for the END_AT_COUNT-th
 * time, and writes down which it was. Orders wait for SHORT_WINDOW_SECONDS to be paid, which is less than the setting
 * may be. Tells its parent when it serves.
 */

const { END_AT_STEPS = '', END_AT_COUNT = '1', SHORT_WINDOW_SECONDS = '', ...environment } = process.env
const ends = new Set(END_AT_STEPS.split(','))
let left = Number(END_AT_COUNT)
listenToSteps((step) => {
  if (!ends.has(step) || --left > 0) return
  fs.writeSync(process.stdout.fd, step)
  process.kill(process.pid, 'SIGKILL')
})
const config = readConfig(environment)
await startServer(
  { ...config, paymentWindowSeconds: Number(SHORT_WINDOW_SECONDS) },
  pino({ level: config.logLevel }),
)
// Who is killed has no time to keep what it compiled for the next one.
flushCompileCache()
process.send?.('serving')
