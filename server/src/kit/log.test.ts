import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const module = path.join(import.meta.dirname, 'log.ts')

it.skipIf(!fs.existsSync('/dev/full'))('a log whose disk is full ends nobody and holds nobody', async () => {
  const full = fs.openSync('/dev/full', 'w')
  const program = `
    const { createLog } = await import(${JSON.stringify(module)})
    const log = createLog('info')
    for (let line = 0; line < 4; line++) {
      log.info('x'.repeat(5000))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    process.exit(7)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', full, 'ignore'],
    timeout: 120_000,
    killSignal: 'SIGKILL',
  })
  expect(await once(child, 'exit')).toEqual([7, null])
  fs.closeSync(full)
})
