import { savedViewLimits, type AuditRow, type SavedView } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testTimeZone } from '../testing/test-server.ts'
import { startTestTeam, type TestTeam } from '../testing/test-team.ts'
import { createAuditCalls } from './audit-api.ts'

let team: TestTeam
beforeAll(async () => {
  team = await startTestTeam(createAuditCalls(testTimeZone))
})
afterAll(() => team.stop())

const orders = '/orders'
const devices = '/devices'
const save = (who: string, view: Record<string, unknown>) =>
  team.as<SavedView>(who, 'POST', '/api/user/views', { screen: orders, query: 'status=3', ...view })
const change = (who: string, id: number, body: Record<string, unknown>) =>
  team.as<SavedView>(who, 'PUT', `/api/user/views/${id}`, body)
const remove = (who: string, id: number) => team.as(who, 'DELETE', `/api/user/views/${id}`)
const offered = async (who: string, screen = orders) =>
  (await team.as<{ list: SavedView[] }>(who, 'GET', `/api/user/views?screen=${screen}`)).data.list
const namesFor = async (who: string, screen = orders) => (await offered(who, screen)).map(({ name }) => name)
const fieldsOf = ({ data }: { data: unknown }) => (data as { fields: Record<string, string> }).fields
const forget = () => team.pool.query('delete from saved_views')

