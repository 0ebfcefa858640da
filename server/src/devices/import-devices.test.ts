import type { DataOf, importDevices } from '@chairside/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postForm } from '../testing/posted-forms.ts'
import { startTestNetwork, type TestNetwork } from '../testing/test-network.ts'
import { failedRowsOf, sheetOf, textsOf, writeWorkbook } from '../testing/test-sheets.ts'
import { createDeviceCredentials } from './device-credentials.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await startTestNetwork()
  await network.pool.query(`insert into device_models (id, model) values (2, 'CH-200')`)
})
afterAll(() => network.stop())
beforeEach(async () => {
  await network.pool.query(
    `with gone as (delete from device_states where device_id in (select id from devices where sid like 'K%'))
     delete from device_logs where device_id in (select id from devices where sid like 'K%')`,
  )
  await network.pool.query(`delete from devices where sid like 'K%'`)
  await network.pool.query('delete from sheet_imports')
})

const send = (file: Buffer, fields: Record<string, string> = {}) =>
  postForm<DataOf<typeof importDevices>>(network, {
    path: '/api/devices/import',
    file,
    fields,
    token: network.tokens.admin,
  }).then(({ body }) => body)
const titles = ['Device id', 'Name', 'Model', 'Firmware']
const devicesOf = async () =>
  (
    await network.pool.query<{ line: string }>(
      `select concat_ws('/', d.sid, d.name, m.model, d.firmware) as line from devices d join device_models m on m.id = d.model_id
        where d.sid like 'K%' and d.removed_at is null order by d.sid`,
    )
  ).rows.map(({ line }) => line)

