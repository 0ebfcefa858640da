import { describe, expect, it } from 'vitest'
import { en } from './en/index.ts'
import { translate } from './texts.ts'
import { zhCN } from './zh-CN/index.ts'

interface Texts {
  [name: string]: string | Texts
}

/** Every text by its key. */
function* textsIn(tree: Texts, prefix = ''): Generator<[key: string, text: string]> {
  for (const [name, found] of Object.entries(tree)) {
    if (typeof found === 'string') yield [prefix + name, found]
    else yield* textsIn(found, `${prefix}${name}.`)
  }
}

/** Values that a text is completed with, and those of them that it shows. */
const valuesOf = (text: string) => new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name))
const shownIn = (text: string) => new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))

describe('texts', () => {
  it('ask for the same values in both languages', () => {
    const chinese = new Map(textsIn(zhCN as Texts))
    const different = [...textsIn(en as Texts)].filter(([key, text]) => {
      const other = chinese.get(key) ?? ''
      // Where one and several have different words, Chinese mostly has the same.
      return !shownIn(text).isSubsetOf(valuesOf(other)) || !valuesOf(other).isSubsetOf(valuesOf(text))
    })
    expect(different).toEqual([])
  })

  it('speak of one thing as of one', () => {
    const text = (count: string) => translate('en', 'batches.deleted', { count })
    expect(text('1')).toBe('1 device is deleted')
    expect(text('0')).toBe('0 devices are deleted')
    expect(text('1,000')).toBe('1,000 devices are deleted')
    const title = (count: number) => translate('en', 'devices.dialog.lockTitle', { count })
    expect([title(1), title(2)]).toEqual(['Lock the device?', 'Lock devices?'])
  })
})
