import fs from 'node:fs/promises'
import { importPlaces } from '@chairside/contract'
import { translate, type TextKey } from '@chairside/contract/locales/texts'
import { sheetOf, textsOf } from '@chairside/server/testing/test-sheets'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { findViolations } from './accessibility.ts'
import { launchBrowser } from './browser.ts'
import { openConsole } from './open-screen.ts'

const demo = inject('demo')
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
})

const language = 'zh-CN'
const say = (key: TextKey, values: Record<string, string | number> = {}) => translate(language, key, values)

/** What a click saves. */
async function saved(page: Page, key: TextKey): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: say(key), exact: true }).click(),
  ])
  return fs.readFile(await download.path())
}

/** Drops a file where somebody lets go of it. */
async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  const dropped = await page.evaluateHandle(
    ([fileName, content]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(atob(content), (one) => one.charCodeAt(0))], fileName))
      return transfer
    },
    [name, bytes.toString('base64')] as const,
  )
  await page.locator('.file-drop').dispatchEvent('drop', { dataTransfer: dropped })
}

describe('places from an Excel file', () => {
  it('are tried, imported in spite of a failure, and what failed is mended and dropped again', async () => {
    const { context, page } = await openConsole(browser, demo.url, 'merchant', {
      language,
      width: 390,
      appearance: 'light',
    })
    onTestFinished(() => context.close())
    const button = (key: TextKey) => page.getByRole('button', { name: say(key), exact: true })
    // A button that has waited keeps the word "loading" in its name.
    const confirm = (count: number) =>
      page.getByRole('button', { name: say('imports.places.confirm', { count }) })
    await page.goto(`${demo.url}/place`)
    await button('imports.open').click()
    const [titles = []] = await textsOf(await saved(page, 'imports.blankSheet'))
    expect(titles).toEqual(['场所', '电话'])

    const file = page.getByLabel(say('imports.file'))
    await file.setInputFiles({ name: 'halls.txt', mimeType: 'text/plain', buffer: Buffer.from('Hall') })
    await page.getByText(say('imports.fault.notExcel')).waitFor()
    const rows = [titles, ['灯塔广场', '0571-8888'], ['', '12345'], ['北门', '']]
    await file.setInputFiles({ name: 'halls.xlsx', mimeType: '', buffer: await sheetOf(rows) })
    await page.getByText(say('validation.placeNameEmpty')).waitFor()
    expect(await findViolations(page)).toEqual([])

    // The answer is lost: nobody knows whether they were imported.
    await page.route(`**${importPlaces.path}`, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await confirm(2).click()
    await page.getByText(say('imports.unanswered', { reason: '' }).slice(0, 5)).waitFor()
    await page.unroute(`**${importPlaces.path}`)
    await confirm(2).click()
    await page.getByText('merchant 已于', { exact: false }).waitFor()
    await page.getByRole('button', { name: say('imports.again') }).waitFor()

    const failed = await saved(page, 'imports.saveFailed')
    expect(await textsOf(failed)).toEqual([
      ['场所', '电话', '未导入原因'],
      ['12345', '场所: 场所名称不能为空'],
    ])
    await drop(
      page,
      'mended.xlsx',
      await sheetOf([
        ['场所', '电话', '未导入原因'],
        ['南门', '12345', '…'],
      ]),
    )
    await page.getByText(say('imports.allGood')).waitFor()
    await confirm(1).focus()
    await page.keyboard.press('Enter')
    await page.getByText(say('imports.imported')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const name of ['灯塔广场', '北门', '南门']) await page.getByText(name, { exact: true }).waitFor()
  })
})
