import fs from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const antdStylesheet = createRequire(import.meta.url).resolve('antd/dist/antd.css')

/** Classes of antd that a stylesheet has rules for, but those whose only rules are variables: these are set at run time. */
const classesIn = (stylesheet: string): Set<string> =>
  new Set(
    [...stylesheet.matchAll(/\.(ant-[\w-]+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !name.endsWith('-css-var')),
  )

/** Classes that antd has styles for, and the console brings none. */
export async function findClassesLeftOut(url: string): Promise<Set<string>> {
  const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
  const links = page.matchAll(/<link rel="stylesheet"[^>]* href="([^"]+)"/g)
  const stylesheets = await Promise.all(
    [...links].map(async ([, address = '']) => (await fetch(new URL(address, url))).text()),
  )
  return classesIn(fs.readFileSync(antdStylesheet, 'utf8')).difference(classesIn(stylesheets.join('\n')))
}

/** Which of some classes a page shows. */
export async function findShown(page: Page, classes: ReadonlySet<string>): Promise<string[]> {
  const shown = await page
    .locator('[class*=ant-]')
    .evaluateAll((elements) => [...new Set(elements.flatMap(({ classList }) => [...classList]))])
  return shown.filter((name) => classes.has(name))
}
