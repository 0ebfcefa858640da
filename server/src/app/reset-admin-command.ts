/*
 * `npm run admin:reset [-- <user name>]`: lets an admin in again who lost the password or the authenticator, `admin` where no name is
 * given. Prints the new first password once.
 */
import { openDatabase } from '../kit/database.ts'
import { resetAdmin } from '../identity/reset-admin.ts'
import { readOperatorSettings } from './operator-settings.ts'
import { exitWith, StartError } from './plain-errors.ts'

try {
  const [userName = 'admin', ...more] = process.argv.slice(2)
  if (more.length > 0) throw new StartError('Give one user name: npm run admin:reset -- admin')
  const { config } = readOperatorSettings(process.env)
  const { db, close } = openDatabase(config.databaseUrl, { maxConnections: 1 })
  const reset = await resetAdmin(db, userName)
    .catch((error: unknown) => {
      if ((error as { code?: string }).code !== '42P01') throw error
      throw new StartError('The database is empty; the first process that starts makes it, and an admin.')
    })
    .finally(close)
  if (!reset) throw new StartError(`No admin has the name ${userName}.`)
  process.stdout.write(
    `${reset.userName}: password ${reset.password} (shown this once; change it after signing in). The authenticator is gone, and all sessions ended.\n`,
  )
} catch (error) {
  exitWith(error)
}
