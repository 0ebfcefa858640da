import { loginByToken } from '@chairside/contract'
import type { TextKey } from '@chairside/contract/locales/texts'
import { expect, it } from 'vitest'
import { receiveVisitors, type Visitor } from './visitor.ts'

const { visit } = receiveVisitors()

const columnsOf = ({ page }: Visitor) => page.getByRole('columnheader').allTextContents()
const choiceOf = (visitor: Visitor) =>
  visitor.page.getByRole('dialog', {
    name: visitor.say('console.columns.title', { list: visitor.say('console.orders.title') }),
  })
const tick = (visitor: Visitor, key: TextKey) =>
  choiceOf(visitor).getByRole('checkbox', { name: visitor.say(key), exact: true })
const save = (visitor: Visitor) => visitor.button('console.columns.save', choiceOf(visitor))

it('the columns one chose stand in every browser, in the table and on a phone, until they are reset', async () => {
  const clerk = await visit('merchant-sub', 'en')
  const goods = clerk.say('orders.field.goodsName')
  const account = clerk.say('orders.field.channelAccount')
  await clerk.open('/orders')
  await clerk.page.getByRole('table').waitFor()
  const atFirst = await columnsOf(clerk)
  expect(atFirst).toContain(goods)
  expect(atFirst).not.toContain(account)

  // By keyboard alone; the id stays, since it leads to the details.
  await clerk.button('console.columns.open').press('Enter')
  await clerk.untilFocused(choiceOf(clerk))
  expect(await tick(clerk, 'orders.field.orderId').isDisabled()).toBe(true)
  await tick(clerk, 'orders.field.goodsName').press('Space')
  await tick(clerk, 'orders.field.channelAccount').press('Space')
  await save(clerk).press('Enter')
  await choiceOf(clerk).waitFor({ state: 'detached' })
  await expect.poll(() => columnsOf(clerk)).not.toContain(goods)
  expect(await columnsOf(clerk)).toContain(account)

  const phone = await visit('merchant-sub', 'zh-CN', 390)
  await phone.open('/orders')
  const cards = phone.page.locator('.card')
  await cards.first().waitFor()
  expect(await cards.locator('dt').allTextContents()).not.toContain(phone.say('orders.field.goodsName'))
  await phone.button('console.columns.open').click()
  await phone.button('console.columns.reset', choiceOf(phone)).click()
  await save(phone).click()
  // Not of every order: a chair that is started by hand has none.
  await cards.getByText(phone.say('orders.field.goodsName'), { exact: true }).first().waitFor()

  await clerk.page.reload()
  await clerk.page.getByRole('table').waitFor()
  await expect.poll(() => columnsOf(clerk)).toEqual(atFirst)
})

it('a choice is not undone by an answer that was asked for before it and comes late', async () => {
  const clerk = await visit('merchant-sub', 'en')
  const goods = clerk.say('orders.field.goodsName')
  const { promise: isSaved, resolve: letAnswer } = Promise.withResolvers<void>()
  await clerk.page.route(
    `**${loginByToken.path}`,
    async (route) => {
      const response = await route.fetch()
      await isSaved
      // Nobody waits for it any more.
      await route.fulfill({ response }).catch(() => undefined)
    },
    { times: 1 },
  )
  await clerk.open('/orders')
  await clerk.page.getByRole('table').waitFor()
  await clerk.button('console.columns.open').click()
  await tick(clerk, 'orders.field.goodsName').click()
  await save(clerk).click()
  await choiceOf(clerk).waitFor({ state: 'detached' })
  letAnswer()
  await expect.poll(() => columnsOf(clerk)).not.toContain(goods)
  await clerk.button('console.columns.open').click()
  await clerk.button('console.columns.reset', choiceOf(clerk)).click()
  await save(clerk).click()
  await expect.poll(() => columnsOf(clerk)).toContain(goods)
})
