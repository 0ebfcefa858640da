import { expect, describe, it } from 'vitest'
import { findViolations } from './accessibility.ts'
import { callAs } from './demo-calls.ts'
import { untilSettled } from './open-screen.ts'
import { receiveVisitors, type Visitor } from './visitor.ts'

const { url, visit } = receiveVisitors()

/** Adds an agent or merchant by its form; answers the first password, shown once. */
async function add(
  visitor: Visitor,
  address: '/addagent' | '/addmerchant',
  userName: string,
): Promise<string> {
  const { page } = visitor
  await visitor.open(address)
  await visitor.field('organisations.field.userId').fill(userName)
  await visitor.field('organisations.field.name').fill(`${userName} 公司`)
  await page.keyboard.press('Enter')
  const shown = visitor.dialog().filter({ hasText: userName })
  const password = await shown.locator('code').textContent()
  await visitor.button('console.form.close', shown).click()
  await visitor.arrive('/merchants')
  await visitor.open(`/merchants?userid=${userName}`)
  await visitor.row(userName).waitFor()
  return password ?? ''
}

/** An agent or merchant that is there already, shown in the list; answers its first password. */
async function have(visitor: Visitor, kind: 'agent' | 'merchant', userName: string): Promise<string> {
  const call = await callAs(url, 'admin')
  const wanted = { userid: userName, name: `${userName} 公司` }
  const { password } = await call<{ password: string }>('POST', `/api/${kind}`, wanted)
  await visitor.open(`/merchants?userid=${userName}`)
  await visitor.row(userName).waitFor()
  return password
}

/** Signs in with a first password and chooses another one, as everybody has to. */
async function begin(visitor: Visitor, userName: string, password: string): Promise<void> {
  const { page } = visitor
  await visitor.signIn(userName, password)
  await visitor.arrive('/')
  const again = `${userName} knows`
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[autocomplete=current-password]').fill(password)
  await dialog.locator('input[autocomplete=new-password]').first().fill(again)
  await dialog.locator('input[autocomplete=new-password]').last().fill(again)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
}

async function expectAccessible({ page }: Visitor): Promise<void> {
  await untilSettled(page)
  expect(await findViolations(page)).toEqual([])
}

