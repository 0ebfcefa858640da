import { pino, type Level, type Logger } from 'pino'

/** A write to the log's file costs more than the line itself, so that lines leave together, at the latest after this. */
const longestKeptMs = 500
const keptBytes = 4096

/** The log of a process, as lines of JSON on its standard output. What is kept leaves before the process ends. */
export const createLog = (level: Level | 'silent'): Logger =>
  pino({ level }, pino.destination({ sync: false, minLength: keptBytes, periodicFlush: longestKeptMs }))
