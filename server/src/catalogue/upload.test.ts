import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { pictureLimits, type PictureRow } from '@chairside/contract'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mountPictures } from '../app/picture-files.ts'
import { createDiskStore } from '../kit/object-store/disk-store.ts'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'
import { drawPicture } from '../testing/drawn-pictures.ts'
import { freshKey, postPicture, sendBanner, uploadTokenOf } from '../testing/uploads.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await startTestNetwork()
})
afterAll(() => network.stop())

const tokenOf = (purpose = 'banner') => uploadTokenOf(network, network.tokens.merchant, purpose)
/** Sends a file as a banner; what is said of it, in English. */
async function send(file: Uint8Array | undefined, key = freshKey(), language = 'en') {
  const { body } = await postPicture(network, { token: await tokenOf(), key }, file, language)
  return body
}
/** A message of a refusal at the file. */
const atFile = (message: unknown) => ({ resultCode: '100', data: { fields: { file: message } } })

/** A PNG that says it has such a size, with hardly any bytes. */
function pngOfSize(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    checksum.writeUInt32BE(zlib.crc32(body))
    return Buffer.concat([length, body, checksum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const rows = zlib.deflateSync(Buffer.alloc((width * 3 + 1) * Math.min(height, 64)), { level: 9 })
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

describe('a picture that is sent in', () => {
  it.each(['jpeg', 'png'] as const)('is taken as %s, and served for ever from its key', async (format) => {
    const key = freshKey('banner', format === 'png' ? 'png' : 'jpg')
    const { success, data } = await send(await drawPicture(720, 350, format), key)
    expect(success).toBe(true)
    expect(data).toEqual({ key, url: `/pictures/${key}`, width: 720, height: 350 })
    const kept = fs.readFileSync(path.join(network.pictureFolder, key))
    expect(await sharp(kept).metadata()).toMatchObject({ format, width: 720, height: 350 })
  })

  it('is drawn anew: neither where it was taken nor anything behind it stays', async () => {
    const key = freshKey()
    const taken = await sharp(await drawPicture(720, 350))
      .withExif({ IFD0: { Copyright: 'secret-owner' }, IFD3: { GPSLatitude: '31/1 14/1 0/1' } })
      .jpeg()
      .toBuffer()
    expect(taken.includes('secret-owner')).toBe(true)
    expect((await send(Buffer.concat([taken, Buffer.from('<script>alert(1)</script>')]), key)).success).toBe(
      true,
    )
    const kept = fs.readFileSync(path.join(network.pictureFolder, key))
    expect(kept.includes('secret-owner') || kept.includes('<script>')).toBe(false)
    expect((await sharp(kept).metadata()).exif).toBeUndefined()
  })

  it('stands upright as the camera held it, also for its size', async () => {
    const onItsSide = await sharp(await drawPicture(350, 720))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect((await send(onItsSide)).data).toMatchObject({ width: 720, height: 350 })
  })

  it('is refused by its bytes, whatever its name says', async () => {
    const gif = await sharp(await drawPicture(720, 350))
      .gif()
      .toBuffer()
    const webp = await sharp(await drawPicture(720, 350))
      .webp()
      .toBuffer()
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="720" height="350"/>')
    for (const file of [gif, webp, svg, Buffer.from('MZ'), Buffer.alloc(0)])
      expect(await send(file)).toMatchObject(atFile('Only JPG or PNG pictures'))
    expect(await send(gif, freshKey(), 'zh-CN')).toMatchObject(atFile('图片只能是 JPG 或 PNG 格式'))
    expect(await send(undefined)).toMatchObject(atFile('Choose a picture'))
  })

  it('may have 2 MB and not a byte more', async () => {
    const picture = await drawPicture(720, 350)
    const exactly = Buffer.concat([picture, Buffer.alloc(pictureLimits.bytes - picture.length)])
    expect((await send(exactly)).success).toBe(true)
    const more = Buffer.concat([exactly, Buffer.alloc(1)])
    expect(await send(more)).toMatchObject(atFile('The picture is larger than 2 MB'))
    expect(await send(more, freshKey(), 'zh-CN')).toMatchObject(atFile('图片不能超过 2 MB'))
    expect(await send(Buffer.concat([more, Buffer.alloc(9_000_000)]))).toMatchObject(
      atFile('The picture is larger than 2 MB'),
    )
  })

  it.each([
    [719, 350],
    [720, 351],
    [350, 720],
    [1440, 700],
  ])('of %i by %i pixels is no banner', async (width, height) => {
    expect(await send(await drawPicture(width, height))).toMatchObject(
      atFile(`The picture must be 720 × 350 pixels; it is ${width} × ${height}`),
    )
    expect(await send(await drawPicture(width, height), freshKey(), 'zh-CN')).toMatchObject(
      atFile(`图片尺寸须为 720 × 350 像素，当前为 ${width} × ${height}`),
    )
  })

  it('that would unfold into gigabytes is refused by what its head says', async () => {
    for (const [width, height] of [
      [30_000, 350],
      [30_000, 30_000],
      [2_000_000_000, 2],
    ] as const) {
      const started = performance.now()
      expect(await send(pngOfSize(Math.min(width, 30_000), height))).toMatchObject(
        atFile(expect.stringMatching(/^The picture (must be 720 × 350|cannot be read)/)),
      )
      expect(performance.now() - started).toBeLessThan(20_000)
    }
  })

  it('that is broken off or has bytes of another is refused as unreadable', async () => {
    const whole = await drawPicture(720, 350, 'jpeg', 'noise')
    expect(await send(whole.subarray(0, whole.length / 2))).toMatchObject(
      atFile('The picture cannot be read'),
    )
    expect(await send(pngOfSize(720, 350))).toMatchObject(atFile('The picture cannot be read'))
    const onlyMagic = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(3000, 7)])
    expect(await send(onlyMagic)).toMatchObject(atFile('The picture cannot be read'))
  })

  it('keeps the key it came with, once; a key leads nowhere else', async () => {
    const key = freshKey()
    const picture = await drawPicture(720, 350)
    expect((await send(picture, key)).success).toBe(true)
    expect((await send(picture, key)).resultCode).toBe('106')
    const wrong = [
      '../../etc/passwd',
      'banner_1.jpg',
      `${key}/..`,
      'banner_1763000000000.svg',
      `x${key}`,
      '5_1763000000000.png',
    ]
    for (const name of wrong)
      expect(await send(picture, name)).toMatchObject({
        resultCode: '100',
        data: { fields: { key: 'Not the name of a picture' } },
      })
    const twins = await Promise.all(
      Array.from({ length: 5 }, () => send(picture, 'banner_1763999999999_x.jpg')),
    )
    expect(twins.map(({ resultCode }) => resultCode).toSorted()).toEqual(['000', '106', '106', '106', '106'])
    // Where a folder takes both for one, the second would be shown in the place of the first, which was reviewed.
    expect((await send(picture, 'banner_1763999999999_X.JPG')).resultCode).toBe('106')
  })
})

describe('a portrait of goods', () => {
  const sendPortrait = async (file: Uint8Array, key = freshKey('77', 'png')) =>
    (await postPicture(network, { token: await tokenOf('portrait'), key }, file)).body

  it('may have any shape and is kept no larger than it is shown', async () => {
    expect((await sendPortrait(await drawPicture(40, 90))).data).toMatchObject({ width: 40, height: 90 })
    expect((await sendPortrait(await drawPicture(2400, 1200))).data).toMatchObject({
      width: 336,
      height: 168,
    })
  })

  it('of 30,000 pixels is refused by its size; its key names its goods', async () => {
    expect(await sendPortrait(pngOfSize(30_000, 10))).toMatchObject(
      atFile('The picture is larger than 6000 pixels on a side; it is 30000 × 10'),
    )
    expect(await sendPortrait(await drawPicture(40, 90), freshKey())).toMatchObject({
      data: { fields: { key: 'Not the name of a picture' } },
    })
  })

  it('is sent in only by who may change goods', async () => {
    const { body } = await network.call('GET', '/api/upload/token?purpose=portrait', {
      token: network.tokens.agent,
    })
    expect(body.resultCode).toBe('103')
  })
})

describe('the token of an upload', () => {
  it('is told with where to send what', async () => {
    const { body } = await network.call('GET', '/api/upload/token', { token: network.tokens.merchant })
    expect(body.data).toMatchObject({
      bucketHost: '/pictures/',
      uploadUrl: '/api/upload',
      maxBytes: 2_097_152,
    })
  })

  it('works once, also when it is tried by several at once or with something wrong', async () => {
    const picture = await drawPicture(720, 350)
    const token = await tokenOf()
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => postPicture(network, { token, key: freshKey() }, picture)),
    )
    expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
    const spent = await tokenOf()
    await postPicture(network, { token: spent, key: freshKey() }, Buffer.from('nothing'))
    const { body } = await postPicture(network, { token: spent, key: freshKey() }, picture)
    expect(body.data.fields.token).toMatch(/expired or has already been used/)
  })

  it('is worth nothing when it is old, made up, or its owner may not sign in any more', async () => {
    const picture = await drawPicture(720, 350)
    const isTaken = async (token: string) =>
      (await postPicture(network, { token, key: freshKey() }, picture)).body.success
    const old = await tokenOf()
    await network.pool.query(`update upload_tokens set expires_at = now() - interval '1 second'`)
    expect(await isTaken(old)).toBe(false)
    expect(await isTaken('x'.repeat(43))).toBe(false)
    const locked = await tokenOf()
    const { merchantId } = network.ours
    await network.pool.query('update organisations set status = 2 where id = $1', [merchantId])
    expect(await isTaken(locked)).toBe(false)
    await network.pool.query('update organisations set status = 1 where id = $1', [merchantId])
  })

  it('stands in the audit trail under who sent, never itself', async () => {
    const key = await sendBanner(network, network.tokens.merchant)
    const { rows } = await network.pool.query(
      `select user_name, outcome, target from audit_trail where action = 'picture.upload' and target = $1`,
      [key],
    )
    expect(rows).toEqual([{ user_name: 'our-merchant', outcome: '000', target: key }])
  })

  it('stands there too when it is refused', async () => {
    const key = freshKey()
    await send(Buffer.from('no picture at all'), key)
    const { rows } = await network.pool.query(
      `select user_name, outcome from audit_trail where action = 'picture.upload' and target = $1`,
      [key],
    )
    expect(rows).toEqual([{ user_name: 'our-merchant', outcome: '100' }])
  })
})

