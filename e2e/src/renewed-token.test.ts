import { expect, it } from 'vitest'
import { receiveVisitors, type Visitor } from './visitor.ts'

const { visit } = receiveVisitors()

const tokenOf = ({ page }: Visitor) => page.evaluate(() => sessionStorage.getItem('token'))

it.each([
  ['an Excel file', '/orders', '**/api/orders?**', 'console.list.export'],
  ['a list', '/orders', '**/api/orders?**', 'console.list.refresh'],
] as const)(
  'the new token that comes with %s replaces the stored one',
  async (_what, address, calls, button) => {
    const merchant = await visit('merchant', 'en')
    await merchant.open(address)
    await merchant.page.getByRole('table').waitFor()
    const before = await tokenOf(merchant)
    await merchant.page.route(
      calls,
      async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, headers: { ...response.headers(), 'x-access-token': 'a new one' } })
      },
      { times: 1 },
    )
    expect(before).toHaveLength(43)
    await merchant.button(button).click()
    await expect.poll(() => tokenOf(merchant)).toBe('a new one')
  },
  60_000,
)

it('an answer that comes after somebody else has signed in leaves their token alone', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  await merchant.open('/orders')
  await page.getByRole('table').waitFor()
  const { promise: isReplaced, resolve: replace } = Promise.withResolvers<void>()
  await page.route(
    '**/api/orders?**',
    async (route) => {
      const response = await route.fetch()
      await isReplaced
      await route.fulfill({ response, headers: { ...response.headers(), 'x-access-token': 'a late one' } })
    },
    { times: 1 },
  )
  const answered = page.waitForResponse('**/api/orders?**')
  await merchant.button('console.list.refresh').click()
  await page.evaluate(() => sessionStorage.setItem('token', 'of somebody else'))
  replace()
  await (await answered).finished()
  await page.waitForTimeout(200)
  expect(await tokenOf(merchant)).toBe('of somebody else')
}, 60_000)

it('a session that ended for an earlier token ends nothing for the one of now, and the list comes', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  await merchant.open('/orders')
  await page.getByRole('table').waitFor()
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
}, 60_000)
