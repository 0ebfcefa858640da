import {
  getPermissions,
  listDevices,
  searchOrganisations,
  sumOrders,
  type PermissionNode,
} from '@chairside/contract'
import { translate } from '@chairside/contract/locales/texts'
import { expect, it } from 'vitest'
import { receiveVisitors } from './visitor.ts'

const { visit } = receiveVisitors()

it.each(['en', 'zh-CN'] as const)(
  '%s: rows stay when they cannot be read anew, and that is said',
  async (language) => {
    const clerk = await visit('merchant', language)
    const { page } = clerk
    await clerk.open('/devices')
    const rows = page.locator('tbody tr')
    await rows.first().waitFor()
    const before = await rows.count()
    await page.route(`**${listDevices.path}?**`, (route) => route.abort())
    await clerk.button('console.list.refresh').click()
    const again = clerk.button('console.list.retry')
    await again.waitFor()
    expect(await rows.count()).toBe(before)
    expect(await page.getByRole('alert').textContent()).toContain(
      clerk.say('console.form.networkFailure', { status: 0 }),
    )
    await page.unroute(`**${listDevices.path}?**`)
    await again.click()
    await again.waitFor({ state: 'detached' })
    expect(await rows.count()).toBe(before)
  },
)

it('home offers the way to what one asked for before the login', async () => {
  const visitor = await visit('nobody', 'en')
  const { page } = visitor
  await visitor.open('/devices?status=2')
  await visitor.arrive('/login')
  await page.locator('input[autocomplete=username]').fill('merchant')
  await page.locator('input[type=password]').fill('demo1234')
  await page.keyboard.press('Enter')
  await visitor.arrive('/')
  await page.locator('.wanted').getByRole('link').click()
  await visitor.arrive('/devices?status=2')
  // It is offered once, and not to who logged out.
  await visitor.open('/')
  await page.locator('.figures').waitFor()
  expect(await page.locator('.wanted').count()).toBe(0)
})

it.each(['en', 'zh-CN'] as const)(
  '%s: where the browser keeps nothing, one works until the page is left',
  async (language) => {
    const clerk = await visit('nobody', language)
    const { page } = clerk
    await page.addInitScript(() => {
      for (const storage of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, storage, {
          get() {
            throw new DOMException('Access is denied', 'SecurityError')
          },
        })
    })
    await clerk.signIn('merchant', 'demo1234')
    await clerk.arrive('/')
    await page.locator('.figures').waitFor()
    await page.locator('a[href^="/devices"]').first().click()
    await page.locator('tbody tr').first().waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    await page.reload()
    await clerk.arrive('/login')
  },
)

it('a page past the end leads to the last one', async () => {
  const clerk = await visit('merchant', 'en')
  await clerk.open('/devices?page=9999')
  await clerk.page.locator('tbody tr').first().waitFor()
  await expect.poll(() => clerk.page.url()).not.toContain('9999')
  expect(await clerk.page.getByText(clerk.say('console.list.empty'), { exact: true }).count()).toBe(0)
})

it('what is typed in a form stays when one takes another language', async () => {
  const owner = await visit('merchant', 'en')
  const { page } = owner
  await owner.open('/myinformation')
  const address = owner.field('organisations.field.address')
  await address.waitFor()
  await address.fill('Nanjing Road 1')
  await page.locator('button.who').click()
  await page.getByText('中文', { exact: true }).click()
  const inChinese = page.getByRole('textbox', {
    name: translate('zh-CN', 'organisations.field.address'),
    exact: true,
  })
  await inChinese.waitFor()
  expect(await inChinese.inputValue()).toBe('Nanjing Road 1')
})

it('the focus goes back to what opened a dialog, also by a shortcut or out of a menu', async () => {
  const owner = await visit('merchant', 'en')
  const { page } = owner
  await owner.open('/devices')
  await page.locator('tbody tr').first().waitFor()
  const refresh = owner.button('console.list.refresh')
  await refresh.focus()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: owner.say('console.header.goToPlaceholder') }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => refresh.evaluate((button) => button === document.activeElement)).toBe(true)

  const who = page.locator('button.who')
  await who.press('Enter')
  await owner.untilFocused(page.locator('.user-menu'))
  await owner.button('identity.password.change').press('Enter')
  await page.getByRole('dialog', { name: owner.say('identity.password.change') }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => who.evaluate((button) => button === document.activeElement)).toBe(true)
})

