import { addSavedView, listSavedViews } from '@chairside/contract'
import { expect, it, onTestFinished } from 'vitest'
import { findViolations } from './accessibility.ts'
import { overflowOf } from './overflow.ts'
import { receiveVisitors, type Visitor } from './visitor.ts'

const { visit } = receiveVisitors()

const paid = '/orders?status=3&pagesize=30'
const nameField = (visitor: Visitor) => visitor.field('views.name', visitor.dialog())
const keep = (visitor: Visitor) => visitor.button('views.keep', visitor.dialog())
const panelOf = (visitor: Visitor) =>
  visitor.page.getByRole('dialog', {
    name: visitor.say('views.title', { list: visitor.say('console.orders.title') }),
  })
/** The lines of the panel as they are read out. */
const viewOf = (visitor: Visitor, name: string) =>
  panelOf(visitor).getByRole('listitem').filter({ hasText: name }).getByRole('button').first()

/** Opens the panel and waits for what it offers. */
async function openViews(visitor: Visitor): Promise<void> {
  await visitor.button('views.open').click()
  await panelOf(visitor).waitFor()
  await expect.poll(() => panelOf(visitor).locator('.ant-skeleton').count()).toBe(0)
}

/** What is wrong with the look of what is open; it finds its place once it knows how large it is. */
async function faultsOf(visitor: Visitor): Promise<string[]> {
  const overflow = await overflowOf(visitor.page)
  return [...(await findViolations(visitor.page)), ...(overflow > 0 ? [`${overflow} pixels too wide`] : [])]
}

it.each(['en', 'zh-CN'] as const)(
  'a view stands in every browser, and colleagues may take but not change it (%s)',
  async (language) => {
    const name = language === 'en' ? 'Paid ones' : '已付订单'
    const later = `${name} 2`
    const owner = await visit('merchant', language)
    let asked = 0
    owner.page.on('request', (request) => {
      if (request.url().includes(listSavedViews.path)) asked++
    })
    await owner.open(`${paid}&page=2`)
    await owner.button('views.open').waitFor()
    expect(asked).toBe(0)

    // By keyboard alone: Escape leads back to where it was opened, Enter saves.
    await owner.button('views.open').press('Enter')
    await panelOf(owner).waitFor()
    await owner.page.keyboard.press('Escape')
    await panelOf(owner).waitFor({ state: 'hidden' })
    await expect
      .poll(() => owner.button('views.open').evaluate((button) => button === document.activeElement))
      .toBe(true)
    await owner.page.keyboard.press('Enter')
    await panelOf(owner).getByText(owner.say('views.none')).waitFor()
    await owner.page.locator('[role=dialog]:focus').waitFor()
    await owner.page.keyboard.press('Tab')
    await owner.page.keyboard.press('Enter')
    await nameField(owner).waitFor()
    await nameField(owner).press('Enter')
    await owner.dialog().getByText(owner.say('validation.required')).waitFor()
    await expect.poll(() => faultsOf(owner)).toEqual([])
    await nameField(owner).fill(name)
    await nameField(owner).press('Enter')
    await owner.text('views.saved').waitFor()

    // On a phone: chosen it is the address, without the page, and marked.
    const phone = await visit('merchant', language, 360)
    await phone.open('/orders')
    await openViews(phone)
    expect(await viewOf(phone, name).getAttribute('aria-current')).toBeNull()
    await expect.poll(() => faultsOf(phone)).toEqual([])
    await viewOf(phone, name).click()
    await expect.poll(() => new URL(phone.page.url()).search).toBe('?pagesize=30&status=3')
    await openViews(phone)
    await expect.poll(() => viewOf(phone, name).getAttribute('aria-current')).toBe('true')
    await phone.page.keyboard.press('Escape')

    // The colleague is offered nothing until it is shared.
    const colleague = await visit('merchant-sub', language)
    await colleague.open('/orders')
    await openViews(colleague)
    await panelOf(colleague).getByText(colleague.say('views.none')).waitFor()

    // Another name, other filters, and shared.
    await owner.open('/orders?status=5')
    await openViews(owner)
    await owner.button('views.edit', panelOf(owner), { name }).click()
    await nameField(owner).fill(later)
    await owner
      .dialog()
      .getByRole('checkbox', { name: owner.say('views.share') })
      .check()
    await owner
      .dialog()
      .getByRole('checkbox', { name: owner.say('views.replace') })
      .check()
    await expect.poll(() => faultsOf(owner)).toEqual([])
    await keep(owner).click()
    await owner.text('views.changed').waitFor()

    await colleague.page.reload()
    await openViews(colleague)
    await viewOf(colleague, colleague.say('views.by', { name: 'merchant' })).waitFor()
    expect(await panelOf(colleague).getByRole('listitem').getByRole('button').count()).toBe(1)
    await expect.poll(() => faultsOf(colleague)).toEqual([])
    await viewOf(colleague, later).click()
    await expect.poll(() => new URL(colleague.page.url()).search).toBe('?status=5')

    // It is gone for both once the question was answered.
    await openViews(owner)
    await owner.button('views.deleteOf', panelOf(owner), { name: later }).click()
    await owner.button('views.delete', owner.dialog()).click()
    await owner.text('console.form.deleted').waitFor()
    await colleague.page.reload()
    await openViews(colleague)
    await panelOf(colleague).getByText(colleague.say('views.none')).waitFor()
  },
)

it('what was typed stays when a view cannot be saved, and the name that is taken is told at its field', async () => {
  const clerk = await visit('merchant-sub', 'en', 390)
  const name = 'Late ones'
  onTestFinished(async () => {
    await openViews(clerk)
    await clerk.button('views.deleteOf', panelOf(clerk), { name }).click()
    await clerk.button('views.delete', clerk.dialog()).click()
    await clerk.text('console.form.deleted').waitFor()
  })
  await clerk.open('/orders?status=3')
  const save = async () => {
    await openViews(clerk)
    await clerk.button('views.save', panelOf(clerk)).click()
    await nameField(clerk).fill(name)
    await keep(clerk).click()
  }
  await clerk.page.route(`**${addSavedView.path}`, (route) => route.abort(), { times: 1 })
  await save()
  await clerk
    .text('console.form.addFailed', { reason: clerk.say('console.form.networkFailure', { status: 0 }) })
    .waitFor()
  expect(await nameField(clerk).inputValue()).toBe(name)
  await keep(clerk).click()
  await clerk.text('views.saved').waitFor()
  await save()
  await clerk.dialog().getByRole('alert').getByText(clerk.say('validation.viewNameTaken')).waitFor()
  await expect.poll(() => nameField(clerk).evaluate((input) => input === document.activeElement)).toBe(true)
  expect(await nameField(clerk).inputValue()).toBe(name)
  // Leaving asks first.
  await clerk.button('console.form.cancel', clerk.dialog()).click()
  await clerk.button('console.form.discard', clerk.dialog()).click()
  await nameField(clerk).waitFor({ state: 'detached' })
})
