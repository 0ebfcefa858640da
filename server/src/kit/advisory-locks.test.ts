import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { advisoryLocks } from './advisory-locks.ts'

const source = path.join(import.meta.dirname, '..')
const migrations = path.join(source, '../migrations')

it('no two advisory locks have one number', () => {
  const numbers = Object.values(advisoryLocks)
  expect(new Set(numbers).size).toBe(numbers.length)
})

it('the locks that migrations take are among them', () => {
  const taken = fs
    .readdirSync(migrations)
    .flatMap((name) =>
      fs
        .readFileSync(path.join(migrations, name), 'utf8')
        .matchAll(/advisory\w*lock\w*\((\d+)/g)
        .toArray(),
    )
    .map(([, number]) => Number(number))
  expect(taken.length).toBeGreaterThan(3)
  expect(Object.values(advisoryLocks)).toEqual(expect.arrayContaining(taken))
})

it('the program names the locks it takes', () => {
  const unnamed = fs
    .readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) => /pg_\w*advisory\w*lock\w*\(\d/.test(fs.readFileSync(path.join(source, name), 'utf8')))
  expect(unnamed).toEqual([])
})
