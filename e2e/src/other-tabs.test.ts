import { demoPassword } from '@chairside/server/demo/write-network'
import { expect, it } from 'vitest'
import { untilSettled } from './open-screen.ts'
import { receiveVisitors, Visitor } from './visitor.ts'

const { openPhone, url } = receiveVisitors()

it('a tab beside one that is signed in is signed in too, and goes along when the token is renewed', async () => {
  const first = new Visitor(await openPhone('en'), 'en', url)
  await first.signIn('merchant', demoPassword)
  await first.arrive('/')
  const tokenOf = ({ page }: Visitor) => page.evaluate(() => sessionStorage.getItem('token'))

  const second = new Visitor(await first.page.context().newPage(), 'en', url)
  await second.open('/orders?status=3')
  await second.page.getByRole('heading', { level: 1, name: second.say('console.orders.title') }).waitFor()
  expect(new URL(second.page.url()).search).toBe('?status=3')
  await second.page.locator('.card').first().waitFor()
  await untilSettled(second.page)
  expect(await tokenOf(second)).toBe(await tokenOf(first))
  // Whatever the first asked with the made-up token would end its session.
  await first.page.route('**/api/**', () => undefined)

  await second.page.route(
    '**/api/orders?**',
    async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), 'x-access-token': 'a new one' } })
    },
    { times: 1 },
  )
  await second.button('console.list.refresh').click()
  await expect.poll(() => tokenOf(first)).toBe('a new one')
})

it('where no tab is signed in any more, the login comes', async () => {
  const first = new Visitor(await openPhone('zh-CN'), 'zh-CN', url)
  await first.signIn('merchant', demoPassword)
  await first.arrive('/')
  await first.open('/login')
  const second = new Visitor(await first.page.context().newPage(), 'zh-CN', url)
  await second.open('/orders')
  await second.arrive('/login')
  await expect.poll(() => second.page.locator('input[type=password]').isVisible()).toBe(true)
})
