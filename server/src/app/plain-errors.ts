import { ConfigError } from '../config.ts'
import { EmbeddedPostgresError } from '../kit/embedded-postgres.ts'
import { ObjectStoreError } from '../kit/object-store/s3-store.ts'
import { MigrationRefused } from '../kit/migrate.ts'
import { BackupError } from './backup/backup-file.ts'

/** A fault of the surroundings that the operator can mend; the message is a whole sentence. */
export class StartError extends Error {
  override name = 'StartError'
}

/** What Node and PostgreSQL tell of a fault. */
type Fault = NodeJS.ErrnoException & { address?: string; port?: number; cause?: unknown }

const place = ({ address, port }: Fault) => (port ? `${address ?? 'localhost'}:${port}` : (address ?? ''))

const notAllowed = (fault: Fault) =>
  fault.port
    ? `Not allowed to listen on port ${fault.port}. Let this user, or choose another with PORT (web), MQTT_PORT (devices) or HEALTH_PORT.`
    : `Not allowed to write ${fault.path ?? place(fault)}. Give this user the right to, or choose another folder with DATA_DIR.`
const inTheWay = (fault: Fault) =>
  `${fault.path ?? place(fault)} cannot be made: a file has its name, or that of a folder above it.`
const notReached = (fault: Fault) =>
  `Nothing answers at ${place(fault) || 'the address of a service'}: is it running, and is its address right (DATABASE_URL, MQTT_URL, S3_BUCKET_URL)?`
const notTrusted = ({ message }: Fault) =>
  `The certificate of a service is not trusted (${message}). Where an authority of your own signed it, name the file of that authority in NODE_EXTRA_CA_CERTS.`
const brokenOff = () =>
  'The connection to the database broke off: was it restarted, or the network interrupted? Try again.'
const wrongLogin = () => 'The database refuses the user name or password in DATABASE_URL.'

/** By the code of the fault: the system's, that of TLS, or PostgreSQL's. */
const sentences: Record<string, (fault: Fault) => string> = {
  EADDRINUSE: ({ port }) =>
    `Port ${port} is in use by another program. Stop it, or choose another with PORT (web), MQTT_PORT (devices) or HEALTH_PORT.`,
  EADDRNOTAVAIL: ({ address }) =>
    `This machine does not have the address ${address ?? 'it is to listen on'}: see HOST (web, health) and MQTT_HOST (devices).`,
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: notAllowed,
  EEXIST: inTheWay,
  ENOTDIR: inTheWay,
  ENOSPC: () => 'The disk is full.',
  ECONNREFUSED: notReached,
  ECONNRESET: notReached,
  EAI_AGAIN: notReached,
  EHOSTUNREACH: notReached,
  ENETUNREACH: notReached,
  ENOTFOUND: notReached,
  ETIMEDOUT: notReached,
  SELF_SIGNED_CERT_IN_CHAIN: notTrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: notTrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: notTrusted,
  CERT_HAS_EXPIRED: notTrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: notTrusted,
  '28P01': wrongLogin,
  '28000': wrongLogin,
  '3D000': () => 'The database named in DATABASE_URL does not exist.',
  '57P01': brokenOff,
  '57P02': brokenOff,
  '57P03': () => 'The database is starting or stopping; start again in a moment.',
  '53300': () =>
    'The database takes no more connections: lower DATABASE_CONNECTIONS here or on other processes, or raise its max_connections.',
  '25006': () =>
    'The database can only be read: it is a standby, or was set so. DATABASE_URL has to name the one that is written.',
  '42501': ({ message }) =>
    `The user in DATABASE_URL may not do this (${message}): it has to own the database.`,
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
  if (!(error instanceof Error)) return sentenceByWords(String(error))
  const { message } = error
  if (error instanceof ObjectStoreError) return `${message[0]?.toUpperCase()}${message.slice(1)}.`
  const { code, cause }: Fault = error
  return (
    sentenceByWords(message) ??
    (code === undefined ? undefined : sentences[code]?.(error)) ??
    (cause instanceof Error ? plainSentence(cause) : undefined)
  )
}

/** Some faults have no code of their own. */
function sentenceByWords(words: string): string | undefined {
  if (/^timeout (expired|exceeded)|due to connection timeout$/.test(words))
    return 'The database in DATABASE_URL does not answer: does it hang, or does something else listen there?'
  if (/^Connection terminated| is not queryable$/.test(words)) return brokenOff()
  if (/^SASL: .* password must be /.test(words))
    return 'The database wants a password, and DATABASE_URL has none.'
  if (/^The server does not support SSL connections$/.test(words))
    return 'The database speaks no TLS, which DATABASE_URL asks for with sslmode.'
  if (/^no pg_hba\.conf entry .* no encryption$/.test(words))
    return `The database refuses DATABASE_URL without TLS (${words}): end it with ?sslmode=verify-full.`
  if (words.startsWith('no pg_hba.conf entry '))
    return `The database does not let DATABASE_URL in from this machine (${words}).`
  if (/extension "?\w+"? is not available|could not open extension control file/.test(words))
    return `The database lacks an extension (${words}). The extensions that come with PostgreSQL have to be installed beside it.`
  return undefined
}

/** Ends the process with a sentence, or with the whole error when it is ours to mend. */
export function exitWith(error: unknown): never {
  const sentence = plainSentence(error)
  process.stderr.write(
    `${sentence ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`,
  )
  process.exit(1)
}
