import { addPlace } from '@chairside/contract'
import { expect, it } from 'vitest'
import { sayDataIsSaved, untilSettled } from './open-screen.ts'
import { receiveVisitors } from './visitor.ts'

const { visit } = receiveVisitors({ inNewBrowsers: true })

it('a page that cannot be fetched without a connection says so, and comes by itself when it is back', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  await merchant.open('/orders')
  await page.getByRole('table').waitFor()
  await untilSettled(page)
  await page.context().setOffline(true)
  await merchant.button('console.list.next').click()
  await page
    .getByRole('alert')
    .filter({ hasText: merchant.say('console.form.networkFailure', { status: 0 }) })
    .waitFor()
  await page.getByRole('table').waitFor({ state: 'detached' })
  await page.context().setOffline(false)
  await page.getByRole('table').waitFor()
})

it('what is done without a connection fails at once, and is not done later', async () => {
  const merchant = await visit('merchant', 'zh-CN')
  const { page } = merchant
  const sent: string[] = []
  // The session is looked after by itself.
  page.on('request', (request) => request.url().endsWith(addPlace.path) && sent.push(request.method()))
  await merchant.open('/place')
  await page.getByRole('table').waitFor()
  await untilSettled(page)
  await merchant.button('catalogue.place.add').click()
  const dialog = merchant.dialog()
  await dialog.waitFor()
  await page.context().setOffline(true)
  await merchant.field('catalogue.place.field.address', dialog).fill('A place out of reach')
  await page.keyboard.press('Enter')
  await page
    .getByText(merchant.say('console.form.networkFailure', { status: 0 }))
    .first()
    .waitFor()
  expect(await merchant.field('catalogue.place.field.address', dialog).inputValue()).toBe(
    'A place out of reach',
  )
  expect(sent).toEqual(['POST'])
  await page.context().setOffline(false)
  await page.waitForFunction(() => navigator.onLine)
  // Whatever was kept back for the connection has left when this is answered.
  await page.evaluate(async () => void (await fetch('/healthz')))
  expect(sent).toEqual(['POST'])
})

it('a screen whose code is not there without a connection leaves the console standing', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  await merchant.open('/')
  await untilSettled(page)
  await page.context().setOffline(true)
  const places = page
    .locator('.main-menu')
    .getByRole('link', { name: merchant.say('permissions.page.place'), exact: true })
  await places.click()
  const notice = page.getByRole('heading', { name: merchant.say('console.blocked.notReached') })
  await notice.waitFor()
  await places.waitFor()
  await merchant.button('console.list.retry').click()
  await page.getByText(merchant.say('console.form.networkFailure', { status: 0 })).waitFor()
  await page.context().setOffline(false)
  await merchant.button('console.list.retry').click()
  await page.getByRole('table').waitFor()
})

it('a screen whose code and styles are of a version that has gone is shown by the one that is out now', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  await sayDataIsSaved(page.context(), true)
  await merchant.open('/subaccount')
  await untilSettled(page)
  let isOld = true
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isOld = false
  })
  await page.route('**/assets/banners-page-*', (route) =>
    isOld ? route.fulfill({ status: 404 }) : route.continue(),
  )
  await page
    .locator('.main-menu')
    .getByRole('link', { name: merchant.say('permissions.page.banner'), exact: true })
    .click()
  await page
    .getByRole('heading', { level: 1, name: merchant.say('permissions.page.banner'), exact: true })
    .waitFor()
  expect(isOld).toBe(false)
})
