import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import yauzl from 'yauzl'
import { zipOf, type ZippedFile } from './zip-stream.ts'

/** Name and content of every file, as another program reads them; it checks the sums on the way. */
async function unzip(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await yauzl.fromBufferPromise(bytes)
  const files = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry))
    files.set(entry.fileName, content.toString('utf8'))
  }
  return files
}
const zipped = (files: Iterable<ZippedFile>) =>
  buffer(Readable.from(zipOf(files, new Date('2026-11-21T10:30:00Z'))))

it('writes files that another program reads, compressed or as they are', async () => {
  const bytes = await zipped([
    { name: 'a.svg', content: Buffer.from('<svg/>'.repeat(1000)) },
    { name: 'b.png', content: Buffer.from('as it is'), isStored: true },
    { name: 'empty', content: Buffer.alloc(0) },
  ])
  expect(bytes.length).toBeLessThan(1000)
  expect([...(await unzip(bytes))]).toEqual([
    ['a.svg', '<svg/>'.repeat(1000)],
    ['b.png', 'as it is'],
    ['empty', ''],
  ])
})

it('holds no files at all, or more than the small form of a zip counts', async () => {
  expect(await unzip(await zipped([]))).toEqual(new Map())
  function* many(): Generator<ZippedFile> {
    for (let index = 0; index < 66_000; index++)
      yield { name: `f${index}`, content: Buffer.from([index & 255]), isStored: true }
  }
  const zip = await yauzl.fromBufferPromise(await zipped(many()))
  expect(zip.entryCount).toBe(66_000)
  const names = []
  for await (const { fileName } of zip.eachEntry()) names.push(fileName)
  expect(names.at(-1)).toBe('f65999')
})

/** Says something, a piece at a time, and then ends, or fails. */
async function* said(pieces: number, failure?: Error): AsyncGenerator<Buffer> {
  for (let index = 0; index < pieces; index++) yield Buffer.from(`piece ${index}; `.repeat(500))
  if (failure) throw failure
}

it('writes a file while its pieces come, between files that are whole', async () => {
  const bytes = await zipped([
    { name: 'before', content: Buffer.from('before') },
    { name: 'long', content: said(300), level: 3 },
    { name: 'nothing', content: said(0) },
    { name: 'after', content: Buffer.from('after') },
  ])
  const files = await unzip(bytes)
  expect([...files.keys()]).toEqual(['before', 'long', 'nothing', 'after'])
  expect([files.get('before'), files.get('nothing'), files.get('after')]).toEqual(['before', '', 'after'])
  expect(files.get('long')).toBe(Buffer.concat(await Readable.from(said(300)).toArray()).toString())
})

it('fails as the pieces of a file do', async () => {
  await expect(
    zipped([{ name: 'long', content: said(20, new Error('the database went away')) }]),
  ).rejects.toThrow('the database went away')
})

it('lets go of the pieces when nobody reads any more', async () => {
  let isLetGo = false
  async function* endless() {
    try {
      for (;;) yield* said(1)
    } finally {
      isLetGo = true
    }
  }
  const zip = Readable.from(zipOf([{ name: 'long', content: endless() }], new Date()))
  for await (const _packed of zip.take(3)) continue
  zip.destroy()
  await expect.poll(() => isLetGo).toBe(true)
})
