import { buffer } from 'node:stream/consumers'
import { listDevices } from '@chairside/contract'
import jsqr from 'jsqr'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import yauzl from 'yauzl'
import { addAccount, addOrganisation, startTestServer, type TestServer } from '../../testing/test-server.ts'
import { letterBox, linesOf } from './letters.ts'
import { layOutSticker } from './sticker-layout.ts'
import { stickerPng } from './sticker-png.ts'
import { createQrCodeCalls } from './qr-code-calls.ts'

const publicUrl = 'https://chairs.example.com'
const addressOf = (deviceId: string) => `${publicUrl}/d/${deviceId}`

/** `jsqr` is CommonJS whose types speak of a module. */
const readCode = jsqr as unknown as typeof jsqr.default

/** What the code of a picture says. */
async function read(picture: Uint8Array, width = 600): Promise<string | undefined> {
  const { data, info } = await sharp(picture)
    .resize({ width })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return readCode(new Uint8ClampedArray(data), info.width, info.height)?.data
}

async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await yauzl.fromBufferPromise(bytes)
  const files = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return files
}

let server: TestServer
const tokens: Record<string, string> = {}

beforeAll(async () => {
  server = await startTestServer(() => createQrCodeCalls(publicUrl))
  await addAccount(server, { organisationId: 1, userName: 'root', isOwner: true, tree: 'admin' })
  const spa = await addOrganisation(server, 'merchant', 'spa')
  const gym = await addOrganisation(server, 'merchant', 'gym')
  await server.pool.query(`insert into device_models (id, model) values (1, 'M')`)
  await server.pool.query(
    `insert into device_batches (id, first_sid, last_sid, prefix, digits, first_number, amount, model_id)
     values (7, 'N01', 'N40', 'N', 2, 1, 40, 1)`,
  )
  await server.pool.query(
    `with made as (
       insert into devices (sid, model_id, merchant_id, batch_id, removed_at, credential_hash)
       select sid, 1, merchant, batch, removed, '' from (
         values ('G1', $1::bigint, null::bigint, null::timestamptz), ('G10', $1, null, null), ('G9', $1, null, null), ('GONE1', $1, null, now()), ('K1', $2, null, null)
         union all select 'N' || lpad(n::text, 2, '0'), null, 7, null from generate_series(1, 40) n) as d (sid, merchant, batch, removed)
       returning id)
     insert into device_states (device_id) select id from made`,
    [spa, gym],
  )
  for (const name of ['root', 'spa']) tokens[name] = await server.signIn(name)
})
afterAll(() => server.stop())

async function get(path: string, who = 'spa', headers: Record<string, string> = {}) {
  const answer = await server.call('GET', path, { token: tokens[who] ?? '', headers })
  return { ...answer, file: answer.body as unknown as Buffer }
}

