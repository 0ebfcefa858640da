import { endpoint, filter, integer, listOf, paging, text, type SheetColumn } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import yauzl from 'yauzl'
import { z } from 'zod'
import { handle, handleList, type Call } from '../call.ts'
import { sql } from '../database.ts'
import { addAccount, addOrganisation, startTestServer, type TestServer } from '../../testing/test-server.ts'
import { mountCalls } from './door.ts'

const columns: readonly SheetColumn[] = [
  { field: 'name', text: 'orders.field.goodsName', kind: 'text' },
  { field: 'paid', text: 'orders.field.orderFee', kind: 'money', totalled: true },
  { field: 'at', text: 'orders.field.orderTime', kind: 'dateTime' },
  { field: 'status', text: 'orders.field.status', kind: 'status', valueText: 'orders.status' },
]
const rowCount = 2500

const listThings = endpoint({
  verb: 'GET',
  path: '/api/test/things',
  summary: 'A list',
  needs: 'order.list',
  input: z.object({ ...paging, name: filter(text(5)) }),
  data: listOf(z.object({ name: z.string(), paid: z.int(), at: z.string(), status: z.string() })),
  refuses: [],
  sheet: { fileName: 'things.xlsx', columns },
})
const changeThing = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/test/things/:id',
  summary: 'A change',
  needs: 'order.refund',
  types: [2],
  audit: 'test.change',
  input: z.object({ id: integer(1, 99), name: text(5), note: filter(text(10)) }),
  data: z.object({ id: z.int(), name: z.string(), note: z.string() }),
  refuses: ['notPossible'],
})

function* things() {
  for (let index = 0; index < rowCount; index++) {
    yield {
      name: index === 0 ? '=1+1 & <b>' : `thing ${index}`,
      paid: 29,
      at: '2026-11-21T16:30:00.000Z',
      status: '3',
    }
  }
}

const calls: Call[] = [
  handleList(listThings, {
    page: async ({ input }) => ({ list: [...things()].slice(0, input.pagesize), total: rowCount }),
    rows: async function* () {
      yield [...things()]
    },
  }),
  handle(changeThing, async ({ db, input, refuse }) => {
    if (input.name === 'wait') await sql`set local lock_timeout = 100`.execute(db)
    await sql`update organisations set remark = ${input.name} where id = 1`.execute(db)
    if (input.name === 'no') refuse('notPossible')
    if (input.name === 'boom') throw new Error('a secret detail')
    return { id: input.id, name: input.name, note: input.note ?? '' }
  }),
]

let server: TestServer
let token: string
const remark = async () =>
  (await server.pool.query('select remark from organisations where id = 1')).rows[0].remark

beforeAll(async () => {
  server = await startTestServer(() => calls)
  await addOrganisation(server, 'merchant', 'spa')
  token = await server.signIn('spa')
})
afterAll(() => server.stop())

describe('the input of a call', () => {
  it.each([
    ['query', () => server.call('PUT', '/api/test/things/7?name=abc', { token })],
    ['JSON', () => server.call('PUT', '/api/test/things/7', { token, body: { name: 'abc' } })],
    [
      'the other verb',
      () => server.call('POST', '/api/test/things/7', { token, body: { name: 'abc', unknown: 1 } }),
    ],
    ['both alike', () => server.call('PUT', '/api/test/things/7?name=abc', { token, body: { name: 'abc' } })],
  ])('is taken from %s', async (_where, send) => {
    expect((await send()).body).toMatchObject({ success: true, data: { id: 7, name: 'abc' } })
  })

  it('is refused when a field comes with two values', async () => {
    const { body } = await server.call('PUT', '/api/test/things/7?name=abc', { token, body: { name: 'abd' } })
    expect(body).toMatchObject({
      resultCode: '100',
      data: { fields: { name: 'Given twice with different values' } },
    })
    expect((await server.call('PUT', '/api/test/things/7?name=a&name=b', { token })).body.resultCode).toBe(
      '100',
    )
  })

  it.each([
    [{ name: 'abcdef' }, { name: 'At most 5 characters' }],
    [{ name: '' }, { name: 'Required' }],
    [{ name: null }, { name: 'Required' }],
    [{ name: ['a'] }, { name: 'Not in the right format' }],
    [{ name: 'ok', note: 'x'.repeat(11) }, { note: 'At most 10 characters' }],
  ])('names the field of %j', async (body, fields) => {
    const before = await remark()
    expect((await server.call('PUT', '/api/test/things/7', { token, body })).body).toMatchObject({
      resultCode: '100',
      data: { fields },
    })
    expect(await remark()).toBe(before)
  })

  it.each(['{"toString":1}', '[{"toString":1}]', '{}', '["7",null]'])(
    'takes %s for another value than the one in the path, not for a fault of ours',
    async (text) => {
      const { body } = await server.call('PUT', '/api/test/things/7', {
        token,
        body: { id: JSON.parse(text), name: 'abc' },
      })
      expect(body).toMatchObject({ resultCode: '100', data: { fields: { id: expect.any(String) } } })
    },
  )

  it('refuses lists in lists, however deep, as what is in no right form', async () => {
    const headers = { 'content-type': 'application/json' }
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const { status, body } = await server.call('PUT', '/api/test/things/7', {
      token,
      headers,
      body: `{"name":${deep}}`,
    })
    expect([status, body]).toMatchObject([
      200,
      { resultCode: '100', data: { fields: { name: 'Not in the right format' } } },
    ])
  })

  it.each(['0', '100', 'x', '1.5', '9'.repeat(30)])('refuses %s for a number from 1 to 99', async (id) => {
    const { body } = await server.call<{ fields: Record<string, string> }>(
      'PUT',
      `/api/test/things/${id}?name=a`,
      { token },
    )
    expect(body.resultCode).toBe('100')
    expect(Object.keys(body.data.fields)).toEqual(['id'])
  })

  it('takes an empty JSON body for no fields', async () => {
    const { body } = await server.call('PUT', '/api/test/things/7?name=abc', {
      token,
      headers: { 'content-type': 'application/json' },
    })
    expect(body.success).toBe(true)
  })

  it('answers broken JSON and broken addresses with code 100', async () => {
    const headers = { 'content-type': 'application/json' }
    const message = 'Not in the right format'
    expect(
      (await server.call('PUT', '/api/test/things/7', { token, body: '{"name":', headers })).body,
    ).toMatchObject({ resultCode: '100', data: { fields: { body: message } } })
    expect((await server.call('PUT', '/api/test/things/%E0%A4%A', { token })).body).toMatchObject({
      resultCode: '100',
      data: { fields: { url: message } },
    })
  })
})

