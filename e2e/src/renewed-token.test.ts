import { expect, it } from 'vitest'
import { untilSettled } from './open-screen.ts'
import { receiveVisitors, type Visitor } from './visitor.ts'

const { visit } = receiveVisitors()

const tokenOf = ({ page }: Visitor) => page.evaluate(() => sessionStorage.getItem('token'))

/** Opens the orders. What is asked beside them from then on never arrives: it would end the session of a made-up token. */
async function openOrdersAlone(visitor: Visitor): Promise<void> {
  await visitor.open('/orders')
  await visitor.page.getByRole('table').waitFor()
  await untilSettled(visitor.page)
  const isBeside = ({ pathname }: URL) => pathname.startsWith('/api/') && pathname !== '/api/orders'
  await visitor.page.route(isBeside, () => undefined)
}

it.each([
  ['an Excel file', 'console.list.export'],
  ['a list', 'console.list.refresh'],
] as const)('the new token that comes with %s replaces the stored one', async (_what, button) => {
  const merchant = await visit('merchant', 'en')
  await openOrdersAlone(merchant)
  const before = await tokenOf(merchant)
  await merchant.page.route(
    '**/api/orders?**',
    async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), 'x-access-token': 'a new one' } })
    },
    { times: 1 },
  )
  expect(before).toHaveLength(43)
  await merchant.button(button).click()
  await expect.poll(() => tokenOf(merchant)).toBe('a new one')
})

it('an answer that comes after somebody else has signed in leaves their token alone', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  await openOrdersAlone(merchant)
  const { promise: isReplaced, resolve: replace } = Promise.withResolvers<void>()
  await page.route(
    '**/api/orders?**',
    async (route) => {
      const response = await route.fetch()
      const json = (await response.json()) as { data: { total: number } }
      json.data.total = 7654
      await isReplaced
      const headers = { ...response.headers(), 'x-access-token': 'a late one' }
      await route.fulfill({ response, json, headers })
    },
    { times: 1 },
  )
  await merchant.button('console.list.refresh').click()
  await page.evaluate(() => sessionStorage.setItem('token', 'of somebody else'))
  replace()
  // Its token would be taken before it is shown.
  await merchant.text('console.list.total', { count: '7,654' }).waitFor()
  expect(await tokenOf(merchant)).toBe('of somebody else')
})

it('a session that ended for an earlier token ends nothing for the one of now, and the list comes', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  await openOrdersAlone(merchant)
  const token = await tokenOf(merchant)
  await page.evaluate(() => sessionStorage.setItem('token', 'an earlier one'))
  const { promise: isReplaced, resolve: replace } = Promise.withResolvers<void>()
  const asked = page.waitForRequest('**/api/orders?**')
  await page.route(
    '**/api/orders?**',
    async (route) => {
      const response = await route.fetch()
      expect((await response.json()).resultCode).toBe('02000')
      await isReplaced
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await merchant.button('console.list.refresh').click()
  await asked
  await page.evaluate((now) => sessionStorage.setItem('token', now ?? ''), token)
  const again = page.waitForResponse(
    async (response) => response.url().includes('/api/orders?') && (await response.json()).success,
  )
  replace()
  await again
  expect(await tokenOf(merchant)).toBe(token)
  expect(new URL(page.url()).pathname).toBe('/orders')
})
