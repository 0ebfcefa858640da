/*
 * `npm run backup -- <folder>`: writes everything into one new file of the folder, while the server runs. Ends with 0 when the file
 * is whole, with 1 when there is none, and with 2 when pictures are missing in it.
 */
import { openPictureStore } from '../picture-files.ts'
import { readOperatorSettings, typedPath } from '../operator-settings.ts'
import { exitWith, StartError } from '../plain-errors.ts'
import { backUp } from './back-up.ts'

/** Everything else is in the backup: it can be restored, and whoever makes it every night has to hear of it. */
const withoutPicturesCode = 2

try {
  const typed = process.argv[2]
  if (!typed || process.argv.length > 3)
    throw new StartError('Say into which folder, and nothing else: npm run backup -- /var/backups/chairside')
  const { config } = readOperatorSettings(process.env)
  const { file, bytes, rows, pictures, missing } = await backUp(
    { databaseUrl: config.databaseUrl, pictures: openPictureStore(config) },
    typedPath(typed, process.env),
  )
  const megabytes = (bytes / 1_000_000).toFixed(1)
  process.stdout.write(`${file}: ${rows} rows, ${pictures} pictures, ${megabytes} MB\n`)
  if (missing.length > 0) {
    process.stderr.write(
      `Pictures that are not where they are kept (DATA_DIR or S3_BUCKET_URL), and not in the backup: ${missing.join(', ')}\n`,
    )
    process.exitCode = withoutPicturesCode
  }
} catch (error) {
  exitWith(error)
}