describe('a refusal', () => {
  it('changes nothing and is kept in the audit trail', async () => {
    await server.call('PUT', '/api/test/things/7?name=abc', { token })
    const { status, body } = await server.call('PUT', '/api/test/things/8?name=no', { token })
    expect([status, body.resultCode]).toEqual([200, '105'])
    expect(await remark()).toBe('abc')
    const { rows } = await server.pool.query(
      `select user_name, target, outcome from audit_trail where action = 'test.change' order by id desc limit 1`,
    )
    expect(rows[0]).toEqual({ user_name: 'spa', target: '8', outcome: '105' })
  })

  it('of an id that the database does not keep is a refusal like any other, and is kept too', async () => {
    const { status, body } = await server.call('PUT', '/api/test/things/a%00b?name=abc', { token })
    expect([status, body]).toMatchObject([
      200,
      { resultCode: '100', data: { fields: { id: expect.any(String) } } },
    ])
    const { rows } = await server.pool.query(
      `select target, outcome from audit_trail where action = 'test.change' order by id desc limit 1`,
    )
    expect(rows[0]).toEqual({ target: 'ab', outcome: '100' })
  })

  it('of an unexpected kind tells a reference and nothing else', async () => {
    const { status, body } = await server.call<{ reference: string }>('PUT', '/api/test/things/7?name=boom', {
      token,
    })
    expect([status, body.resultCode]).toEqual([500, '199'])
    expect(body.message).toContain(body.data.reference)
    expect(JSON.stringify(body)).not.toContain('secret detail')
  })

  it('of what another one held up for too long asks to come again, and is no fault', async () => {
    const other = await server.pool.connect()
    await other.query('begin')
    await other.query('select from organisations where id = 1 for update')
    const { status, body } = await server.call('PUT', '/api/test/things/7?name=wait', { token })
    await other.query('rollback')
    other.release()
    expect(status).toBe(503)
    expect(body).toMatchObject({ success: false, message: 'The service is not available right now' })
    expect((await server.call('PUT', '/api/test/things/7?name=wait', { token })).body.success).toBe(true)
  })

  it('answers who lacks the key or is of another type with 103', async () => {
    const { rows } = await server.pool.query(
      `select organisation_id as id from accounts where user_name = 'spa'`,
    )
    await addAccount(server, {
      organisationId: rows[0].id,
      userName: 'clerk',
      isOwner: false,
      tree: 'merchant',
      permissionIds: [11],
    })
    await addAccount(server, {
      organisationId: rows[0].id,
      userName: 'other-type',
      isOwner: false,
      tree: 'merchant',
    })
    for (const name of ['clerk', 'other-type']) {
      const { body } = await server.call('PUT', '/api/test/things/7?name=abc', {
        token: await server.signIn(name),
      })
      expect(body.resultCode).toBe('103')
    }
  })
})

