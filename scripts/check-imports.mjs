// Checks every import of the sources against scripts/import-table.mjs, that no files import each other in a circle, and
// that a package stands in the package.json of the workspace that imports it.
import fs from 'node:fs'
import path from 'node:path'

import {
  consoleOpenFolders,
  sandboxUsers,
  serverOpenFiles,
  serverReach,
  serverWiring,
  workspaceMayImport,
} from './import-table.mjs'
import { root } from './node-24.mjs'

const statement = /^\s*(?:import|export)\s+(?:type\s+)?(?:[^'"`;()]*?\sfrom\s+)?['"]([^'"]+)['"]/gm
const dynamic = /\bimport\(\s*['"]([^'"]+)['"]/g

const files = Object.keys(workspaceMayImport).flatMap((workspace) => listSources(`${workspace}/src`))
const imports = files.flatMap((file) => readImports(file))
const problems = [
  ...imports.flatMap((edge) => judge(edge) ?? []),
  ...findCircles(imports),
  ...Object.keys(workspaceMayImport).flatMap((workspace) => findUndeclared(workspace)),
]
for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 ? 1 : 0)

function listSources(folder) {
  const absolute = path.join(root, folder)
  if (!fs.existsSync(absolute)) return []
  return fs
    .readdirSync(absolute, { recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`)
}

function importedNames(file) {
  const text = fs.readFileSync(path.join(root, file), 'utf8')
  return [...text.matchAll(statement), ...text.matchAll(dynamic)].map(([, name]) => name)
}

/** @returns a line for each package that is only there because another workspace brings it */
function findUndeclared(workspace) {
  const file = path.join(root, workspace, 'package.json')
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(fs.readFileSync(file, 'utf8'))
  const declared = { ...dependencies, ...devDependencies, ...optionalDependencies }
  const packages = listSources(`${workspace}/src`)
    .flatMap((source) => importedNames(source))
    .flatMap((name) => /^(?!node:|virtual:|\.)(?:@[^/]+\/)?[^/]+/.exec(name) ?? [])
  return [...new Set(packages)]
    .filter((name) => !(name in declared))
    .map((name) => `${workspace}/package.json lacks ${name}`)
}

function readImports(file) {
  return importedNames(file).flatMap((name) => {
    if (name.startsWith('.')) return [{ file, target: path.posix.join(path.posix.dirname(file), name) }]
    const [, workspace, rest] = /^@chairside\/([^/]+)\/?(.*)$/.exec(name) ?? []
    return workspace ? [{ file, target: `${workspace}/src/${rest || 'index'}.ts` }] : []
  })
}

/** @returns what is wrong with this import, if anything */
function judge({ file, target }) {
  const [from, to] = [file, target].map((each) => {
    const [workspace, , folder, ...rest] = each.split('/')
    if (serverOpenFiles.includes(each)) return { workspace, folder: 'kit' }
    return { workspace, folder: rest.length > 0 ? folder : 'app' }
  })
  const refusal = `${file} may not import ${target}`
  if (from.workspace !== to.workspace) {
    const playsOutside =
      from.workspace === 'server' &&
      to.workspace === 'sandbox' &&
      (sandboxUsers.includes(from.folder) || /\.test\.tsx?$/.test(file))
    return playsOutside || workspaceMayImport[from.workspace].includes(to.workspace) ? undefined : refusal
  }
  const isTest = /\.test\.tsx?$/.test(file)
  if (from.workspace === 'server' && !isTest && !serverWiring.includes(from.folder)) {
    const allowed = serverReach.get(from.folder)
    if (!allowed) return `${file}: the folder ${from.folder} has no row in scripts/import-table.mjs`
    if (!allowed.has(to.folder)) return `${refusal} (${from.folder} → ${to.folder})`
  }
  if (from.workspace === 'server' && to.folder === 'testing' && !isTest && from.folder !== 'testing') {
    return `${refusal} (what tests use stays out of the product)`
  }
  if (from.workspace === 'console' && !isTest && from.folder !== 'app') {
    if (to.folder !== from.folder && !consoleOpenFolders.includes(to.folder)) {
      return `${refusal} (${from.folder} → ${to.folder})`
    }
  }
  return undefined
}

/** One line for each circle of files, of types as well: what two files share belongs in a third. */
function findCircles(edges) {
  const next = Map.groupBy(edges, ({ file }) => file)
  const done = new Set()
  const circles = []
  const visit = (file, trail) => {
    const start = trail.indexOf(file)
    if (start >= 0) circles.push(`Files import each other: ${[...trail.slice(start), file].join(' → ')}`)
    if (start >= 0 || done.has(file)) return
    for (const { target } of next.get(file) ?? []) visit(target, [...trail, file])
    done.add(file)
  }
  for (const file of next.keys()) visit(file, [])
  return circles
}
