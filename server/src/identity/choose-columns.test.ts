import type { AuditRow, HiddenColumns, SessionUser } from '@chairside/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testPassword, testTimeZone } from '../testing/test-server.ts'
import { startTestTeam, type TestTeam } from '../testing/test-team.ts'
import { createAuditCalls } from './audit-api.ts'

let team: TestTeam
beforeAll(async () => {
  team = await startTestTeam(createAuditCalls(testTimeZone))
})
afterAll(() => team.stop())

const devices = '/api/devices'
const orders = '/api/orders'
const choose = (who: string, body: Record<string, unknown>) =>
  team.as<HiddenColumns>(who, 'PUT', '/api/user/columns', body)
/** What the console is told of somebody when it is opened again. */
const carried = async (who: string) =>
  (await team.as<SessionUser>(who, 'POST', '/api/sessions/login/nopass')).data.hiddenColumns

describe('the columns somebody does not want to see', () => {
  it('are kept for each list, and come with the session and the next sign-in', async () => {
    expect(await carried('spa')).toEqual({})
    const chosen = await choose('spa', { list: devices, hidden: ['signals', 'model', 'signals'] })
    expect(chosen).toMatchObject({ success: true, data: { [devices]: ['signals', 'model'] } })
    await choose('spa', { list: orders, hidden: 'payId,goodsName' })
    const both = { [devices]: ['signals', 'model'], [orders]: ['payId', 'goodsName'] }
    expect(await carried('spa')).toEqual(both)
    const again = await team.call<SessionUser>('POST', '/api/sessions/login', {
      body: { username: 'spa', password: testPassword },
    })
    expect(again.body.data.hiddenColumns).toEqual(both)
  })

  it('are nobody else’s, not even in the same organisation', async () => {
    await choose('spa-clerk', { list: devices, hidden: ['name'] })
    expect(await carried('spa-helper')).toEqual({})
    expect(await carried('spa-clerk')).toEqual({ [devices]: ['name'] })
  })

  it('are those of the list again when nothing is said, which is not the same as hiding none', async () => {
    await choose('gym', { list: devices, hidden: [] })
    expect(await carried('gym')).toEqual({ [devices]: [] })
    expect((await choose('gym', { list: devices })).data).toEqual({})
    expect(await carried('gym')).toEqual({})
  })

  it.each([
    ['a list that is none', { list: '/api/nothing', hidden: [] }, 'list'],
    ['a call that changes something', { list: '/api/user/columns', hidden: [] }, 'list'],
    ['no list', { hidden: [] }, 'list'],
    ['too many', { list: devices, hidden: Array.from({ length: 61 }, (_, at) => `c${at}`) }, 'hidden'],
    ['a name that is too long', { list: devices, hidden: ['x'.repeat(41)] }, 'hidden'],
    ['an empty name', { list: devices, hidden: [''] }, 'hidden'],
  ])('refuse %s at its field, and stay as they are', async (_what, body, field) => {
    await choose('north', { list: devices, hidden: ['model'] })
    const { resultCode, data } = await choose('north', body)
    expect(resultCode).toBe('100')
    expect(Object.keys((data as unknown as { fields: object }).fields)).toEqual([field])
    expect(await carried('north')).toEqual({ [devices]: ['model'] })
  })

  it('are one choice when twenty are made at once', async () => {
    expect(await carried('south')).toEqual({})
    const wanted = Array.from({ length: 20 }, (_, at) => [`c${at}`])
    const answers = await Promise.all(wanted.map((hidden) => choose('south', { list: devices, hidden })))
    expect(answers.every(({ success }) => success)).toBe(true)
    expect(wanted).toContainEqual((await carried('south'))[devices])
  })

  it('are in the audit trail with what was before', async () => {
    await choose('mall', { list: devices, hidden: ['model'] })
    await choose('mall', { list: devices, hidden: ['model', 'name'] })
    const trail = await team.as<{ list: AuditRow[] }>('mall', 'GET', '/api/audit?action=session.columns')
    expect(trail.data.list[0]).toMatchObject({
      userName: 'mall',
      target: 'mall',
      changes: `${devices}: +name`,
    })
  })

  it('go with the account', async () => {
    await choose('spa-helper', { list: devices, hidden: ['model'] })
    const id = team.accounts['spa-helper']
    await team.as('spa', 'DELETE', `/api/merchant/sub?id=${id}`)
    const { rows } = await team.pool.query('select 1 from list_columns where account_id = $1', [id])
    expect(rows).toEqual([])
  })
})
