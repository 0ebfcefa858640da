import { pino, type Level, type Logger } from 'pino'

/** A write to the log's file costs more than the line itself, so that lines leave together, at the latest after this. */
const longestKeptMs = 500
const keptBytes = 4096
/** Lines that cannot be written are kept up to here; further ones are left out. */
const mostKeptBytes = 4 * 1024 * 1024

/** The log of a process, as lines of JSON on its standard output. What is kept leaves before the process ends. */
export function createLog(level: Level | 'silent'): Logger {
  const output = pino.destination({
    sync: false,
    minLength: keptBytes,
    periodicFlush: longestKeptMs,
    maxLength: mostKeptBytes,
  })
  const { flushSync } = output
  // A disk that is full of logs keeps nobody from working. It would also be tried for ever when the process ends.
  output.on('error', () => {
    output.flushSync = () => undefined
  })
  output.on('write', () => {
    output.flushSync = flushSync
  })
  return pino({ level }, output)
}
