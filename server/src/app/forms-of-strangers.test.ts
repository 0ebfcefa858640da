import net from 'node:net'
import { importLimits } from '@chairside/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { collectGarbage } from '../testing/collect-garbage.ts'
import { drawPicture } from '../testing/drawn-pictures.ts'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'
import { freshKey, postPicture, uploadTokenOf } from '../testing/uploads.ts'

/* Forms with files that somebody begins to send who has not signed in, and never ends. */

let network: TestNetwork
let port: number
let lines: net.Socket[] = []
beforeAll(async () => {
  network = await startTestNetwork()
  port = Number(new URL(await network.app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterEach(() => {
  for (const line of lines) line.destroy()
  lines = []
})
afterAll(() => network.stop())

const boundary = 'boundary-of-the-form'
const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\ncontent-type: application/octet-stream\r\n\r\n`

/** What files are made of: one for all, so that what is held is held by the program. */
const content = Buffer.alloc(importLimits.bytes)

/** Sends a form up to some bytes of its file, and waits for nothing. */
async function begin(path: string, bytes: number): Promise<net.Socket> {
  const line = net.connect(port, '127.0.0.1').on('error', () => undefined)
  lines.push(line)
  line.write(
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: multipart/form-data; boundary=${boundary}\r\ncontent-length: ${bytes + 10_000}\r\n\r\n${file}`,
  )
  await new Promise((sent) => line.write(content.subarray(0, bytes), sent))
  return line
}

/** What the program holds of bytes that came; what it has let go of may wait for long to be collected. */
function heldBytes(): number {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

describe('a form with a file', () => {
  it('of who is not signed in is not kept where that is needed', async () => {
    const before = heldBytes()
    for (let form = 0; form < 30; form++) await begin('/api/places/import', importLimits.bytes)
    // As many bytes as were sent would be a hundred and fifty.
    await expect.poll(heldBytes).toBeLessThan(before + 50_000_000)
    const { body } = await network.call('POST', '/api/places/import', {
      body: Buffer.from(`${file}x\r\n--${boundary}--\r\n`),
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    })
    expect(body.resultCode).toBe('02000')
  })

  it('is taken from strangers a few at a time, and again when those have left', async () => {
    const send = async () => {
      const token = await uploadTokenOf(network, network.tokens.merchant, 'banner')
      return postPicture(network, { token, key: freshKey() }, await drawPicture(720, 350))
    }
    for (let form = 0; form < 60; form++) await begin('/api/upload', 1000)
    await expect.poll(async () => (await send()).status).toBe(429)
    for (const line of lines) line.destroy()
    await expect.poll(async () => (await send()).body.success).toBe(true)
  })
})
