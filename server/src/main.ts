import { exitWith } from './app/plain-errors.ts'
import { startServer } from './app/start-server.ts'
import { createFirstAdmin } from './identity/first-admin.ts'
import { readConfig } from './config.ts'
import { createLog } from './kit/log.ts'

/* Production: everything from the environment, no demo. */

// What is printed below goes where the log goes, whose disk may be full.
process.stdout.on('error', () => undefined)

try {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const server = await startServer(config, log)
  const admin = await createFirstAdmin(server.database.db)
  if (admin)
    process.stdout.write(
      `First admin: ${admin.userName}, password ${admin.password} (shown this once; change it after signing in)\n`,
    )
  const stop = (signal: string) => {
    log.info({ signal }, 'stopping')
    server.stop().then((isClean) => process.exit(isClean ? 0 : 1), exitWith)
  }
  // SIGHUP comes when the terminal it was started from is closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, stop)
  const { roles } = config
  process.stdout.write(
    server.url ? `Chairside serves ${server.url}\n` : `Chairside runs as ${roles.join(' and ')}\n`,
  )
  if (config.healthPort !== undefined) process.stdout.write(`Health and metrics: ${server.healthUrl}\n`)
} catch (error) {
  exitWith(error)
}
