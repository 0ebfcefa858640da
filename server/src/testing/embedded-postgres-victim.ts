// Run by kit/embedded-postgres.test.ts: starts a database, says its address, and waits to be killed.
import { startEmbeddedPostgres } from '../kit/embedded-postgres.ts'

const { url } = await startEmbeddedPostgres({ dataDirectory: process.argv[2] ?? '', durable: true })
process.stdout.write(`${url}\n`)
setInterval(() => undefined, 60_000)
