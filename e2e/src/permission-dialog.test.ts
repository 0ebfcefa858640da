import { getPermissionsOfUser, merchantSubAccounts, type MadeAccount } from '@chairside/contract'
import { expect, it } from 'vitest'
import { callAs } from './demo-calls.ts'
import { untilSettled } from './open-screen.ts'
import { receiveVisitors, type Visitor } from './visitor.ts'

const { url, visit } = receiveVisitors()
const { visit: visitInNewBrowser } = receiveVisitors({ inNewBrowsers: true })

/** Ids of nodes of the catalogue, by what the tree calls them. */
const nodes = { orders: 11, refund: 111, start: 112 } as const

/** A sub-account of the demo's merchant that holds some nodes; answers how to see and change what it holds. */
async function hire(userName: string, held: readonly number[]) {
  const call = await callAs(url, 'merchant')
  const { id } = await call<MadeAccount>('POST', '/api/merchant/sub', { userName, realName: 'Han Mei' })
  const grant = (oldRoles: readonly number[], selectedRoles: readonly number[]) =>
    call('POST', '/api/merchant/users/permissions', { id, oldRoles, selectedRoles })
  await grant([], held)
  const holds = async () => {
    const path = getPermissionsOfUser.path.replace(':userId', userName)
    const found = await call<{ permissionId: number }[]>('GET', path)
    return found.map(({ permissionId }) => permissionId)
  }
  return { grant, holds }
}

const treeOf = ({ page }: Visitor) => page.locator('.permission-tree')

async function openPermissions(merchant: Visitor, userName: string): Promise<void> {
  await merchant.button('identity.account.permissions', merchant.row(userName)).click()
}

async function tick(merchant: Visitor, key: 'order-refund' | 'order-start'): Promise<void> {
  const name = merchant.say(`permissions.button.${key}`)
  await treeOf(merchant).getByRole('checkbox', { name, exact: true }).first().check()
}

it('a grant that came meanwhile is not undone by who saves later, whatever was read again between', async () => {
  const account = await hire('hurried', [nodes.orders])
  const merchant = await visitInNewBrowser('merchant', 'en')
  const { page } = merchant
  await page.clock.install()
  await merchant.open('/subaccount?username=hurried')
  await openPermissions(merchant, 'hurried')
  await tick(merchant, 'order-refund')
  await account.grant([nodes.orders], [nodes.orders, nodes.start])
  // What was read is old after five seconds, and read again by who comes back to the window.
  await page.clock.fastForward('00:06')
  const listCame = page.waitForResponse(`**${merchantSubAccounts.list.path}?**`)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await listCame
  await untilSettled(page)
  await merchant.button('console.permissions.save', merchant.dialog()).click()
  await merchant.text('refusals.changedMeanwhile').waitFor()
  expect((await account.holds()).toSorted()).toEqual([nodes.orders, nodes.start])
})

it('nothing can be ticked before it is known what the account holds', async () => {
  const account = await hire('patient', [nodes.orders, nodes.start])
  const merchant = await visit('merchant', 'zh-CN')
  const { page } = merchant
  await merchant.open('/subaccount?username=patient')
  await openPermissions(merchant, 'patient')
  await treeOf(merchant).waitFor()
  await page.keyboard.press('Escape')
  await treeOf(merchant).waitFor({ state: 'detached' })

  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>()
  const { promise: isAwaited, resolve: goOn } = Promise.withResolvers<void>()
  await page.route(`**${getPermissionsOfUser.path.replace(':userId', 'patient')}`, async (route) => {
    ask()
    await isAwaited
    await route.continue()
  })
  await openPermissions(merchant, 'patient')
  // The tree is known of before, and would be there with the dialog.
  await Promise.all([merchant.dialog().waitFor(), isAsked])
  expect(await treeOf(merchant).count()).toBe(0)
  goOn()
  await tick(merchant, 'order-refund')
  await merchant.button('console.permissions.save', merchant.dialog()).click()
  await treeOf(merchant).waitFor({ state: 'detached' })
  expect((await account.holds()).toSorted()).toEqual([nodes.orders, nodes.refund, nodes.start])
})
