import { importLimits, type ImportOutcome } from '@chairside/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postForm } from '../testing/posted-forms.ts'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'
import { failedRowsOf, sheetOf, textsOf, writeWorkbook } from '../testing/test-sheets.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await startTestNetwork()
})
afterAll(() => network.stop())
beforeEach(async () => {
  await network.pool.query(`delete from places where address <> 'hall'`)
  await network.pool.query('delete from sheet_imports')
  await network.pool.query('delete from audit_trail')
})

const send = (file: Buffer | undefined, fields: Record<string, string> = {}, language = 'en') =>
  postForm<ImportOutcome & { fields?: Record<string, string> }>(network, {
    path: '/api/places/import',
    file,
    fields,
    language,
    token: network.tokens.merchant,
  }).then(({ body }) => body)
const dryRun = { dryrun: '1' }
/** What is said at the file. */
const atFile = (message: unknown) => ({ resultCode: '100', data: { fields: { file: message } } })

async function placesOf(merchantId = network.ours.merchantId) {
  const { rows } = await network.pool.query<{ address: string; phone: string }>(
    `select address, phone from places where merchant_id = $1 and address <> 'hall' order by id`,
    [merchantId],
  )
  return rows.map(({ address, phone }) => [address, phone])
}
const auditOf = async () =>
  (await network.pool.query(`select * from audit_trail where action = 'place.import' order by id`)).rows

const titles = ['Place', 'Phone']
const someRows = () =>
  sheetOf([titles, ['Harbour hall', '0571-8888'], ['', '12345'], ['Old mill'], ['x'.repeat(129), '0']])

describe('places of a sheet', () => {
  it('are looked through by a dry run, which changes nothing and leaves no trace', async () => {
    const { data } = await send(await someRows(), dryRun)
    expect(data).toMatchObject({ dryRun: true, total: 4, good: 2, bad: 2, ignored: [], repeats: null })
    expect(data.rows).toEqual([
      { row: 3, name: '', fields: { address: 'The place name is empty' } },
      { row: 5, name: 'x'.repeat(60), fields: { address: 'At most 128 characters' } },
    ])
    expect(await placesOf()).toEqual([])
    expect(await auditOf()).toEqual([])
    const { rows } = await network.pool.query('select from sheet_imports')
    expect(rows).toEqual([])
  })

  it('are added as far as they are good, with one line in the audit trail', async () => {
    const { data } = await send(await someRows())
    expect(data).toMatchObject({ dryRun: false, total: 4, good: 2, bad: 2 })
    expect(await placesOf()).toEqual([
      ['Harbour hall', '0571-8888'],
      ['Old mill', ''],
    ])
    expect(await auditOf()).toMatchObject([
      { outcome: '000', user_name: 'our-merchant', details: { after: { imported: 2, notImported: 2 } } },
    ])
  })

  it('that failed come back in a sheet with the reasons, which can be mended and sent as it is', async () => {
    const { data } = await send(await someRows())
    expect(await failedRowsOf(data)).toEqual([
      ['Place', 'Phone', 'Why it was not imported'],
      ['12345', 'Place: The place name is empty'],
      ['x'.repeat(129), '0', 'Place: At most 128 characters'],
    ])
    const again = await send(Buffer.from(data.failedRows, 'base64'), dryRun, 'zh-CN')
    expect(again.data).toMatchObject({ total: 2, good: 0, bad: 2, ignored: [] })
    expect(await failedRowsOf(again.data)).toEqual([
      ['Place', 'Phone', '未导入原因'],
      ['12345', '场所: 场所名称不能为空'],
      ['x'.repeat(129), '0', '场所: 最多 128 个字符'],
    ])
  })

  it('are found below titles of either language, in any order, beside columns that are nobody’s', async () => {
    const file = await sheetOf([
      ['Our halls in 2026'],
      [],
      [' 电话 *', '备注', 'ADDRESS'],
      [13800138000, 'near the gate', 'North gate'],
      [undefined, 'nothing else'],
    ])
    const { data } = await send(file)
    expect(data).toMatchObject({ total: 2, good: 1, bad: 1, ignored: ['备注'] })
    expect(await placesOf()).toEqual([['North gate', '13800138000']])
  })

  it('are filled into a sheet that says what each column takes, in the language of who fills it in', async () => {
    const blank = await network.app.inject({
      url: '/api/places/import',
      headers: { 'x-access-token': network.tokens.merchant, 'accept-language': 'zh-CN' },
    })
    expect(blank.headers['content-disposition']).toBe('attachment; filename="places-to-import.xlsx"')
    expect(await textsOf(blank.rawPayload)).toEqual([
      ['场所', '电话'],
      ['※ 必填 · 最多 128 个字符', '※ 可留空 · 最多 32 个字符 · 顾客可在支付页拨打'],
    ])
    expect(await send(blank.rawPayload)).toMatchObject(atFile('There are no rows below the titles'))
    const [, notes = []] = await textsOf(blank.rawPayload)
    expect((await send(await sheetOf([titles, notes, ['Tea house']]))).data).toMatchObject({
      total: 1,
      good: 1,
    })
  })
})

