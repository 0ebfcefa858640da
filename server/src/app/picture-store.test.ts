import fs from 'node:fs'
import path from 'node:path'
import { startS3Sandbox, type S3Sandbox } from '@chairside/sandbox/s3/s3-sandbox'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ObjectStoreError } from '../kit/object-store/s3-store.ts'
import type { ObjectStore } from '../kit/object-store/object-store.ts'
import { makeDataFolder } from '../testing/temporary-data.ts'
import { openPictureStore } from './picture-files.ts'

let sandbox: S3Sandbox
const data = makeDataFolder()
beforeAll(async () => {
  sandbox = await startS3Sandbox()
})
afterAll(async () => {
  await sandbox.stop()
  data.remove()
})
beforeEach(() => Object.assign(sandbox.faults, { errors: 0, isSilent: false, clockMs: 0 }))

const onDisk = () => openPictureStore({ s3: undefined, dataDirectory: data.folder })
const inBucket = (settings: Partial<S3Sandbox['keys']> & { timeoutMs?: number; bucketUrl?: string } = {}) =>
  openPictureStore({
    s3: { bucketUrl: sandbox.bucketUrl, ...sandbox.keys, ...settings },
    dataDirectory: data.folder,
  })
const picture = Buffer.from('the bytes of a picture')

describe.each([
  ['on disk', onDisk],
  ['in a bucket that checks signatures', inBucket],
] as const)('pictures %s', (_where, open) => {
  it('are kept, read by another process, and removed', async () => {
    const [one, other]: ObjectStore[] = [open(), open()]
    await one?.put('banner_1763000000000.jpg', picture, 'image/jpeg')
    expect(Buffer.from((await other?.get('banner_1763000000000.jpg')) ?? []).equals(picture)).toBe(true)
    await other?.remove('banner_1763000000000.jpg')
    expect(await one?.get('banner_1763000000000.jpg')).toBeUndefined()
    await one?.remove('banner_1763000000000.jpg')
  })

  it('are only what is named, never a way to somewhere else', async () => {
    for (const key of ['../secret', 'a/b.jpg', '..', '.hidden', 'a\\b', 'a.jpg?x', '', 'a%2fb', 'a\0b'])
      await expect(open().get(key), key).rejects.toThrow('plain file name')
  })

  it('lose what a process that died left of them, once it is old', async () => {
    const folder = path.join(data.folder, 'pictures')
    const store = open()
    await store.put('7_1763000000000.png', picture, 'image/png')
    fs.mkdirSync(folder, { recursive: true })
    const [old, young] = ['0', '1'].map((digit) =>
      path.join(folder, `.${digit.repeat(8)}-aaaa-4aaa-8aaa-aaaaaaaaaaaa.part`),
    )
    for (const part of [old, young]) fs.writeFileSync(part ?? '', 'half')
    fs.utimesSync(old ?? '', new Date(0), new Date(0))
    await store.removeUnfinished(new Date(Date.now() - 3_600_000))
    expect(fs.existsSync(young ?? '')).toBe(true)
    expect(await store.get('7_1763000000000.png')).toBeDefined()
    if (open === onDisk) expect(fs.existsSync(old ?? '')).toBe(false)
    for (const part of [old, young]) fs.rmSync(part ?? '', { force: true })
  })

  it('are there whole or not at all while many put the same', async () => {
    const large = Array.from({ length: 4 }, (_one, index) => Buffer.alloc(300_000, index + 1))
    await open().put('5_1763000000000.png', Buffer.alloc(300_000, 1), 'image/png')
    const reads = Array.from({ length: 20 }, () => open().get('5_1763000000000.png'))
    await Promise.all(large.map((bytes) => open().put('5_1763000000000.png', bytes, 'image/png')))
    for (const bytes of await Promise.all(reads)) {
      expect(bytes?.length).toBe(300_000)
      expect(new Set(bytes).size).toBe(1)
    }
    expect(
      fs.readdirSync(data.folder, { recursive: true }).filter((name) => String(name).endsWith('.part')),
    ).toEqual([])
  })
})

describe('a bucket', () => {
  const put = (store: ObjectStore) => store.put('banner_1763000000001.jpg', picture, 'image/jpeg')
  const failure = (store: ObjectStore) =>
    put(store).then(
      () => 'kept',
      (error: ObjectStoreError) => `${error.status} ${error.code}`,
    )

  it('keeps the type of a picture', async () => {
    await put(inBucket())
    expect(sandbox.files.get('banner_1763000000001.jpg')).toMatchObject({ contentType: 'image/jpeg' })
  })

  it.each([
    ['another secret', { secretAccessKey: 'wrong' }, '403 SignatureDoesNotMatch'],
    ['another key', { accessKeyId: 'AKIANOBODY' }, '403 InvalidAccessKeyId'],
    ['another region', { region: 'eu-west-1' }, '400 AuthorizationHeaderMalformed'],
  ])('refuses %s, and says so', async (_what, settings, expected) => {
    expect(await failure(inBucket(settings))).toBe(expected)
  })

  it('that is not there, or somewhere else, has no word on what is in it', async () => {
    const elsewhere = inBucket({ bucketUrl: sandbox.bucketUrl.replace('pictures', 'pictuers') })
    const said = 'refused to give a file: 404 NoSuchBucket, there is no such bucket, see S3_BUCKET_URL'
    await expect(elsewhere.get('banner_1763000000001.jpg')).rejects.toThrow(said)
    await expect(elsewhere.remove('banner_1763000000001.jpg')).rejects.toThrow('404 NoSuchBucket')
    await expect(elsewhere.check()).rejects.toThrow('404 NoSuchBucket')
    await expect(inBucket().check()).resolves.toBeUndefined()
  })

  it('refuses a clock that is too far off', async () => {
    sandbox.faults.clockMs = 16 * 60_000
    expect(await failure(inBucket())).toBe('403 RequestTimeTooSkewed')
  })

  it('is asked again when it is busy for a moment', async () => {
    sandbox.faults.errors = 2
    expect(await failure(inBucket())).toBe('kept')
    sandbox.faults.errors = 9
    expect(await failure(inBucket())).toBe('503 SlowDown')
  })

  it('that does not answer is given up', async () => {
    sandbox.faults.isSilent = true
    expect(await failure(inBucket({ timeoutMs: 200 }))).toBe('0 ')
    expect(await failure(inBucket({ bucketUrl: 'http://127.0.0.1:1/pictures' }))).toBe('0 ')
  })
})
