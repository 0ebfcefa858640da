import { createCache, extractStyle, StyleProvider } from '@ant-design/cssinjs'
import { extractStyle as renderComponents } from '@ant-design/static-style-extract'
import { ConfigProvider } from 'antd'
import fs from 'node:fs'
import path from 'node:path'
import { createElement } from 'react'
import { Visitor, type ESTree, type Plugin } from 'vite'

const moduleName = 'virtual:antd-styles.css'
const sourceFolder = path.join(import.meta.dirname, 'src')

/** What `App` shows without anybody importing it. */
const shownByApp = ['message', 'notification', 'Modal']

/** The components of antd that the console's sources import. */
function importedComponents(): string[] {
  const names = new Set(shownByApp)
  for (const file of fs.readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.tsx')) continue
    const source = fs.readFileSync(path.join(sourceFolder, file), 'utf8')
    for (const [, imported = ''] of source.matchAll(/import \{([^}]*)\} from 'antd'/g))
      for (const name of imported.split(',')) names.add(name.trim())
  }
  return [...names]
}

/** Their styles. Colours and sizes are variables in them, which antd sets when it runs, for whichever theme. */
function stylesOf(components: string[]): string {
  const cache = createCache()
  const theme = { hashed: false }
  renderComponents({
    includes: components,
    customTheme: (node) =>
      createElement(StyleProvider, { cache }, createElement(ConfigProvider, { theme }, node)),
  })
  return extractStyle(cache, { plain: true, types: 'style' })
}

const takesStyleFunction = /^gen(StyleHooks|SubStyleComponent|ComponentStyleHook)$/

/** Where a module of antd hands over the functions that make a component's styles. */
function findStyleFunctions(module: ESTree.Program): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  new Visitor({
    CallExpression({ callee, arguments: [, styleFunction] }) {
      if (callee.type === 'Identifier' && takesStyleFunction.test(callee.name) && styleFunction)
        found.push(styleFunction)
    },
  }).visit(module)
  return found
}

/**
 * antd's styles as a file, `virtual:antd-styles.css`, in place of the code that makes them: in a browser that would run
 * for each component when it is shown for the first time. The theme has to be told (`zeroRuntime`).
 */
export function antdStyles(): Plugin {
  return {
    name: 'antd-styles',
    resolveId: (id) => (id === moduleName ? `\0${moduleName}` : undefined),
    load: (id) => (id === `\0${moduleName}` ? stylesOf(importedComponents()) : undefined),
    transform: {
      filter: { id: /\/antd\/es\/.+\/style\/.+\.js$/ },
      handler(code) {
        let left = code
        for (const { start, end } of findStyleFunctions(this.parse(code)).toReversed())
          left = `${left.slice(0, start)}() => []${left.slice(end)}`
        return { code: left, map: null }
      },
    },
  }
}