describe.each(['en', 'zh-CN'] as const)('agents and merchants in %s', (language) => {
  const suffix = language.toLowerCase()

  it('an admin makes an agent, who chooses a password and makes a merchant; a lock signs it out', async () => {
    const admin = await visit('admin', language)
    const agentPassword = await add(admin, '/addagent', `east-${suffix}`)

    const agent = await visit('nobody', language)
    await begin(agent, `east-${suffix}`, agentPassword)
    await add(agent, '/addmerchant', `spa-${suffix}`)
    expect(await agent.row(`spa-${suffix}`).textContent()).toContain(agent.say('organisations.type.2'))

    await admin.chooseMore(`east-${suffix}`, 'organisations.list.lock')
    await expectAccessible(admin)
    await admin.button('organisations.list.lock', admin.dialog()).click()
    await admin.row(`east-${suffix}`).getByText(admin.say('organisations.status.2')).waitFor()

    // Should the page have asked for something by itself meanwhile, there is nothing left to click.
    const refreshed = agent.button('console.list.refresh').click({ timeout: 5000 })
    await Promise.all([agent.page.waitForURL(/\/login\?expired=1/), refreshed.catch(() => undefined)])
    await agent.signIn(`east-${suffix}`, `east-${suffix} knows`)
    await agent.text('refusals.accountLocked').first().waitFor()

    await admin.chooseMore(`east-${suffix}`, 'organisations.list.unlock')
    await admin.button('organisations.list.unlock', admin.dialog()).click()
    await admin.row(`east-${suffix}`).getByText(admin.say('organisations.status.1')).waitFor()
    await agent.signIn(`east-${suffix}`, `east-${suffix} knows`)
    await agent.arrive('/')
  })

  it('a way drilled down stays when the page is loaded again, and leads back up', async () => {
    const admin = await visit('admin', language)
    await admin.open('/merchants?pagesize=50')
    await admin.page.getByRole('link', { name: '上海总代理' }).click()
    const trail = admin.page.getByRole('navigation', { name: admin.say('console.list.trail') })
    await trail.getByText('上海总代理').waitFor()
    const firstBelow = admin.page.getByRole('table').getByRole('link').first()
    await admin.row('merchant').or(firstBelow).first().waitFor()
    const below = (await firstBelow.textContent()) ?? ''
    await firstBelow.click()
    await trail.getByText(below).waitFor()

    await admin.page.reload()
    await expect
      .poll(() => trail.getByRole('listitem').allTextContents())
      .toEqual([admin.say('organisations.list.top'), '上海总代理', below])
    await trail.getByRole('link', { name: '上海总代理' }).click()
    await expect.poll(() => trail.locator('[aria-current=page]').textContent()).toBe('上海总代理')
    await trail.getByRole('link', { name: admin.say('organisations.list.top') }).click()
    await admin.arrive('/merchants')
  })

  it('a move says first what goes along, refuses merchants at the highest level, and is kept in the log', async () => {
    const admin = await visit('admin', language)
    const [from, to, moving] = [`from-${suffix}`, `to-${suffix}`, `moving-${suffix}`]
    await have(admin, 'agent', to)
    await have(admin, 'agent', from)
    await admin.page.getByRole('link', { name: `${from} 公司` }).click()
    await admin.page.waitForURL(/parentid=/)
    await admin.button('organisations.list.addMerchant').click()
    // Until its form is there, the fields are those of the search.
    await admin.button('organisations.form.add').waitFor()
    await admin.field('organisations.field.userId').fill(moving)
    await admin.field('organisations.field.name').fill(moving)
    await admin.page.keyboard.press('Enter')
    await admin.button('console.form.close', admin.dialog()).click()

    await admin.button('organisations.list.move').click()
    await admin.text('refusals.nothingSelected').waitFor()

    await admin.page
      .getByRole('checkbox', { name: admin.say('console.list.select', { row: moving }), exact: true })
      .check()
    await admin.page
      .getByRole('button', { name: admin.say('organisations.list.moveSome', { count: 1 }) })
      .click()
    const preview = admin.page.getByRole('region', { name: admin.say('organisations.move.preview') })
    await preview.getByText(admin.say('organisations.move.merchants')).waitFor()
    await expect.poll(() => preview.locator('dd').allTextContents()).toEqual(['0', '0', '1', '0'])
    await expectAccessible(admin)

    const highest = admin.page.getByRole('checkbox', { name: admin.say('organisations.move.highestLevel') })
    await highest.check()
    await admin.button('organisations.move.submit', admin.dialog()).click()
    await admin.text('refusals.onlyAgentsToTop').waitFor()
    await highest.uncheck()
    await admin.dialog().getByRole('combobox').fill(to)
    await admin.page.getByTitle(`${to} 公司`, { exact: false }).last().click()
    await admin.button('organisations.move.submit', admin.dialog()).click()
    await admin.text('organisations.move.doneAll', { count: 1 }).waitFor()
    await admin.row(moving).waitFor({ state: 'detached' })

    await admin.open(`/merchants?userid=${moving}`)
    await admin.chooseMore(moving, 'organisations.list.moveLog')
    const moves = admin.dialog().getByRole('row').last()
    await expect.poll(() => moves.textContent()).toMatch(new RegExp(`${from} 公司.*${to} 公司.*admin`))
    await expectAccessible(admin)
  })

  it('permissions that were not changed are not sent; those that were are what the owner has', async () => {
    const admin = await visit('admin', language)
    const name = `few-${suffix}`
    const password = await have(admin, 'agent', name)
    const sent: string[] = []
    admin.page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('permissions')) sent.push(request.url())
    })
    await admin.chooseMore(name, 'organisations.list.permissions')
    const tree = admin.dialog()
    const refunds = tree.getByRole('checkbox', { name: admin.say('permissions.page.refunds'), exact: true })
    await expect.poll(() => refunds.isChecked()).toBe(true)
    await admin.button('console.permissions.save', tree).click()
    await admin.text('console.permissions.notChanged').waitFor()
    expect(sent).toEqual([])
    await expectAccessible(admin)
    await refunds.uncheck()
    await admin.button('console.permissions.save', tree).click()
    await tree.waitFor({ state: 'detached' })

    const agent = await visit('nobody', language)
    await begin(agent, name, password)
    const menu = agent.page.getByRole('navigation', { name: agent.say('console.app.menu') })
    await menu.getByRole('link', { name: agent.say('permissions.page.merchants') }).waitFor()
    expect(await menu.getByRole('link', { name: agent.say('permissions.page.refunds') }).count()).toBe(0)
  })

  it('a reset shows the new password once; with it the owner has to choose another', async () => {
    const admin = await visit('admin', language)
    const name = `lost-${suffix}`
    const first = await have(admin, 'merchant', name)
    await admin.chooseMore(name, 'organisations.list.resetPassword')
    await admin.button('organisations.list.resetPassword', admin.dialog()).click()
    const shown = admin.dialog().filter({ hasText: admin.say('console.password.explain') })
    const password = (await shown.locator('code').textContent()) ?? ''
    expect(password).not.toBe(first)
    await admin.button('console.form.close', shown).click()
    await begin(await visit('nobody', language), name, password)
  })
})