describe('the QR code of a device', () => {
  it('is a picture for print that says the address of its pay page', async () => {
    const { file, headers } = await get('/api/device/G10/qrcode')
    expect(headers['content-type']).toBe('image/png')
    const { width = 0, density, channels } = await sharp(file).metadata()
    expect([width >= 1000, density, channels]).toEqual([true, 300, 1])
    expect(await read(file)).toBe(addressOf('G10'))
  })

  it.each([
    ['/api/device/g10/qrcode?format=svg', {}],
    ['/api/device/G10/qrcode', { accept: 'image/svg+xml' }],
  ])('is an SVG that needs nothing from outside: %s %j', async (path, accept) => {
    const { file, headers } = await get(path, 'spa', accept)
    expect(headers['content-type']).toContain('image/svg+xml')
    const svg = file.toString('utf8')
    expect(svg).toContain('<title>G10</title>')
    expect(svg).not.toMatch(/<text|font|href|url\(|<style/)
    expect(await read(file)).toBe(addressOf('G10'))
  })

  it('is read though a piece of it is scratched away', async () => {
    const png = stickerPng(layOutSticker('G10', addressOf('G10')))
    const scratch = await sharp({
      create: { width: 225, height: 225, channels: 3, background: '#fff' },
    })
      .png()
      .toBuffer()
    const scratched = await sharp(png)
      .toColourspace('srgb')
      .composite([{ input: scratch, left: 420, top: 420 }])
      .png()
      .toBuffer()
    expect(await read(scratched)).toBe(addressOf('G10'))
  })

  it('does not exist for whom the device does not', async () => {
    for (const id of ['K1', 'GONE1', 'G999', 'N01'])
      expect((await get(`/api/device/${id}/qrcode`)).body.resultCode, id).toBe('104')
    expect((await get('/api/device/not-one/qrcode')).body.resultCode).toBe('100')
    expect((await get('/api/device/N01/qrcode', 'root')).headers['content-type']).toBe('image/png')
  })
})

describe('letters below the code', () => {
  const all = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ']

  it('are drawn for every character that a device id has, each differently', () => {
    const drawn = all.map((letter) => JSON.stringify(linesOf(letter)))
    expect(drawn.every((lines) => lines !== '[]')).toBe(true)
    expect(new Set(drawn).size).toBe(all.length)
  })

  it.each(['G1', 'GWWWWWWWWWWWWWWWWWW9'])('stand within the sticker, however long the id: %s', async (id) => {
    const layout = layOutSticker(id, addressOf(id))
    const { letters, width } = layout
    const right = letters.left + ((id.length - 1) * letterBox.advance + letterBox.width) * letters.scale
    expect(letters.left).toBeGreaterThan(2)
    expect(right).toBeLessThan(width - 2)
    const png = sharp(stickerPng(layout))
    const { height = 0, width: pixels = 0 } = await png.metadata()
    const top = Math.floor((height * letters.top) / layout.height)
    const band = { left: 0, top, width: pixels, height: height - top }
    const { channels } = await png.extract(band).stats()
    expect(channels[0]?.min).toBe(0)
    expect(channels[0]?.mean).toBeLessThan(253)
  })
})

describe('the zip of QR codes', () => {
  it('holds both files of each device, by name', async () => {
    const { file, headers } = await get('/api/devices/generateqrcode?deviceids=G9,G10,G1,G9')
    expect(headers['content-type']).toBe('application/zip')
    expect(headers['content-disposition']).toBe('attachment; filename="qrcode.zip"')
    const files = await unzip(file)
    const names = ['G1.png', 'G1.svg', 'G10.png', 'G10.svg', 'G9.png', 'G9.svg']
    expect([...files.keys()]).toEqual(names)
    for (const [name, content] of files)
      expect(await read(content), name).toBe(addressOf(name.split('.')[0] ?? ''))
  })

  it('holds all devices asked for or is refused', async () => {
    const { body } = await get('/api/devices/generateqrcode?deviceids=G9,K1')
    expect(body).toMatchObject({ resultCode: '104', message: 'Not found, or no longer there: K1' })
    const many = await get('/api/devices/generateqrcode?deviceids=G9,K1,K2,K3,K4,K5,K6,K7')
    expect(many.body.message).toMatch(/: K1, K2, K3, K4, K5 … \(7\)$/)
    expect((await get('/api/devices/generateqrcode')).body.resultCode).toBe('105')
  })

  it('of a batch holds its devices, for admins', async () => {
    const { file } = await get('/api/devices/batchqrcode/7', 'root')
    const names = [...(await unzip(file)).keys()]
    expect(names).toHaveLength(80)
    expect(names).toEqual(names.toSorted())
    expect((await get('/api/devices/batchqrcode/7')).body.resultCode).toBe('103')
    expect((await get('/api/devices/batchqrcode/8', 'root')).body.resultCode).toBe('104')
    await server.pool.query('update devices set removed_at = now() where batch_id = 7')
    expect((await get('/api/devices/batchqrcode/7', 'root')).body).toMatchObject({
      resultCode: '105',
      message: 'All devices of this batch have been removed',
    })
    await server.pool.query('update devices set removed_at = null where batch_id = 7')
  })

  it('takes more ids than an address holds, and all that match the filters of the list', async () => {
    const post = async (body: Record<string, unknown>, who = 'spa') => {
      const answer = await server.call('POST', '/api/devices/generateqrcode', {
        token: tokens[who] ?? '',
        body,
      })
      const isZip = answer.headers['content-type'] === 'application/zip'
      return isZip ? [...(await unzip(answer.body as unknown as Buffer)).keys()] : answer.body.resultCode
    }
    expect(await post({ deviceids: ['G9', 'G1'] })).toHaveLength(4)
    expect(await post({ matching: true, deviceid: 'G1' })).toHaveLength(4)
    expect(await post({ matching: true })).toHaveLength(6)
    expect(await post({ matching: true, merchantid: 0 }, 'root')).toHaveLength(80)
    expect(await post({ matching: true, merchantid: 0 })).toBe('104')
    expect(await post({ matching: true, deviceid: 'W' })).toBe('104')
    expect(await post({})).toBe('105')
    expect(Object.keys(listDevices.input.shape)).toContain('deviceid')
  })
})
