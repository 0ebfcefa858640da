import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestDevices, type TestDevices } from '../../testing/test-devices.ts'
import { verifyLists } from './verify-ledger.ts'

let devices: TestDevices
beforeAll(async () => {
  devices = await startTestDevices()
  const { hall, foyer } = devices.places
  const { day, night, gymDay } = devices.templates
  await devices.have('G1', { merchant: 'spa', place: hall, template: day, sleepTemplate: night })
  await devices.have('G2', { merchant: 'gym', place: foyer, template: gymDay, locked: 2 })
  await devices.have('G3', { merchant: 'spa', bound: false })
  await devices.have('G4')
  await devices.pool.query('select fold_device_counters()')
  // What is not folded yet counts as well.
  await devices.have('G5', { merchant: 'gym', place: foyer })
})
afterAll(() => devices.stop())

/** Does what no program of ours does: past every trigger. */
const tamper = (statement: string) =>
  devices.pool.query(`begin; set local session_replication_role = replica; ${statement}; commit`)

const broken = async () =>
  (await verifyLists(devices.db)).filter(({ differing }) => differing > 0).map(({ claim }) => claim)

describe('verifying what lists read', () => {
  it('finds nothing wrong with counters and names that were kept by their rules, folded or not', async () => {
    const results = await verifyLists(devices.db)
    expect(results.filter(({ differing }) => differing > 0)).toEqual([])
    expect(results.every(({ examined }) => examined > 0)).toBe(true)
  })

  const counter = `organisation_id = 1 and locked = 2`
  const pair = `('name', 'zz', 'merchant', 1)`
  it.each([
    [
      'Counters of devices equal the devices',
      `update devices set locked = 1 where sid = 'G5'`,
      `update devices set locked = 0 where sid = 'G5'`,
    ],
    [
      'Counters of devices equal the devices',
      `update device_counters set devices = devices + 1 where ${counter}; update device_totals set devices = devices + 1 where organisation_id = 1 and (facet = 'locked' and value = 2)`,
      `update device_counters set devices = devices - 1 where ${counter}; update device_totals set devices = devices - 1 where organisation_id = 1 and (facet = 'locked' and value = 2)`,
    ],
    [
      'Totals of devices equal their counters',
      `update device_totals set devices = devices + 1 where organisation_id = 1 and facet = 'all'`,
      `update device_totals set devices = devices - 1 where organisation_id = 1 and facet = 'all'`,
    ],
    [
      'Agents and merchants have as many devices',
      `update organisations set device_count = device_count + 1 where name = 'spa'`,
      `update organisations set device_count = device_count - 1 where name = 'spa'`,
    ],
    [
      'Devices name their place and templates',
      `update places set address = 'elsewhere' where address = 'hall'`,
      `update places set address = 'hall' where address = 'elsewhere'`,
    ],
    [
      'Devices name their place and templates',
      `update devices set sleep_template_name = null where sid = 'G1'`,
      `update devices set sleep_template_name = 'night' where sid = 'G1'`,
    ],
    [
      'Devices name their place and templates',
      `update devices set template_name = place_address, place_address = null where sid = 'G5'`,
      `update devices set place_address = template_name, template_name = null where sid = 'G5'`,
    ],
    [
      'Organisations name their owner',
      `update accounts set user_name = 'somebody' where user_name = 'gym'`,
      `update accounts set user_name = 'gym' where user_name = 'somebody'`,
    ],
    [
      'Letters that organisations are searched by',
      `insert into organisation_letter_pairs values ${pair}`,
      `delete from organisation_letter_pairs where (field, pair, kind, organisation_id) = ${pair}`,
    ],
  ])('says that “%s…” fails after: %s', async (claim, statement, remedy) => {
    await tamper(statement)
    try {
      expect((await broken()).filter((one) => one.startsWith(claim))).toHaveLength(1)
    } finally {
      await tamper(remedy)
    }
    expect(await broken()).toEqual([])
  })
})
