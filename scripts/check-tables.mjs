// Checks every table that the SQL of a domain names against scripts/import-table.mjs: data has the direction of imports.
import fs from 'node:fs'
import path from 'node:path'

import { alsoNamesTables, namesEveryTable, serverReach, tablesOf } from './import-table.mjs'
import { root } from './node-24.mjs'

const comment = /\/\*[^]*?\*\/|^\s*(?:\/\/|--).*$/gm
const named = /\b(?:from|join|into|update)\s+([a-z_]+)/g

const ownerOf = new Map(
  Object.entries(tablesOf).flatMap(([owner, tables]) => tables.map((table) => [table, owner])),
)
const made = tablesOfMigrations()
const problems = [
  ...[...made].filter((table) => !ownerOf.has(table)).map((table) => `${table} is nobody's table`),
  ...[...ownerOf.keys()].filter((table) => !made.has(table)).map((table) => `There is no table ${table}`),
  ...[...serverReach].flatMap(([domain, reach]) => judge(domain, reach)),
]
for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 ? 1 : 0)

function tablesOfMigrations() {
  const tables = new Set()
  for (const { text } of readFiles('server/migrations', /\.sql$/)) {
    for (const [, act, table] of text.matchAll(/\b(create|drop) table (?:if (?:not )?exists )?([a-z_]+)/g)) {
      if (act === 'create') tables.add(table)
      else tables.delete(table)
    }
  }
  return tables
}

/** @returns the tables that a domain names and may not */
function judge(domain, reach) {
  if (namesEveryTable.includes(domain)) return []
  return readFiles(`server/src/${domain}`, /(?<!\.test)\.ts$/).flatMap(({ file, text }) =>
    [...new Set([...text.matchAll(named)].map(([, table]) => table))]
      .filter((table) => ownerOf.has(table) && !reach.has(ownerOf.get(table)))
      .filter((table) => !alsoNamesTables[domain]?.includes(table))
      .map((table) => `${file} may not name ${table} (${domain} → ${ownerOf.get(table)})`),
  )
}

function readFiles(folder, pattern) {
  const absolute = path.join(root, folder)
  if (!fs.existsSync(absolute)) return []
  const names = fs.readdirSync(absolute, { recursive: true }).filter((name) => pattern.test(name))
  return names.toSorted().map((name) => ({
    file: `${folder}/${name.replaceAll(path.sep, '/')}`,
    text: fs.readFileSync(path.join(absolute, name), 'utf8').replaceAll(comment, ''),
  }))
}
