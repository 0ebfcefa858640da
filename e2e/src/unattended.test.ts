import { countAlerts } from '@chairside/contract'
import { expect, it } from 'vitest'
import { untilSettled } from './open-screen.ts'
import { receiveVisitors } from './visitor.ts'

const { visit } = receiveVisitors({ inNewBrowsers: true })

it('a page that nobody is at asks for nothing by itself, and does again for who comes back', async () => {
  const merchant = await visit('merchant', 'en')
  const { page } = merchant
  let asked = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) asked++
  })
  await page.clock.install()
  await merchant.open('/orders')
  await page.getByRole('table').waitFor()
  await page.mouse.move(100, 100)
  await untilSettled(page)
  const before = asked
  await page.clock.runFor('05:00')
  await expect.poll(() => asked).toBeGreaterThan(before)

  await page.clock.runFor('11:00')
  await untilSettled(page)
  const whenAlone = asked
  await page.clock.runFor('10:00')
  await untilSettled(page)
  expect(asked).toBe(whenAlone)

  const counted = page.waitForRequest(`**${countAlerts.path}`)
  await page.mouse.move(200, 200)
  await counted
  await untilSettled(page)
  const whenBack = asked
  await page.clock.runFor('02:00')
  await expect.poll(() => asked).toBeGreaterThan(whenBack)
})
