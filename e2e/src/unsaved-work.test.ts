import type { TextKey } from '@chairside/contract/locales/texts'
import { expect, it } from 'vitest'
import { untilSettled } from './open-screen.ts'
import { receiveVisitors, type Visitor } from './visitor.ts'

const { visit } = receiveVisitors()

const focusedValue = ({ page }: Visitor) => page.locator(':focus').inputValue()

/** A line of the menu. */
const linkTo = (visitor: Visitor, key: TextKey) =>
  visitor.page.getByRole('navigation').getByRole('link', { name: visitor.say(key) })

/** The question whether what was changed may be lost. */
const questionOf = (visitor: Visitor) =>
  visitor.page.getByRole('dialog', { name: visitor.say('console.form.discardTitle') })

/** Leaves until it is asked: what is pressed while the last question is still going away reaches nothing. */
async function untilAsked(visitor: Visitor, leave: () => Promise<unknown>): Promise<void> {
  const isAsked = async () => {
    await leave()
    const question = questionOf(visitor).waitFor({ timeout: 2000 })
    return question.then(
      () => true,
      () => false,
    )
  }
  await expect.poll(isAsked, { timeout: 20_000 }).toBe(true)
}

/** Says no to it. */
async function stay(visitor: Visitor): Promise<void> {
  await visitor.button('console.form.cancel', questionOf(visitor)).click()
  await questionOf(visitor).waitFor({ state: 'detached' })
  // What it stood on goes a moment later, and would take the next click.
  await expect
    .poll(() => visitor.page.locator('.ant-modal-wrap:visible:not(:has([role=dialog]))').count())
    .toBe(0)
}

it('a dialog asks before it loses a choice, however it is closed, and leads to what is wrong in it', async () => {
  const admin = await visit('admin', 'zh-CN')
  const { page } = admin
  await admin.open('/')
  await linkTo(admin, 'permissions.page.models').click()
  const dialog = page.getByRole('dialog', { name: admin.say('models.add') })
  const name = admin.field('models.field.model', dialog)

  await admin.button('models.add').click()
  await name.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await admin.button('models.add').click()
  await dialog.getByRole('radio', { name: admin.say('models.controlMode.2') }).check()
  const close = admin.button('console.form.close', dialog)
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(20, 450),
    () => close.click(),
    () => admin.button('console.form.cancel', dialog).click(),
    () => page.goBack(),
  ]) {
    await untilAsked(admin, leave)
    await stay(admin)
    expect(await dialog.count()).toBe(1)
  }

  // Nothing was typed: the browser says so. Then the server says that the model is there already.
  const save = admin.button('models.addSubmit', dialog)
  await save.click()
  await dialog.getByText(admin.say('validation.required')).waitFor()
  await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true)
  await name.fill('CS-Bridge')
  await save.click()
  await dialog.getByText(admin.say('refusals.modelTaken')).waitFor()
  await expect.poll(() => focusedValue(admin)).toBe('CS-Bridge')

  // Changed back, there is nothing to lose.
  await name.fill('')
  await dialog.getByRole('radio', { name: admin.say('models.controlMode.1') }).check()
  await close.click()
  await dialog.waitFor({ state: 'detached' })
})

it('passwords that are shown once are not lost by Back or the end of the tab before they are saved', async () => {
  const admin = await visit('admin', 'en')
  const { page } = admin
  const nativeQuestions: string[] = []
  page.on('dialog', (question) => {
    nativeQuestions.push(question.type())
    void question.dismiss()
  })
  await admin.open('/')
  await linkTo(admin, 'permissions.page.batchdevice').click()
  await admin.button('batches.add').click()
  await admin.field('batches.field.deviceid', admin.dialog()).fill('T9700')
  await admin.field('batches.field.amount', admin.dialog()).fill('2')
  await admin.dialog().getByRole('combobox').first().click()
  await page.getByTitle('CS-Bridge').last().click()
  await admin.button('batches.addSubmit', admin.dialog(), { count: 2 }).click()
  const passwords = page
    .getByRole('dialog')
    .filter({ hasText: admin.say('batches.passwords.title', { count: 2 }) })
  await passwords.waitFor()
  await page.goBack()
  const question = page.getByRole('dialog', { name: admin.say('batches.passwords.leaveTitle') })
  await admin.button('console.form.cancel', question).click()
  await question.waitFor({ state: 'detached' })
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => nativeQuestions).toEqual(['beforeunload'])
  expect(await passwords.count()).toBe(1)

  await admin.button('batches.passwords.save', passwords).click()
  await admin.text('batches.passwords.saved', { name: 'boards-T9700.csv' }).waitFor()
  await page.goBack()
  await passwords.waitFor({ state: 'detached' })
  // The address that Back left is the page's again a moment after what it closed is gone.
  await untilSettled(page)
  await page.goBack()
  await admin.arrive('/')
  expect(await questionOf(admin).count()).toBe(0)
})

it('a page asks before another one or the end of the tab loses what was typed, and not once it is saved', async () => {
  const agent = await visit('agent', 'en')
  const { page } = agent
  const goHome = () => linkTo(agent, 'console.app.home').click()
  const nativeQuestions: string[] = []
  page.on('dialog', (question) => {
    nativeQuestions.push(question.type())
    void question.dismiss()
  })
  const userName = agent.field('organisations.field.userId')
  const name = agent.field('organisations.field.name')
  await agent.open('/addmerchant')
  await name.waitFor()
  await goHome()
  await agent.arrive('/')

  await agent.open('/addmerchant')
  await name.fill('Harbour Spa')
  await goHome()
  await stay(agent)
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => nativeQuestions).toEqual(['beforeunload'])
  expect(await name.inputValue()).toBe('Harbour Spa')

  await agent.button('organisations.form.add').click()
  await expect.poll(() => userName.evaluate((field) => field === document.activeElement)).toBe(true)
  await userName.fill('merchant')
  await agent.button('organisations.form.add').click()
  await page.getByRole('alert').getByText(agent.say('refusals.userNameTaken')).waitFor()
  await expect.poll(() => focusedValue(agent)).toBe('merchant')

  await userName.fill('harbour-spa')
  await agent.button('organisations.form.add').click()
  await agent.button('console.form.close', agent.dialog()).click()
  await agent.arrive('/merchants')

  await agent.open('/addmerchant')
  await name.fill('Harbour Spa')
  await goHome()
  await agent.button('console.form.discard', questionOf(agent)).click()
  await agent.arrive('/')
})

it.each(['en', 'zh-CN'] as const)(
  'a dialog whose code cannot be fetched says so, and leaves what was typed below it (%s)',
  async (language) => {
    const merchant = await visit('merchant', language)
    const { page } = merchant
    await page.route('**/assets/command-palette*', (route) => route.abort())
    await merchant.open('/myinformation')
    const telephone = merchant.field('organisations.field.telephone')
    await telephone.fill('021-7777')
    await page.keyboard.press('Control+k')
    await merchant
      .text('console.list.failed', { reason: merchant.say('console.blocked.brokenExplain') })
      .waitFor()
    expect(await telephone.inputValue()).toBe('021-7777')
    expect(await page.getByRole('dialog').count()).toBe(0)
  },
)
