import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestAlerts, type TestAlerts } from '../../testing/test-alerts.ts'

let bed: TestAlerts
beforeAll(async () => {
  bed = await startTestAlerts()
})
beforeEach(async () => {
  await bed.clear()
  await bed.pool.query('delete from notification_receivers')
  for (const who of ['spa', 'north', 'gym'])
    await bed.pool.query(
      `insert into notification_receivers (organisation_id, name, kind, sealed_address, shown_address, language, events)
       values ($1, $2, 'email', '', '', 'en', '{alertRaised,alertCleared}')`,
      [bed.ids[who], who],
    )
})
afterAll(() => bed.stop())

const [online, offline] = [1, 2]

/** What was announced, in order. */
async function told(who = 'spa'): Promise<string[]> {
  const { rows } = await bed.pool.query<{ text: string }>(
    `select n.event || ' ' || (n.told ->> 'kind') || ' ' || coalesce(nullif(n.told ->> 'deviceId', ''),
            (n.told ->> 'devices') || '/' || (n.told ->> 'placeDevices') || ' ' || (n.told ->> 'placeAddress')) as text
       from notifications n join notification_receivers r on r.id = n.receiver_id where r.name = $1 order by n.id`,
    [who],
  )
  return rows.map(({ text }) => text)
}

describe('an alert', () => {
  it('is told to merchant and agent when it is raised and when it is cleared', async () => {
    await bed.addDevices(['G1'])
    await bed.report('G1', 0, { status: offline })
    await bed.lookFrom(0, 9)
    expect(await told()).toEqual([])
    await bed.lookFrom(10, 20)
    expect(await told()).toEqual(['alertRaised offline G1'])
    await bed.report('G1', 20, { status: online })
    await bed.lookFrom(21, 30)
    expect(await told()).toEqual(['alertRaised offline G1', 'alertCleared offline G1'])
    expect(await told('north')).toEqual(await told())
    expect(await told('gym')).toEqual([])
  })

  it('of a device that went to somebody else says nothing of what they call it', async () => {
    await bed.addDevices(['G1'])
    await bed.report('G1', 0, { status: offline })
    await bed.lookFrom(0, 12)
    await bed.pool.query(
      `update devices set merchant_id = $1, place_id = null, name = 'theirs' where sid = 'G1'`,
      [bed.ids['gym']],
    )
    await bed.look(13)
    expect(await told()).toEqual(['alertRaised offline G1', 'alertCleared offline G1'])
    const { rows } = await bed.pool.query(
      `select count(*) as names from notifications n join notification_receivers r on r.id = n.receiver_id
        where r.name = 'spa' and n.told::text like '%theirs%'`,
    )
    expect(rows[0].names).toBe(0)
  })

  it('of a place that loses power is told once', async () => {
    await bed.addDevices(['G1', 'G2', 'G3', 'G4'])
    await bed.addDevices(['G7', 'G8', 'G9'], { merchant: 'gym', place: 'foyer' })
    await bed.report(['G1', 'G2', 'G3'], 0, { status: offline })
    await bed.lookFrom(10, 15)
    expect(await told()).toEqual(['alertRaised offline 3/4 hall'])
    await bed.report(['G1', 'G2', 'G3'], 15, { status: online })
    await bed.lookFrom(16, 25)
    expect(await told()).toEqual(['alertRaised offline 3/4 hall', 'alertCleared offline 3/4 hall'])
  })

  it('that comes and goes all day is told twice an hour at most, and at last as it is', async () => {
    await bed.addDevices(['G1'])
    for (let minute = 0; minute < 180; minute += 20) {
      await bed.report('G1', minute, { status: offline })
      for (const later of [0, 10, 11]) await bed.look(minute + later)
      await bed.report('G1', minute + 12, { status: online })
      for (const later of [12, 13, 18, 19]) await bed.look(minute + later)
    }
    const first = await told()
    expect(first.length).toBeGreaterThan(3)
    expect(first.length).toBeLessThanOrEqual(6)
    await bed.report('G1', 180, { status: offline })
    for (let minute = 181; minute <= 260; minute += 10) await bed.look(minute)
    expect((await told()).at(-1)).toBe('alertRaised offline G1')
  })
})