it('a search of merchants that fails says so and is tried again', async () => {
  const admin = await visit('admin', 'zh-CN')
  const { page } = admin
  await admin.open('/devices')
  await page.locator('tbody tr').first().waitFor()
  const path = `**${searchOrganisations.path}?**`
  await page.route(path, (route) => route.abort())
  const merchant = page.getByRole('combobox', { name: admin.say('devices.field.merchantName') })
  // At once: a part of the word would be asked for first, and its failure pass by itself.
  await merchant.fill('mer')
  const again = admin.button('console.list.retry')
  await again.waitFor()
  await page.unroute(path)
  await again.click()
  await page.locator('.ant-select-item-option').first().waitFor()
  await expect.poll(() => again.count()).toBe(0)
})

it('a menu or an income that cannot be read says so and is read when one tries again', async () => {
  const clerk = await visit('merchant', 'en')
  const { page } = clerk
  await page.route(`**${getPermissions.path}`, (route) => route.abort())
  await page.route(`**${sumOrders.path}?**`, (route) => route.abort())
  await clerk.open('/orders')
  const menu = page.getByRole('navigation', { name: clerk.say('console.app.menu') })
  await clerk.button('console.list.retry', menu).waitFor()
  const totals = page.locator('.totals')
  await clerk.button('console.list.retry', totals).waitFor()
  await page.unrouteAll()
  await clerk.button('console.list.retry', menu).click()
  await menu.getByRole('link', { name: clerk.say('permissions.page.orders') }).waitFor()
  await clerk.button('console.list.retry', totals).click()
  await expect.poll(() => totals.textContent()).toMatch(/¥/)
})

it.each(['en', 'zh-CN'] as const)(
  '%s: a figure of the card that could not be read says so and can be had again',
  async (language) => {
    const clerk = await visit('merchant', language)
    const { page } = clerk
    await clerk.open('/devices')
    const id = page
      .locator('tbody')
      .getByRole('button', { name: /^[A-Z]\d+$/ })
      .first()
    await id.waitFor()
    await page.route(`**${sumOrders.path}?**`, (route) => route.abort())
    await id.click()
    const figure = page.locator('.figures .panel').first()
    await figure.getByRole('alert').waitFor()
    expect(await figure.textContent()).toContain(clerk.say('console.form.networkFailure', { status: 0 }))
    await page.unroute(`**${sumOrders.path}?**`)
    await figure.getByRole('button', { name: clerk.say('console.list.retry') }).click()
    await expect.poll(() => figure.locator('strong').textContent()).toMatch(/\d/)
  },
)

it.each(['en', 'zh-CN'] as const)(
  '%s: a page that is closed says whether a permission would open it',
  async (language) => {
    const clerk = await visit('merchant', language)
    const { page } = clerk
    await page.route(`**${getPermissions.path}`, async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as { data: PermissionNode[] }
      for (const menu of answer.data) menu.children = menu.children.filter(({ url }) => url !== '/audit')
      await route.fulfill({ response, json: answer })
    })
    const title = () => page.getByRole('heading', { level: 1 }).textContent()
    await clerk.open('/audit')
    await expect.poll(title).toBe(clerk.say('console.blocked.permission'))
    await clerk.text('console.blocked.permissionExplain').waitFor()
    for (const address of ['/models', '/addagent']) {
      await clerk.open(address)
      await expect.poll(title).toBe(clerk.say('console.blocked.access'))
      await clerk.text('console.blocked.accessExplain').waitFor()
    }
  },
)

it('until the rows and the sum of a new question are there, no others pass for them', async () => {
  const clerk = await visit('merchant', 'zh-CN', 390)
  const { page } = clerk
  await clerk.open('/orders')
  await page.locator('.card').first().waitFor()
  const totals = page.locator('.totals')
  await expect.poll(() => totals.textContent()).toMatch(/¥/)
  const goesOn = Promise.withResolvers<void>()
  await page.route('**/api/orders**', async (route) => {
    await goesOn.promise
    await route.continue()
  })
  await page.evaluate(() => {
    history.pushState(null, '', '/orders?status=2')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  await expect.poll(() => totals.textContent()).toMatch(/…/)
  await page.locator('[aria-busy=true] .card').first().waitFor()
  goesOn.resolve()
  await expect.poll(() => totals.textContent()).toMatch(/¥/)
  await expect.poll(() => page.locator('[aria-busy=true] .card').count()).toBe(0)
})