describe('a sheet that is sent again', () => {
  it('is not imported twice unless that is said, whatever file the same rows come in', async () => {
    const rows = [titles, ['Harbour hall', '1'], ['Old mill', '2']]
    await send(await sheetOf(rows))
    const inAnotherFile = await sheetOf([['Something above'], ...rows])
    const refused = await send(inAnotherFile)
    expect(refused).toMatchObject({
      resultCode: '106',
      message:
        'Exactly these rows were already imported by our-merchant: 2. Import them again only if you want them twice.',
    })
    const { data } = await send(inAnotherFile, dryRun)
    expect(data.repeats).toMatchObject({ userName: 'our-merchant', good: 2 })
    expect(await placesOf()).toHaveLength(2)
    const again = { again: String(data.repeats?.id) }
    expect((await send(inAnotherFile, again)).data.good).toBe(2)
    expect(await placesOf()).toHaveLength(4)
    // Said once, it holds once.
    expect((await send(inAnotherFile, again)).resultCode).toBe('106')
    expect((await send(await sheetOf([titles, ['Old mill', '2']]))).data.good).toBe(1)
  })

  it('by twenty at once is imported once', async () => {
    const file = await sheetOf([titles, ...Array.from({ length: 200 }, (_, place) => [`Hall ${place}`])])
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(file)))
    const codes = answers.map(({ resultCode }) => resultCode).toSorted()
    expect(codes).toEqual(['000', ...Array.from({ length: 19 }, () => '106')])
    expect(await placesOf()).toHaveLength(200)
    expect((await auditOf()).filter(({ outcome }) => outcome === '000')).toHaveLength(1)
  })
})

describe('a file that is no sheet of places', () => {
  it('is refused in words at the file, and changes nothing', async () => {
    const zip = await writeWorkbook({ parts: { '_rels/.rels': '<Relationships/>' } })
    const refusals: [Buffer | undefined, string][] = [
      [undefined, 'Choose an Excel file (.xlsx)'],
      [Buffer.alloc(0), 'This is not an Excel file (.xlsx)'],
      [Buffer.from('Place,Phone\r\nHall,1'), 'This is not an Excel file (.xlsx)'],
      [zip, 'This is not an Excel file (.xlsx)'],
      [
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        'This is an old Excel file (.xls), or one with a password: save it as .xlsx without a password',
      ],
      [(await someRows()).subarray(0, 500), 'The file cannot be read: open it in Excel and save it again'],
      [await sheetOf([]), 'No column titles were found. These are needed: Place, Phone'],
      [await sheetOf([['Hall', '1']]), 'No column titles were found. These are needed: Place, Phone'],
      [await sheetOf([['Phone'], ['1']]), 'These columns are missing: Place'],
      [
        await sheetOf([
          ['Place', '场所'],
          ['1', '2'],
        ]),
        'The column Place appears twice',
      ],
      [await sheetOf([titles]), 'There are no rows below the titles'],
    ]
    for (const [file, message] of refusals) expect(await send(file), message).toMatchObject(atFile(message))
    expect(await send(await sheetOf([['电话'], ['1']]), {}, 'zh-CN')).toMatchObject(
      atFile('缺少以下列：场所'),
    )
    expect(await placesOf()).toEqual([])
  })

  it('or is too large is refused with the limit', async () => {
    const rows = (count: number) => [
      titles,
      ...Array.from({ length: count }, (_, place) => [`Hall ${place}`]),
    ]
    expect((await send(await sheetOf(rows(importLimits.rows)), dryRun)).data.good).toBe(importLimits.rows)
    const manyRows = 'The sheet has more than 5000 rows: split it into several files'
    expect(await send(await sheetOf(rows(importLimits.rows + 1)))).toMatchObject(atFile(manyRows))
    expect(await send(await sheetOf(rows(importLimits.rows + 50)))).toMatchObject(atFile(manyRows))
    const tooLarge = Buffer.concat([await someRows(), Buffer.alloc(importLimits.bytes)])
    expect(await send(tooLarge)).toMatchObject(atFile('The file is larger than 5 MB'))
    expect(await placesOf()).toEqual([])
  })
})

describe('who may import places', () => {
  it('is who may add one: a merchant’s owner', async () => {
    for (const role of ['admin', 'agent', 'subAgent', 'subMerchant'] as const) {
      const { body } = await postForm(network, {
        path: '/api/places/import',
        file: await someRows(),
        token: network.tokens[role],
      })
      expect(body.resultCode, role).toBe('103')
    }
    expect(await placesOf()).toEqual([])
  })
})
