import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser } from 'playwright-core'

import { launchBrowser } from './browser.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser.close()
})

const strictPage = `<!doctype html><meta charset="utf-8"><style>
  body { font: 24px/1.6 system-ui, sans-serif; margin: 24px; width: 640px }
  b { font-weight: 700 }</style>
  <p>按摩椅 · 订单 <b>退款审核</b> 海底角店</p><p>Chairside Order <b>¥12.50</b> ÄÖé</p>`

describe('the browser of the tests', () => {
  it('shows Chinese on a page that brings no font and allows none', async () => {
    const server = createServer((_request, response) => {
      response.setHeader('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      response.end(strictPage)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const page = await browser.newPage()
    try {
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
      const session = await page.context().newCDPSession(page)
      await session.send('DOM.enable')
      await session.send('CSS.enable')
      const { root } = await session.send('DOM.getDocument')
      const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'p' })
      const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
      const glyphs = fonts.filter(({ familyName }) =>
        /Noto Sans (CJK )?SC|Source Han|WenQuanYi|PingFang/.test(familyName),
      )
      expect(glyphs.reduce((sum, { glyphCount }) => sum + glyphCount, 0)).toBeGreaterThanOrEqual(13)
    } finally {
      await page.close()
      server.close()
    }
  })

  it('outlives the contexts that are opened and closed in it', async () => {
    for (let round = 0; round < 3; round++) {
      const context = await browser.newContext()
      await (await context.newPage()).setContent('<p>round</p>')
      await context.close()
    }
    expect(browser.isConnected()).toBe(true)
  })
})
