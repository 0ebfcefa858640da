import { endpoints, type AuditRow, type Endpoint } from '@chairside/contract'
import type { Language } from '@chairside/contract/locales/languages'
import { translate } from '@chairside/contract/locales/texts'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { testPassword, testTimeZone } from '../testing/test-server.ts'
import { startTestTeam, type TestTeam } from '../testing/test-team.ts'
import { createAuditCalls } from './audit-api.ts'
import { insertAudit } from './audit-sql.ts'
import { changeWords, withClock } from './change-words.ts'
import { describeChanges } from './describe-changes.ts'

let team: TestTeam
beforeAll(async () => {
  team = await startTestTeam(createAuditCalls(testTimeZone))
  await team.as('spa', 'POST', '/api/merchant/sub', { userName: 'one', realName: 'One' })
  await team.as('gym', 'POST', '/api/merchant/sub', { userName: 'two', realName: 'Two' })
  await team.as('mall', 'POST', '/api/merchant/sub', { userName: 'three', realName: 'Three' })
  await team.as('north', 'POST', '/api/agent/sub', { userName: 'four', realName: 'Four' })
  await team.as('spa-clerk', 'PUT', '/api/merchant/sub', { id: team.accounts['spa-helper'], realName: 'New' })
  await team.as('spa', 'DELETE', `/api/merchant/sub?id=${team.accounts['mall']}`)
  await team.as('admin', 'POST', '/api/admin/users', { userName: 'five', realName: 'Five' })
})
afterAll(() => team.stop())

interface List {
  list: AuditRow[]
  total: number
  more?: boolean
}
const trail = async (who: string, query = '') =>
  (await team.as<List>(who, 'GET', `/api/audit?pagesize=50&${query}`)).data
const changesOf = ({ list }: List) =>
  list.filter(({ action }) => !action.startsWith('session.')).map(({ target }) => target)

