import type { TextKey } from '@chairside/contract/locales/texts'
import { expect, it } from 'vitest'
import { untilSettled } from './open-screen.ts'
import { receiveVisitors, type Visitor } from './visitor.ts'

const { visit } = receiveVisitors()

const linkTo = (visitor: Visitor, key: TextKey) =>
  visitor.page.getByRole('link', { name: visitor.say(key), exact: true })

it('Back closes what stands above a page, one after the other, and only then leaves the page', async () => {
  const merchant = await visit('merchant', 'zh-CN', 390)
  const { page } = merchant
  const path = () => new URL(page.url()).pathname
  await merchant.open('/')
  await merchant.button('console.app.menu').click()
  await linkTo(merchant, 'permissions.page.orders').click()
  await page.locator('.card').first().waitFor()
  await untilSettled(page)

  // The story of an order, and the application for its refund above it.
  await page.locator('.id-button').first().click()
  const story = page.getByRole('dialog')
  await story.waitFor()
  const refund = merchant.button('console.orders.refund', story)
  await refund.waitFor()
  await untilSettled(page)
  if ((await refund.getAttribute('aria-disabled')) !== 'true') {
    await refund.click()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(2)
    await page.goBack()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1)
  }
  await page.goBack()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await expect.poll(path).toBe('/orders')

  // The menu, and the box that finds everything.
  await merchant.button('console.app.menu').click()
  await expect.poll(() => linkTo(merchant, 'permissions.page.devices').isVisible()).toBe(true)
  await page.goBack()
  await expect.poll(() => linkTo(merchant, 'permissions.page.devices').isVisible()).toBe(false)
  await merchant.button('console.header.goTo').click()
  await page.getByRole('combobox', { name: merchant.say('console.header.goToPlaceholder') }).waitFor()
  await page.goBack()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await expect.poll(path).toBe('/orders')

  // The address that Back left is the page's again a moment after what it closed is gone.
  await untilSettled(page)
  await page.goBack()
  await merchant.arrive('/')
})

it('a question goes with Back, and is not answered by it', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  await merchant.open('/')
  await linkTo(merchant, 'permissions.page.place').click()
  await page.getByRole('table').waitFor()
  await untilSettled(page)
  await page.locator('.row-actions [aria-haspopup=menu]').first().click()
  await merchant.menuItem('catalogue.place.delete').click()
  await merchant.dialog().waitFor()
  await page.goBack()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await expect.poll(() => new URL(page.url()).pathname).toBe('/place')
})

it('Back after signing in does not come to the login again, which would end the session', async () => {
  const visitor = await visit('nobody', 'zh-CN')
  const { page } = visitor
  await visitor.open('/devices')
  await visitor.arrive('/login')
  await page.locator('input[autocomplete=username]').fill('merchant')
  await page.locator('input[type=password]').fill('demo1234')
  await page.keyboard.press('Enter')
  await visitor.arrive('/')
  await linkTo(visitor, 'permissions.page.orders').click()
  await visitor.arrive('/orders')
  await page.goBack()
  await visitor.arrive('/')
  const addresses = await page.evaluate(() => navigation.entries().map(({ url }) => url))
  expect(addresses.filter((address) => address?.includes('/login'))).toEqual([])
})

it.each([
  ['a dialog', '/place', '.screen-actions .ant-btn-primary'],
  ['a drawer', '/orders', '.id-button'],
])('a double click opens %s and does not close it again', async (_what, address, opener) => {
  const merchant = await visit('merchant', 'zh-CN')
  const { page } = merchant
  await merchant.open(address)
  await untilSettled(page)
  await page.locator(opener).first().dblclick({ delay: 60 })
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await untilSettled(page)
  expect(await dialog.isVisible()).toBe(true)
})
