import { ConfigError } from '../config.ts'
import { EmbeddedPostgresError } from '../kit/embedded-postgres.ts'
import { ObjectStoreError } from '../kit/object-store/s3-store.ts'
import { MigrationRefused } from '../kit/migrate.ts'
import { BackupError } from './backup/backup-file.ts'

/** A fault of the surroundings that the operator can mend; the message is a whole sentence. */
export class StartError extends Error {
  override name = 'StartError'
}

/** The sentence an operator reads when the program cannot start; undefined for a fault of the program itself. */
export function plainSentence(error: unknown): string | undefined {
  if (
    error instanceof StartError ||
    error instanceof ConfigError ||
    error instanceof MigrationRefused ||
    error instanceof BackupError ||
    error instanceof EmbeddedPostgresError
  ) {
    return error.message
  }
  if (error instanceof ObjectStoreError) return `${error.message[0]?.toUpperCase()}${error.message.slice(1)}.`
  const { code, address, port, path, cause } = error as NodeJS.ErrnoException & {
    address?: string
    port?: number
    cause?: unknown
  }
  const worded = sentenceByWords(lastWords(error))
  if (worded) return worded
  const where = port ? `${address ?? 'localhost'}:${port}` : (address ?? '')
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use by another program. Stop it, or choose another with PORT (web), MQTT_PORT (devices) or HEALTH_PORT.`
    case 'EADDRNOTAVAIL':
      return `${address ?? 'An address'} is none of this machine: see HOST (web, health) and MQTT_HOST (devices).`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return port
        ? `Not allowed to listen on port ${port}. Let this user, or choose another with PORT (web), MQTT_PORT (devices) or HEALTH_PORT.`
        : `Not allowed to write ${path ?? where}. Give this user the right to, or choose another folder with DATA_DIR.`
    case 'EEXIST':
    case 'ENOTDIR':
      return `${path ?? where} cannot be made: a file has its name, or that of a folder above it.`
    case 'ENOSPC':
      return 'The disk is full.'
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'EAI_AGAIN':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ENOTFOUND':
    case 'ETIMEDOUT':
      return `Nothing answers at ${where || 'the address of a service'}: is it running, and is its address right (DATABASE_URL, MQTT_URL, S3_BUCKET_URL)?`
    case '28P01':
    case '28000':
      return 'The database refuses the user name or password in DATABASE_URL.'
    case '3D000':
      return 'The database named in DATABASE_URL does not exist.'
    case '57P03':
      return 'The database is starting or stopping; start again in a moment.'
    case '53300':
      return 'The database takes no more connections: lower DATABASE_CONNECTIONS here or on other processes, or raise its max_connections.'
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'CERT_HAS_EXPIRED':
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `The certificate of a service is not believed (${lastWords(error)}). Where an authority of your own signed it, name the file of that authority in NODE_EXTRA_CA_CERTS.`
    case '25006':
      return 'The database can only be read: it is a standby, or was set so. DATABASE_URL has to name the one that is written.'
    case '42501':
      return `The user in DATABASE_URL may not do this (${lastWords(error)}): it has to own the database.`
    default:
      return cause instanceof Error ? plainSentence(cause) : undefined
  }
}

/** Some faults have no code of their own. */
function sentenceByWords(words: string): string | undefined {
  if (/^timeout (expired|exceeded)|due to connection timeout$/.test(words))
    return 'The database in DATABASE_URL does not answer: does it hang, or does something else listen there?'
  if (/^SASL: .* password must be /.test(words))
    return 'The database wants a password, and DATABASE_URL has none.'
  if (/^The server does not support SSL connections$/.test(words))
    return 'The database speaks no TLS, which DATABASE_URL asks for with sslmode.'
  if (/^no pg_hba\.conf entry .* no encryption$/.test(words))
    return `The database refuses DATABASE_URL without TLS (${words}): end it with ?sslmode=verify-full.`
  if (words.startsWith('no pg_hba.conf entry '))
    return `The database lets nobody in from here as DATABASE_URL says (${words}).`
  if (/extension "?\w+"? is not available|could not open extension control file/.test(words))
    return `The database lacks an extension (${words}). The extensions that come with PostgreSQL have to be installed beside it.`
  return undefined
}

const lastWords = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Ends the process with a sentence, or with the whole error when it is ours to mend. */
export function exitWith(error: unknown): never {
  const sentence = plainSentence(error)
  process.stderr.write(
    `${sentence ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`,
  )
  process.exit(1)
}
