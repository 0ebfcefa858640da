import { expect, it } from 'vitest'
import { instanceNameOf } from './instance-name.ts'

it('a gateway is called by its host and port', () => {
  expect(instanceNameOf('hall.example', 8080)).toBe('hall-example-8080')
})

it('gateways whose hosts differ only at the end of long names have names of their own, the same each time', () => {
  const host = (end: string) => `chairside-production-gateway-7d9f8b6c5d-${end}`
  const names = [host('abcde'), host('fghij')].map((name) => instanceNameOf(name, 8080))
  expect(new Set([...names, instanceNameOf(host('abcde'), 8081)]).size).toBe(3)
  expect(names[0]).toBe(instanceNameOf(host('abcde'), 8080))
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{40}$/)
})