describe('the pictures of a day', () => {
  it('are so many of an organisation, so that nobody fills the store', async () => {
    const { rows } = await network.pool.query(
      `insert into pictures (key, purpose, organisation_id, account_id, width, height)
       select 'banner_' || 1700000000000 + n || '_of-the-day.jpg', 'banner', a.organisation_id, a.id, 1, 1
         from accounts a, generate_series(1, $1) n where a.id = (select account_id from pictures where organisation_id = $2 limit 1)
       returning 1`,
      [pictureLimits.aDay, network.ours.merchantId],
    )
    expect(rows).toHaveLength(pictureLimits.aDay)
    const picture = await drawPicture(720, 350)
    expect((await send(picture)).resultCode).toBe('107')
    expect((await sendBanner(network, network.tokens.agent)).length).toBeGreaterThan(0)
    await network.pool.query(
      `update pictures set uploaded_at = now() - interval '25 hours', used_at = now() where key like '%of-the-day.jpg'`,
    )
    expect((await send(picture)).resultCode).toBe('000')
    await network.pool.query(`delete from pictures where key like '%of-the-day.jpg'`)
  })
})

describe('other calls', () => {
  it('take no multipart form', async () => {
    const answer = await network.app.inject({
      method: 'POST',
      url: '/api/sessions/login',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x--',
    })
    expect(answer.statusCode).toBe(415)
  })

  it('and a form that is none is told so', async () => {
    for (const [type, payload] of [
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=x', 'no part'],
      [
        'multipart/form-data; boundary=x',
        '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhalf',
      ],
    ] as const) {
      const answer = await network.app.inject({
        method: 'POST',
        url: '/api/upload',
        headers: { 'content-type': type },
        payload,
      })
      expect(answer.json()).toMatchObject({ success: false, resultCode: '100' })
    }
  })
})