describe('forms of agents and merchants', () => {
  it('say at each field what is wrong, before and after asking the server', async () => {
    const admin = await visit('admin', 'en')
    await admin.open('/addmerchant')
    await admin.field('organisations.field.userId').fill('not a name')
    await admin.page.keyboard.press('Enter')
    await admin.text('validation.userName').waitFor()
    await admin.text('validation.merchantNameEmpty').waitFor()
    const focused = admin.page.locator(':focus')
    await expect.poll(() => focused.inputValue()).toBe('not a name')

    await focused.fill('merchant')
    await admin.field('organisations.field.name').fill('Somebody else')
    await admin.page.keyboard.press('Enter')
    await admin.page.getByRole('alert').getByText(admin.say('refusals.userNameTaken')).waitFor()
    await expect.poll(() => focused.inputValue()).toBe('merchant')

    await admin.page
      .getByRole('link', { name: admin.say('console.app.home') })
      .first()
      .click()
    await admin.page.getByRole('dialog', { name: admin.say('console.form.discardTitle') }).waitFor()
    await admin.button('console.form.cancel', admin.dialog()).click()
    expect(admin.page.url()).toBe(`${url}/addmerchant`)
  })

  it('take a change, and come back to the rows that were shown', async () => {
    const admin = await visit('admin', 'en')
    await have(admin, 'agent', 'renamed')
    await admin.button('organisations.list.edit', admin.row('renamed')).click()
    await admin.button('organisations.form.save').waitFor()
    await admin.field('organisations.field.name').fill('Another name')
    await admin.field('organisations.field.address').fill('12 East Street')
    await admin.page.keyboard.press('Enter')
    await admin.arrive('/merchants?userid=renamed')
    await expect.poll(() => admin.row('renamed').textContent()).toContain('Another name')
    await admin.page
      .getByRole('button', { name: admin.say('console.list.expand', { row: 'renamed' }) })
      .click()
    await admin.page.getByText('12 East Street').waitFor()
  })

  it('show devices of one merchant from its row and from its address', async () => {
    const agent = await visit('agent', 'en')
    await agent.open('/merchants?userid=merchant')
    await agent.chooseMore('merchant', 'organisations.list.devices')
    await agent.page.waitForURL(/\/devices\?merchantid=\d+/)
    await agent.page.getByRole('row').nth(1).waitFor()
    const id = new URL(agent.page.url()).searchParams.get('merchantid')
    await agent.open(`/devices/${id}`)
    await expect.poll(() => agent.page.url()).toBe(`${url}/devices?merchantid=${id}`)
  })
})

describe('basic information', () => {
  it('is saved by its owner; the bank account only as a whole', async () => {
    const merchant = await visit('merchant', 'en')
    const { page } = merchant
    await merchant.open('/myinformation')
    await merchant.field('organisations.field.telephone').fill('021-5555')
    await merchant.button('organisations.own.save').click()
    await merchant.text('organisations.own.updated').first().waitFor()

    await merchant.field('organisations.field.accountId').fill('6222020200112233445')
    await merchant.button('organisations.own.saveAccount').click()
    await expect.poll(() => merchant.text('validation.required').count()).toBe(2)
    await merchant.field('organisations.field.accountName').fill('海底角')
    await merchant.field('organisations.field.accountBank').fill('中国银行')
    const isSaved = page.waitForResponse((response) => response.request().method() !== 'GET')
    await merchant.button('organisations.own.saveAccount').click()
    await expect.poll(() => merchant.text('validation.required').count()).toBe(0)
    await isSaved
    await untilSettled(page)

    await page.reload()
    await expect
      .poll(() => merchant.field('organisations.field.accountId').inputValue())
      .toBe('6222020200112233445')
    await expect.poll(() => merchant.field('organisations.field.telephone').inputValue()).toBe('021-5555')
  })

  it('is closed to sub-accounts', async () => {
    const clerk = await visit('merchant-sub', 'en')
    await clerk.open('/myinformation')
    await expect
      .poll(() => clerk.page.getByRole('heading', { level: 1 }).textContent())
      .toBe(clerk.say('console.blocked.access'))
    const menu = clerk.page.locator('.main-menu')
    await menu.getByRole('link', { name: clerk.say('permissions.page.orders'), exact: true }).waitFor()
    // Nor does the menu lead to the other pages of a merchant's owner.
    for (const page of ['myinformation', 'place', 'goodstemp'] as const) {
      const name = clerk.say(`permissions.page.${page}`)
      expect(await menu.getByRole('link', { name, exact: true }).count()).toBe(0)
    }
  })
})
