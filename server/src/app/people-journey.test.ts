import type { PermissionNode, SessionUser } from '@chairside/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await startTestNetwork()
})
afterAll(() => network.stop())

interface Made {
  id: number
  password: string
}

const login = async (username: string, password: string) =>
  (await network.call<SessionUser>('POST', '/api/sessions/login', { body: { username, password } })).body.data

/** Signs in with a first password and changes it, as everybody has to. */
async function begin(userName: string, { password }: Made): Promise<string> {
  const { token, mustChangePassword } = await login(userName, password)
  expect(mustChangePassword).toBe(true)
  expect((await network.call('GET', '/api/dashboard', { token })).body.resultCode).toBe('105')
  const newPassword = `${userName} knows`
  const { body } = await network.call('POST', '/api/sessions/passwordchange', {
    token,
    body: { oldPassword: password, newPassword, newPasswordAgain: newPassword },
  })
  expect(body.success).toBe(true)
  return (await login(userName, newPassword)).token
}

async function make(token: string, path: string, body: Record<string, unknown>): Promise<Made> {
  const answer = await network.call<Made>('POST', path, { token, body })
  expect(answer.body.resultCode).toBe('000')
  return answer.body.data
}

const menuOf = async (token: string) =>
  (await network.call<PermissionNode[]>('GET', '/api/sessions/permissions', { token })).body.data.flatMap(
    ({ children }) =>
      children.map(({ url, children: buttons }) => [url, ...buttons.map(({ tag }) => tag)].join(' ')),
  )

it('an admin makes an agent, who makes a merchant, who makes a sub-account with two rights, which sees just those', async () => {
  const agent = await begin(
    'east',
    await make(network.tokens.admin, '/api/agent', { userid: 'east', name: 'East' }),
  )
  expect(await menuOf(agent)).toContain('/agentorder')
  const merchant = await begin(
    'east-spa',
    await make(agent, '/api/merchant', { userid: 'east-spa', name: 'East Spa' }),
  )
  expect(await menuOf(merchant)).toContain(
    '/subaccount subaccount.add subaccount.modify subaccount.permission subaccount.password subaccount.delete users.twostepreset',
  )
  const made = await make(merchant, '/api/merchant/sub', { userName: 'east-clerk', realName: 'Clerk' })
  const clerk = await begin('east-clerk', made)
  expect(await menuOf(clerk)).toEqual([])
  const granted = await network.call('POST', '/api/merchant/users/permissions', {
    token: merchant,
    body: {
      id: made.id,
      userId: 'east-clerk',
      oldRoles: [],
      selectedRoles: [31],
      halfSelectedRoles: [11],
      roles: [31, 11],
    },
  })
  expect(granted.body.data).toEqual([{ permissionId: 11 }, { permissionId: 31 }])
  expect(await menuOf(clerk)).toEqual(['/orders', '/devices'])
  expect((await network.call('GET', '/api/orders', { token: clerk })).body.success).toBe(true)
  expect((await network.call('GET', '/api/orders/refunds', { token: clerk })).body.resultCode).toBe('103')

  // What the agent takes from the merchant, its sub-account loses in mid-session.
  const id = (await login('east-spa', 'east-spa knows')).merchantId
  const held = (
    await network.call<{ permissionId: number }[]>('GET', '/api/admin/permissions/users/east-spa', {
      token: agent,
    })
  ).body.data.map(({ permissionId }) => permissionId)
  // The page goes with its buttons: whoever keeps one of those keeps the page.
  const isOfDevices = (node: number) => String(node).startsWith('31')
  const taken = await network.call('POST', '/api/merchant/permissions', {
    token: agent,
    body: { id, type: '2', oldRoles: held, selectedRoles: held.filter((node) => !isOfDevices(node)) },
  })
  expect(taken.body.success).toBe(true)
  expect(await menuOf(clerk)).toEqual(['/orders'])
  expect((await network.call('GET', '/api/devices', { token: clerk })).body.resultCode).toBe('103')

  const trail = await network.call<{ list: { action: string; userName: string }[] }>(
    'GET',
    '/api/audit?outcome=done&pagesize=50',
    { token: agent },
  )
  expect(trail.body.data.list.map(({ action, userName }) => `${userName} ${action}`)).toEqual(
    expect.arrayContaining([
      'east users.addmerchant',
      'east-spa subaccount.add',
      'east-spa subaccount.permission',
      'east users.permmerchant',
      'east-clerk session.passwordchange',
    ]),
  )
})