describe('saved views', () => {
  it('are kept for each screen without the page, one’s own first and by name', async () => {
    await save('spa', { name: 'late', query: '?page=7&status=3&pagesize=30' })
    const { data } = await save('spa', { name: 'Early', query: 'pagename=x&page' })
    expect(data).toMatchObject({ name: 'Early', query: 'pagename=x', shared: false, own: true })
    await save('spa', { name: 'late', screen: devices, query: '' })
    await save('spa-clerk', { name: 'another', shared: true })
    expect(await offered('spa')).toMatchObject([
      { name: 'Early' },
      { name: 'late', query: 'status=3&pagesize=30', own: true, ownerName: 'spa' },
      { name: 'another', shared: true, own: false, ownerName: 'spa-clerk' },
    ])
    expect(await offered('spa', devices)).toMatchObject([{ name: 'late', query: '' }])
    await forget()
  })

  it('are one’s own until they are shared, and then those of the same organisation alone', async () => {
    const { data: view } = await save('spa', { name: 'mine' })
    const others = ['spa-clerk', 'spa-helper', 'gym', 'mall', 'north', 'admin']
    for (const who of others) expect(await offered(who), who).toEqual([])
    await change('spa', view.id, { shared: true })
    for (const who of others) {
      const told = await offered(who)
      if (who.startsWith('spa')) expect(told).toEqual([{ ...view, shared: true, own: false }])
      else expect(told, who).toEqual([])
    }
    await change('spa', view.id, { shared: false })
    expect(await offered('spa-clerk')).toEqual([])
    await forget()
  })

  it('are changed and deleted by their owner alone, whoever else may see them', async () => {
    const { data: view } = await save('spa', { name: 'mine', shared: true })
    for (const who of ['spa-clerk', 'gym', 'north', 'admin']) {
      expect((await change(who, view.id, { name: 'theirs' })).resultCode, who).toBe('104')
      expect((await remove(who, view.id)).resultCode, who).toBe('104')
    }
    expect(await offered('spa')).toEqual([view])
    // What is not said stays.
    expect((await change('spa', view.id, { name: 'ours' })).data).toEqual({ ...view, name: 'ours' })
    const overwritten = await change('spa', view.id, { query: 'status=5&page=2' })
    expect(overwritten.data).toEqual({ ...view, name: 'ours', query: 'status=5' })
    expect((await remove('spa', view.id)).success).toBe(true)
    expect((await remove('spa', view.id)).resultCode).toBe('104')
    expect(await offered('spa')).toEqual([])
  })

  it('have a name of their own on a screen, whatever the letters’ case', async () => {
    const { data: view } = await save('spa', { name: 'Late' })
    const { data: second } = await save('spa', { name: 'early' })
    const again = await save('spa', { name: ' late ' })
    expect(again.resultCode).toBe('100')
    expect(Object.keys(fieldsOf(again))).toEqual(['name'])
    expect(Object.keys(fieldsOf(await change('spa', second.id, { name: 'LATE' })))).toEqual(['name'])
    // Its own name is no other's.
    expect((await change('spa', view.id, { name: 'LATE' })).data).toMatchObject({ name: 'LATE' })
    expect((await save('spa', { name: 'late', screen: devices })).success).toBe(true)
    expect((await save('spa-clerk', { name: 'late' })).success).toBe(true)
    expect(await namesFor('spa')).toEqual(['early', 'LATE'])
    await forget()
  })

  it('are one when the same name is saved twenty times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => save('gym', { name: 'late' })))
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    expect(await namesFor('gym')).toEqual(['late'])
    await forget()
  })

  it('are as many as the refusal says, on all screens together and at once', async () => {
    const atOnce = await Promise.all(
      Array.from({ length: savedViewLimits.views + 5 }, (_, at) =>
        save('gym', { name: `view ${at}`, screen: at % 2 ? orders : devices }),
      ),
    )
    expect(atOnce.filter(({ success }) => success)).toHaveLength(savedViewLimits.views)
    const refused = await save('gym', { name: 'one more', screen: '/alerts' })
    expect(refused.resultCode).toBe('100')
    expect(fieldsOf(refused)['name']).toContain(String(savedViewLimits.views))
    const [first] = await offered('gym')
    await remove('gym', first?.id ?? 0)
    expect((await save('gym', { name: 'one more' })).success).toBe(true)
    await forget()
  })

  it('take names and queries up to their limits', async () => {
    const name = '名'.repeat(savedViewLimits.name)
    const query = 'q'.repeat(savedViewLimits.query)
    const { data: view } = await save('gym', { name, query })
    expect(await offered('gym')).toMatchObject([{ name, query }])
    for (const [body, field] of [
      [{ name: `${name}名` }, 'name'],
      [{ name: ' ' }, 'name'],
      [{ query: `${query}q` }, 'query'],
      [{ shared: 'perhaps' }, 'shared'],
      [{ screen: '/nowhere' }, 'screen'],
      [{ screen: 'https://example.org/orders' }, 'screen'],
      [{ screen: '/orders/' }, 'screen'],
      [{ screen: undefined }, 'screen'],
    ] as const) {
      const refused = await save('gym', { name: 'next', ...body })
      expect(refused.resultCode, JSON.stringify(body)).toBe('100')
      expect(Object.keys(fieldsOf(refused))).toEqual([field])
      if (field !== 'screen')
        expect(Object.keys(fieldsOf(await change('gym', view.id, body)))).toEqual([field])
    }
    const asked = await team.as('gym', 'GET', '/api/user/views?screen=/nowhere')
    expect(Object.keys(fieldsOf(asked))).toEqual(['screen'])
    expect(await namesFor('gym')).toEqual([name])
    await forget()
  })

  it('are in the audit trail with what was before', async () => {
    const { data: view } = await save('mall', { name: 'late' })
    await change('mall', view.id, { name: 'later', shared: true })
    await remove('mall', view.id)
    const trail = await team.as<{ list: AuditRow[] }>('mall', 'GET', '/api/audit')
    expect(trail.data.list.slice(0, 3)).toMatchObject([
      { userName: 'mall', action: 'view.delete', target: 'later', outcome: 'done' },
      {
        action: 'view.edit',
        target: 'late',
        changes: 'Name: late → later\nShared with colleagues: No → Yes',
      },
      { action: 'view.add', target: 'late' },
    ])
  })

  it('go with the account, those that were shared too', async () => {
    await save('spa-helper', { name: 'helpful', shared: true })
    expect(await namesFor('spa')).toEqual(['helpful'])
    await team.as('spa', 'DELETE', `/api/merchant/sub?id=${team.accounts['spa-helper']}`)
    expect(await offered('spa')).toEqual([])
  })
})