describe('the audit trail', () => {
  it('shows everybody their own part: an agent its subtree, a merchant its own, a clerk what it did', async () => {
    expect(changesOf(await trail('mall'))).toEqual(['three'])
    expect(changesOf(await trail('gym'))).toEqual(['two'])
    expect(changesOf(await trail('spa'))).toEqual([String(team.accounts['mall']), 'spa-helper', 'one'])
    expect(changesOf(await trail('spa-clerk'))).toEqual(['spa-helper'])
    expect(changesOf(await trail('north'))).toEqual([
      String(team.accounts['mall']),
      'spa-helper',
      'four',
      'two',
      'one',
    ])
    expect(changesOf(await trail('north-clerk'))).toEqual(changesOf(await trail('north')))
    expect(changesOf(await trail('south'))).toEqual(['three'])
    expect(changesOf(await trail('fjord'))).toEqual([])
    expect(changesOf(await trail('admin'))).toHaveLength(7)
  })

  it('tells who, when, from where, what, before and after', async () => {
    const { list } = await trail('spa', 'target=spa-helper')
    expect(list).toEqual([
      {
        id: expect.any(Number),
        time: expect.stringMatching(/^\d{4}-/),
        userName: 'spa-clerk',
        organisationId: team.organisations.spa,
        organisationName: 'spa',
        action: 'subaccount.modify',
        target: 'spa-helper',
        resultCode: '000',
        outcome: 'done',
        address: '127.0.0.1',
        changes: 'Name: spa-helper → New',
        before: { userName: 'spa-helper', realName: 'spa-helper', twoStepRequired: false },
        after: { userName: 'spa-helper', realName: 'New', twoStepRequired: false },
      },
    ])
  })

  it('keeps what was refused, and a sign-in with whose account it was tried on', async () => {
    const refused = await trail('spa', 'outcome=refused')
    expect(refused.list).toHaveLength(1)
    expect(refused.list[0]).toMatchObject({ action: 'subaccount.delete', resultCode: '104' })
    const login = (username: string, password: string) =>
      team.call('POST', '/api/sessions/login', { body: { username, password } })
    await login('GYM', 'wrong password')
    await login('no-such-user', 'wrong password')
    expect((await trail('gym', 'outcome=refused')).list[0]).toMatchObject({
      action: 'session.login',
      userName: 'gym',
      resultCode: '101',
    })
    expect((await trail('admin', 'outcome=refused&username=No-Such-User')).total).toBe(1)
    await login('gym', testPassword)
    expect((await trail('gym', 'action=session.login&outcome=done')).list[0]?.userName).toBe('gym')
  })

  it('finds by user, action, target, outcome and period, together and apart', async () => {
    const total = async (query: string) => (await trail('north', query)).total
    expect(await total('username=SPA-clerk&action=subaccount.modify')).toBe(1)
    expect(await total('username=spa&action=subaccount.modify')).toBe(0)
    expect(await total('action=subaccount.add')).toBe(3)
    expect(await total('action=subaccount.add&outcome=refused')).toBe(0)
    expect(await total('target=three')).toBe(0)
    // Of what is told by its name, a part of it is enough; of an order, its id in whatever letters.
    expect(await total('target=PA-HELP&action=subaccount.modify')).toBe(1)
    expect(await total('target=helper-&action=subaccount.modify')).toBe(0)
    expect(await total('target=s%25r&action=subaccount.modify')).toBe(0)
    await team.pool.query(
      `insert into audit_trail (user_name, organisation_id, action, target)
       values ('spa', $1, 'order.refund', 'KT2603011200001'), ('spa', $1, 'device.lock', 'G1001, G1002'), ('spa', $1, 'place.add', '海底角店')`,
      [team.organisations.spa],
    )
    expect(await total('target=kt2603011200001')).toBe(1)
    expect(await total('target=03011200001')).toBe(0)
    expect(await total('target=g1002')).toBe(1)
    expect(await total(`target=${encodeURIComponent('底角')}`)).toBe(1)
    await team.pool.query(
      `delete from audit_trail where target in ('KT2603011200001', 'G1001, G1002', '海底角店')`,
    )
    await team.pool.query(`update audit_trail set at = '2026-03-01T15:59:59Z' where target = 'one'`)
    await team.pool.query(`update audit_trail set at = '2026-03-01T16:00:00Z' where target = 'two'`)
    const of = async (query: string) => (await trail('north', query)).list.map(({ target }) => target)
    expect(await of('startdate=2026-03-01&enddate=2026-03-01')).toEqual(['one'])
    expect(await of('startdate=2026-03-02&enddate=2026-03-02')).toEqual(['two'])
    expect(await of('enddate=2026-03-02')).toEqual(['two', 'one'])
    expect(
      (await team.as('north', 'GET', '/api/audit?startdate=2026-03-02&enddate=2026-03-01')).data,
    ).toEqual({ fields: { startdate: 'The start is after the end' } })
  })

  it('pages without gap or repeat, for one organisation as for many', async () => {
    for (const who of ['north', 'spa', 'admin', 'spa-clerk']) {
      const all = await trail(who)
      const paged: number[] = []
      for (let pagenum = 1; pagenum <= Math.ceil(all.total / 3); pagenum++) {
        const page = await team.as<List>(who, 'GET', `/api/audit?pagesize=3&pagenum=${pagenum}`)
        expect(page.data.total).toBe(all.total)
        paged.push(...page.data.list.map(({ id }) => id))
      }
      expect(paged, who).toEqual(all.list.map(({ id }) => id))
    }
  })

  it('leaves as an Excel file and as a stream in the same order', async () => {
    const answer = await team.app.inject({
      url: '/api/audit',
      headers: {
        'x-access-token': await team.signIn('south'),
        accept: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      },
    })
    expect(answer.headers['content-disposition']).toContain('audit.xlsx')
    expect(answer.rawPayload.subarray(0, 2).toString()).toBe('PK')
    const ids = async (query: string) =>
      (await team.as<List>('north', 'GET', `/api/audit?${query}`)).data.list.map(({ id }) => id)
    expect(await ids('pagesize=0')).toEqual(await ids('pagesize=900'))
  })

  it('counts to ten thousand and says that there is more', async () => {
    const add = (count: number) =>
      team.pool.query(
        `insert into audit_trail (at, user_name, organisation_id, action, target)
         select now() - interval '1 year' - make_interval(secs => n), 'old', $1, 'device.lock', 'old' from generate_series(1, $2::int) n`,
        [team.organisations.mall, count],
      )
    await add(10_000)
    const { total, more } = await trail('south', 'target=old')
    expect([total, more]).toEqual([10_000, false])
    await add(1)
    expect(await trail('south', 'target=old')).toMatchObject({ total: 10_000, more: true })
    const last = await team.as<List>('south', 'GET', '/api/audit?target=old&pagesize=10&pagenum=1001')
    expect(last.data.list).toHaveLength(1)
  })

  it('is for those who hold its key', async () => {
    await team.give('gym', [11])
    expect((await team.as('gym', 'GET', '/api/audit')).resultCode).toBe('103')
  })

  it('tells each change in one line, whatever lines somebody typed', async () => {
    for (const realName of ['New\nTwo-step required: no → yes', 'New']) {
      const body = { id: team.accounts['spa-helper'], realName }
      await team.as('spa', 'PUT', '/api/merchant/sub', body)
    }
    const { list } = await trail('spa', 'target=spa-helper&action=subaccount.modify')
    expect(list[0]?.changes).toBe('Name: New ⏎ Two-step required: no → yes → New')
    expect(list[1]?.changes).toBe('Name: New → New ⏎ Two-step required: no → yes')
  })

  it('masks what is secret, however deep, and shows that it was set', async () => {
    await insertAudit(team.db, {
      at: new Date(),
      principal: null,
      userName: 'somebody',
      action: 'test',
      target: 'masked',
      outcome: '000',
      details: {
        before: { apiSecret: 'tell nobody', keys: [{ privateKey: 'nor this' }], hasPassword: true },
        after: { newPassword: '123456', otp: '654321', accessToken: 'abc', name: 'shown' },
      },
      address: '::1',
    })
    const { rows } = await team.pool.query(
      `select details::text as text from audit_trail where target = 'masked'`,
    )
    expect(rows[0].text).not.toMatch(/tell nobody|nor this|123456|654321|abc/)
    expect(rows[0].text).toContain('shown')
    expect(rows[0].text).toContain('true')
  })

  it('has words in both languages for every change that a call declares', () => {
    const actions = (Object.values(endpoints) as Endpoint[]).flatMap(({ audit }) => audit ?? [])
    const untold = [...new Set(actions)].filter((action) =>
      (['en', 'zh-CN'] as const).some((language) => {
        const key = `audit.action.${action}`
        return translate(language, key) === key
      }),
    )
    expect(untold).toEqual([])
  })
})