describe('devices of a sheet', () => {
  it('are of the model that is named, where two designations differ in case alone', async () => {
    await network.pool.query(`insert into device_models (id, model) values (3, 'Ch-200')`)
    const file = await sheetOf([
      titles,
      ['K0001', 'One', 'CH-200'],
      ['K0002', 'Other', 'Ch-200'],
      ['K0003', 'Either', 'ch-200'],
    ])
    expect((await send(file)).data).toMatchObject({ good: 2, bad: 1 })
    expect(await devicesOf()).toEqual(['K0001/One/CH-200/', 'K0002/Other/Ch-200/'])
    await network.pool.query(
      `delete from device_states where device_id in (select id from devices where model_id = 3)`,
    )
    await network.pool.query(
      `delete from device_logs where device_id in (select id from devices where model_id = 3)`,
    )
    await network.pool.query(`delete from devices where model_id = 3`)
    await network.pool.query(`delete from device_models where id = 3`)
  })

  it('are added with a password for each board, a line in each log, and keep the zeros of their ids', async () => {
    const file = await sheetOf([titles, ['k0001', 'By the door', 'ch-200', '1.10'], ['K0002', 'Left', 'M']])
    const trial = await send(file, { dryrun: '1' })
    expect(trial.data).toMatchObject({ good: 2, bad: 0, boards: [], failedRows: '' })
    expect(await devicesOf()).toEqual([])

    const { data } = await send(file)
    expect(await devicesOf()).toEqual(['K0001/By the door/CH-200/1.10', 'K0002/Left/M/'])
    const credentials = createDeviceCredentials(network.secrets)
    expect(data.boards.map(({ deviceId }) => deviceId)).toEqual(['K0001', 'K0002'])
    expect(
      await credentials.checkAll(
        network.db,
        data.boards.map(({ deviceId, password }) => ({ sid: deviceId, password })),
      ),
    ).toEqual([true, true])
    const logs = await network.pool.query(
      `select l.action, l.user_id from device_logs l join devices d on d.id = l.device_id where d.sid like 'K%'`,
    )
    expect(logs.rows).toEqual([
      { action: 'added', user_id: 'admin' },
      { action: 'added', user_id: 'admin' },
    ])
  })

  it('are judged as one that is added by itself, and by each other', async () => {
    await network.pool.query(
      `insert into devices (sid, model_id, credential_hash, removed_at) values ('K0009', 1, '', now())`,
    )
    const { data } = await send(
      await sheetOf([
        titles,
        ['G1', 'Somebody’s', 'M'],
        ['K0003', 'First', 'M'],
        ['K0003', 'Second', 'M'],
        ['X1', '', 'M'],
        ['K0004', 'Which?', 'CH-900', 'x'.repeat(65)],
        ['K0009', 'Back again', 'M'],
        [100001, 'No letter', 'M'],
      ]),
    )
    const taken = { deviceid: 'There is already a device with this id' }
    const noId = {
      deviceid:
        'Not a device id: it begins with G, W, J, K, T, N or B, and has only capitals and digits, with at least one digit',
    }
    expect(data.rows).toEqual([
      { row: 2, name: 'G1', fields: taken },
      { row: 4, name: 'K0003', fields: taken },
      { row: 5, name: 'X1', fields: { ...noId, name: 'Required' } },
      {
        row: 6,
        name: 'K0004',
        fields: { modelid: 'There is no such model', fmversion: 'At most 64 characters' },
      },
      { row: 8, name: '100001', fields: noId },
    ])
    expect(await devicesOf()).toEqual(['K0003/First/M/', 'K0009/Back again/M/'])
    expect((await failedRowsOf(data))[4]).toEqual([
      'K0004',
      'Which?',
      'CH-900',
      'x'.repeat(65),
      'Model: There is no such model; Firmware: At most 64 characters',
    ])
  })

  it('have no cell that Excel made something else of', async () => {
    const styles = '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="16"/></cellXfs></styleSheet>'
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
    const rows = [
      `<row>${titles.map(text).join('')}</row>`,
      `<row>${text('K0005')}${text('x')}${text('M')}<c s="1"><v>46307</v></c></row>`,
      `<row>${text('K0006')}<c t="e"><v>#REF!</v></c>${text('M')}<c><f>1</f></c></row>`,
      `<row>${text('K0007_x0000_')}${text('_xD83D_')}${text('M')}</row>`,
    ].join('')
    const { data } = await send(await writeWorkbook({ rows, parts: { 'xl/styles.xml': styles } }))
    expect(data.rows.map(({ fields }) => fields)).toEqual([
      { fmversion: 'Excel turned it into the date 2026-10-12: format the cell as text and type it again' },
      {
        name: 'The cell holds the error #REF!',
        fmversion: 'The formula has no value yet: open the file in Excel and save it',
      },
      { deviceid: 'Not in the right format', name: 'Not in the right format' },
    ])
    expect(await devicesOf()).toEqual([])
  })

  it('that come in twenty files with the same ids at once are added once each', async () => {
    const ids = Array.from({ length: 60 }, (_, place) => `K1${String(place).padStart(3, '0')}`)
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, caller) => {
        const rows = ids.map((id) => [id, `Of ${caller}`, 'M'])
        return send(await sheetOf([titles, ...(caller % 2 === 0 ? rows : rows.toReversed())]))
      }),
    )
    expect(answers.map(({ resultCode }) => resultCode)).toEqual(Array.from({ length: 20 }, () => '000'))
    expect(answers.reduce((sum, { data }) => sum + data.good, 0)).toBe(ids.length)
    expect(await devicesOf()).toHaveLength(ids.length)
  })

  it('name a model that there is: the sheet to fill in lists them', async () => {
    const { rawPayload } = await network.app.inject({
      url: '/api/devices/import',
      headers: { 'x-access-token': network.tokens.admin },
    })
    const [words, notes] = await textsOf(rawPayload)
    expect(words).toEqual(titles)
    expect(notes?.[2]).toBe('※ Required · Must be one of: CH-200, M')
    const { body } = await postForm(network, {
      path: '/api/devices/import',
      file: rawPayload,
      token: network.tokens.merchant,
    })
    expect(body.resultCode).toBe('103')
  })
})
