import fs from 'node:fs'
import path from 'node:path'

/** Where the database of a data folder is, as its embedded server wrote it down; undefined where there is none. */
export function embeddedDatabaseUrl(dataDirectory: string): string | undefined {
  const file = path.resolve(dataDirectory, 'postgres/connection.json')
  if (!fs.existsSync(file)) return undefined
  const { port, password } = JSON.parse(fs.readFileSync(file, 'utf8')) as { port: number; password: string }
  return `postgres://chairside:${encodeURIComponent(password)}@127.0.0.1:${port}/chairside`
}