describe('what changed', () => {
  it.each([
    [{ a: 1, b: 'x' }, { a: 2, b: 'x' }, 'a: 1 → 2'],
    [undefined, { name: 'new' }, 'name: new'],
    [{ name: 'old' }, undefined, 'name: old →'],
    [[1, 2, 3], [2, 3, 4], '+4; −1'],
    [{ ids: [1] }, { ids: [1, 2] }, 'ids: +2'],
    [[{ id: 1, at: null }], [{ id: 1, at: 'x' }], '+id 1, at x; −id 1, at —'],
    [undefined, undefined, ''],
  ])('%j → %j', (before, after, text) => {
    expect(describeChanges(before, after)).toBe(text)
  })
})

describe('the words of what changed', () => {
  const told = (language: Language, action: string, before: unknown, after: unknown) =>
    describeChanges(before, after, changeWords(language, action))

  it.each([
    ['users.editagent', { name: 'A', mobile: '1' }, { name: 'B', mobile: '1' }, 'Name: A → B', '名称：A → B'],
    ['users.statusagent', { status: '1' }, { status: '2' }, 'Status: Enabled → Locked', '状态：启用 → 锁定'],
    [
      'superusers.edit',
      { twoStepRequired: false },
      { twoStepRequired: true },
      'Two-step required: No → Yes',
      '要求两步验证：否 → 是',
    ],
    [
      'subaccount.permission',
      [11, 14],
      [11, 111],
      '+Orders · Refund; −Refunds',
      '+订单管理 · 退款; −退款管理',
    ],
    [
      'goods.modify',
      { price: 1000 },
      { price: 99 },
      'Price (yuan): 10.00 → 0.99',
      '价格（元）：10.00 → 0.99',
    ],
    [
      'order.endrefund',
      { status: 0 },
      { status: 4 },
      'Status: Failed → Ended by hand',
      '状态：退款失败 → 已手动结束',
    ],
    [
      'device.lock',
      [{ locked: 0 }],
      [{ locked: 1 }],
      '+Lock Disabled; −Lock Enabled',
      '+锁定 停用; −锁定 启用',
    ],
    [
      'device.massage',
      undefined,
      { operation: 'start', minutes: 10 },
      'Operation: Start\nMinutes: 10',
      '操作：启动\n分钟数：10',
    ],
    ['batch.modify', { model: 'M1' }, { model: 'M2' }, 'Model: M1 → M2', '型号：M1 → M2'],
    [
      'place.hours',
      { hours: '00:00–24:00' },
      { hours: '10:00–22:00' },
      'Business hours: All day → 10:00–22:00',
      '营业时间：全天 → 10:00–22:00',
    ],
    [
      'users.move',
      [
        { id: 5, name: 'spa', parentId: 3, parentName: 'North' },
        { id: 6, name: 'gym', parentId: 3 },
      ],
      [
        { id: 5, name: 'spa', parentId: 4, parentName: 'South' },
        { id: 6, name: 'gym', parentId: 4, parentName: 'South' },
      ],
      'spa (5): Agent above North (3) → South (4)\ngym (6): Agent above 3 → South (4)',
      'spa（5）：上级代理商 North（3） → South（4）\ngym（6）：上级代理商 3 → South（4）',
    ],
    [
      'notification.add',
      undefined,
      { events: ['alertRaised', 'refundFailed'] },
      'Tells of: Alert raised, Refund failed',
      '通知内容：产生告警、退款失败',
    ],
    ['users.add', undefined, { some: 'other' }, 'some: other', 'some：other'],
  ])('of %s are those of its form, in both languages', (action, before, after, english, chinese) => {
    expect(told('en', action, before, after)).toBe(english)
    expect(told('zh-CN', action, before, after)).toBe(chinese)
  })
})

