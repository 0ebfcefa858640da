import { endpoints, type Endpoint, type EndpointName } from '@chairside/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await startTestNetwork()
})
afterAll(() => network.stop())

const calls = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(([name]) => name !== 'logout')

/** What people, programs and attackers put into fields. */
const strange = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e9',
    '9'.repeat(40),
    'NaN',
    'null',
    'undefined',
    'true',
    "' or 1=1 --",
    '"; drop table orders; --',
    '%',
    '\\',
    '\u0000',
    '../../etc/passwd',
    '<script>alert(1)</script>',
    '=1+1',
    '😀'.repeat(60),
    '測試',
    '2026-02-30',
    '2026-13-01',
    '0000-00-00',
    '9999-12-31',
    '1.005',
  ),
  fc.string({ maxLength: 400, unit: 'grapheme' }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.integer(), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', '__proto__', 'length'), fc.integer(), { maxKeys: 2 }),
  fc.constant('x'.repeat(5000)),
)

const marks = async () => {
  const { rows } = await network.pool.query(`
    select (select count(*) from orders) as orders, (select count(*) from refunds) as refunds, (select sum(status) from orders) as statuses,
           (select sum(status) from refunds) as refund_statuses, (select count(*) from ledger_entries) as entries, (select count(*) from device_commands) as commands`)
  return rows[0]
}

/** As a query would carry it; an object without a text of its own as JSON. */
const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const ask = (endpoint: Endpoint, input: Record<string, unknown>, asQuery: boolean, token: string) => {
  const path = endpoint.path.replace(
    /:(\w+)/g,
    (_whole, name: string) =>
      encodeURIComponent(textOf(input[name] ?? 'x').toWellFormed()).replace(/%00/g, '%20') || 'x',
  )
  const rest = Object.fromEntries(
    Object.entries(input).filter(([name]) => !endpoint.path.includes(`:${name}`)),
  )
  if (endpoint.verb === 'GET' || asQuery) {
    const query = new URLSearchParams(
      Object.entries(rest).map(([name, value]) => [name, textOf(value)] as [string, string]),
    )
    return network.call(endpoint.verb, `${path}?${query}`, { token })
  }
  return network.call(endpoint.verb, path, { token, body: rest })
}

describe('whatever stands in the fields of a call', () => {
  it('is answered by the envelope, names the field it refuses, and breaks nothing', async () => {
    const before = await marks()
    let tried = 0
    const input = fc.constantFrom(...calls).chain(([name, endpoint]) =>
      fc.record({
        name: fc.constant(name),
        endpoint: fc.constant(endpoint),
        fields: fc.record(
          Object.fromEntries(Object.keys(endpoint.input.shape).map((field) => [field, strange])),
          { requiredKeys: [] },
        ),
        asQuery: fc.boolean(),
        role: fc.constantFrom('admin', 'merchant', 'agent') as fc.Arbitrary<'admin' | 'merchant' | 'agent'>,
      }),
    )
    await fc.assert(
      fc.asyncProperty(input, async ({ name, endpoint, fields, asQuery, role }) => {
        const { status, body } = await ask(endpoint, fields, asQuery, network.tokens[role])
        tried++
        expect([200, 404, 413, 429], `${name} ${JSON.stringify(fields)}`).toContain(status)
        if (Buffer.isBuffer(body)) return
        expect(typeof body.resultCode, name).toBe('string')
        expect(body.resultCode, name).not.toBe('199')
        if (body.resultCode !== '100') return
        const named = Object.keys((body.data as { fields?: Record<string, string> } | null)?.fields ?? {})
        expect(named.length, `${name} ${JSON.stringify(fields)}`).toBeGreaterThan(0)
        for (const field of named)
          expect([...Object.keys(endpoint.input.shape), 'url', 'body'], name).toContain(field)
      }),
      { numRuns: 3000 },
    )
    expect(tried).toBeGreaterThanOrEqual(3000)
    expect(await marks()).toEqual(before)
  })
})