describe('transport', () => {
  it('answers an unknown path, a large body and a strange kind with their status and the envelope', async () => {
    expect(await server.call('GET', '/api/nothing/here', { token })).toMatchObject({
      status: 404,
      body: { success: false, resultCode: '104' },
    })
    expect(
      await server.call('PUT', '/api/test/things/7', { token, body: { name: 'x'.repeat(300_000) } }),
    ).toMatchObject({ status: 413, body: { resultCode: '100' } })
    for (const [type, body] of [
      ['application/xml', '<a/>'],
      ['text/plain', '{"name":"abc"}'],
    ] as const)
      expect(
        await server.call('PUT', '/api/test/things/7', { token, body, headers: { 'content-type': type } }),
      ).toMatchObject({ status: 415 })
  })

  it('slows down who floods', async () => {
    const small = await startTestServer(undefined, { callsPerMinute: 5 })
    const statuses = []
    for (let index = 0; index < 7; index++)
      statuses.push((await small.call('GET', '/api/sessions/permissions')).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    await small.stop()
  })

  it('counts a call the same however its path is spelt', async () => {
    const small = await startTestServer(undefined, { callsPerMinute: 3 })
    const limits = []
    for (const path of [
      '/api/sessions',
      '/%61pi/sessions',
      '/%61pi/s%65ssions',
      'http://any.example/api/sessions',
    ]) {
      const { statusCode, headers } = await small.app.inject({ url: path })
      limits.push([statusCode, headers['cache-control']])
    }
    expect(limits).toEqual([
      [200, 'no-store'],
      [200, 'no-store'],
      [200, 'no-store'],
      [429, 'no-store'],
    ])
    // A call with a limit of its own has that.
    const codes = []
    for (let index = 0; index <= 30; index++)
      codes.push(
        await small.app.inject({
          method: 'POST',
          url: `/${index % 2 ? 'api' : '%61pi'}/sessions/twostep/123456`,
        }),
      )
    expect(codes.map(({ statusCode }) => statusCode)).toEqual([...Array(30).fill(200), 429])
    expect(Number(codes.at(-1)?.headers['retry-after'])).toBeGreaterThan(0)
    await small.stop()
  })

  it('answers data, which as a page may do nothing', async () => {
    const { headers } = await server.call('GET', '/api/test/things', { token })
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
  })

  it('forbids inline script and framing on a page', async () => {
    const { headers } = await server.app.inject('/no-call')
    expect(headers['content-security-policy']).toContain("script-src 'self';")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  it('does not start with a call that nobody guards', () => {
    const { needs: _needs, ...open } = listThings as typeof listThings & { needs: string }
    expect(() =>
      mountCalls(server.app, [{ endpoint: { ...open, open: '' }, run: async () => null }], {} as never),
    ).toThrow(/neither a permission/)
  })
})

describe('a list', () => {
  it('comes whole for page size 0, with its total', async () => {
    const { body } = await server.call<{ list: unknown[]; total: number }>(
      'GET',
      '/api/test/things?pagesize=0',
      { token },
    )
    expect([body.success, body.data.list.length, body.data.total]).toEqual([true, rowCount, rowCount])
  })

  it('comes as an Excel file with a total row, in the caller’s language, without formulas', async () => {
    const { headers, body } = await server.call('GET', '/api/test/things', {
      token,
      headers: {
        accept: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        'accept-language': 'zh-CN',
      },
    })
    expect(headers['content-disposition']).toContain('things.xlsx')
    const files = await unzip(body as unknown as Buffer)
    expect(files['xl/workbook.xml']).toContain('name="Sheet1"')
    const sheet = files['xl/worksheets/sheet1.xml'] ?? ''
    expect(sheet.match(/<row/g)).toHaveLength(rowCount + 2)
    expect(sheet.slice(0, 3000) + sheet.slice(-300)).toContain('<t>商品</t>')
    expect(sheet.slice(0, 3000) + sheet.slice(-300)).toContain('=1+1 &amp; &lt;b&gt;')
    expect(sheet.slice(0, 3000) + sheet.slice(-300)).not.toContain('<f>')
    expect(sheet.slice(0, 3000) + sheet.slice(-300)).toContain('<v>0.29</v>')
    expect(sheet.slice(0, 3000) + sheet.slice(-300)).toContain(`<v>${(rowCount * 29) / 100}</v>`)
    expect(sheet.slice(0, 3000)).toContain('已支付')
    // 2026-11-22 00:30 in Shanghai.
    expect(sheet.slice(0, 3000) + sheet.slice(-300)).toContain('<v>46348.0208333')
  })
})

function unzip(file: Buffer): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const files: Record<string, string> = {}
    yauzl.fromBuffer(file, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error)
      zip.on('end', () => resolve(files))
      zip.on('entry', (entry: yauzl.Entry) => {
        zip.openReadStream(entry, (problem, stream) => {
          if (problem) return reject(problem)
          const chunks: Buffer[] = []
          stream.on('data', (chunk: Buffer) => chunks.push(chunk))
          stream.on('end', () => {
            files[entry.fileName] = Buffer.concat(chunks).toString()
            zip.readEntry()
          })
        })
      })
      zip.readEntry()
    })
  })
}