describe('the history of pictures', () => {
  it('has eight on a page, newest first, and only of one’s own organisation', async () => {
    const { tokens } = network
    await sendBanner(network, tokens.agent)
    const keys = Array.from({ length: 9 }, () => freshKey())
    for (const key of keys)
      await network.pool.query(
        `insert into pictures (key, purpose, organisation_id, width, height, uploaded_at, stored_at)
         values ($1, 'banner', 1, 720, 350, clock_timestamp(), now())`,
        [key],
      )
    const read = async (query = '') =>
      (
        await network.call<{ list: PictureRow[]; total: number }>('GET', `/api/goodsbanners${query}`, {
          token: tokens.admin,
        })
      ).body.data
    const first = await read()
    expect(first.total).toBe(9)
    expect(first.list.map(({ key }) => key)).toEqual(keys.toReversed().slice(0, 8))
    expect((await read('?pagesize=8&pagenum=2')).list.map(({ key }) => key)).toEqual([keys[0]])
    expect((await read('?pagesize=0')).list).toHaveLength(9)
    expect((await read('?pagesize=&pagenum=')).list).toHaveLength(8)
  })
})

describe('pictures on the web', () => {
  it('are served as what they are and kept for a year; what is none is not found', async () => {
    const store = createDiskStore(network.pictureFolder)
    const { default: Fastify } = await import('fastify')
    const app = Fastify({ routerOptions: { maxParamLength: 200 } })
    mountPictures(app, store)
    const key = await sendBanner(network, network.tokens.merchant)
    const answer = await app.inject(`/pictures/${key}`)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    expect((await sharp(answer.rawPayload).metadata()).width).toBe(720)
    fs.writeFileSync(path.join(network.pictureFolder, 'secret.txt'), 'x')
    for (const address of [
      'banner_1763000000000_none.jpg',
      'secret.txt',
      '..%2fsecret.txt',
      '%2e%2e/secret.txt',
      '..%5csecret.txt',
      'banner_1763000000000.jpg%00',
    ]) {
      const missing = await app.inject(`/pictures/${address}`)
      expect(missing.statusCode, address).toBe(404)
    }
    await app.close()
  })
})