describe('the clock of what changed', () => {
  it('is the platform’s, and what ends without a time is told too', () => {
    const words = withClock(changeWords('en', 'device.mute'), 'Asia/Shanghai')
    const at = (mutedUntil: string | null) => [{ deviceId: 'G1', mutedUntil }]
    const none = [{ deviceId: 'G1' }]
    expect(describeChanges(none, at('2026-11-22T16:30:00.000Z'), words)).toBe(
      'G1: Muted until 2026-11-23 00:30:00',
    )
    expect(describeChanges(none, at(null), words)).toBe('G1: Muted until —')
  })
})

describe('what strangers try', () => {
  afterEach(() => void vi.useRealTimers())

  it('is kept up to a measure, and of known names all', async () => {
    const { rows: before } = await team.pool.query<{ id: string }>(
      'select coalesce(max(id), 0) as id from audit_trail',
    )
    // A day later than what was tried before, and all within a minute, however long passwords take to check.
    vi.useFakeTimers({ toFake: ['performance'] })
    vi.advanceTimersByTime(86_400_000)
    const login = (username: string, index: number) =>
      team.call('POST', '/api/sessions/login', {
        body: { username, password: 'wrong password' },
        address: `203.0.${Math.floor(index / 200)}.${index % 200}`,
      })
    for (let index = 0; index < 150; index++) await login(`stranger-${index}`, index)
    await login('south', 200)
    const { rows: kept } = await team.pool.query<{ name: string }>(
      `select user_name as name from audit_trail where id > $1 order by id`,
      [before[0]?.id],
    )
    const strangers = kept.filter(({ name }) => name.startsWith('stranger-'))
    expect(strangers).toHaveLength(120)
    expect(kept.at(-1)?.name).toBe('south')
  })
})
