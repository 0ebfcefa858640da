import { expect, it, onTestFinished, vi } from 'vitest'
import { startTestChairs } from '../../testing/test-chairs.ts'
import { alertTimes } from '../../testing/test-alerts.ts'
import { addOrganisation } from '../../testing/test-server.ts'
import { lookForAlerts } from './look-for-alerts.ts'

const within = { timeout: 30_000, interval: 20 }

it('a board whose line breaks is alerted, and cleared when it is back', async () => {
  const bed = await startTestChairs(['G1'])
  onTestFinished(() => bed.stop())
  const merchant = await addOrganisation(bed, 'merchant', 'spa')
  await bed.pool.query('update devices set merchant_id = $1, bound = true', [merchant])
  const untilStatus = (status: number) =>
    vi.waitFor(async () => expect((await bed.stateOf('G1')).status).toBe(status), within)
  const lookIn = (minutes: number) =>
    lookForAlerts(bed.db, alertTimes, new Date(Date.now() + minutes * 60_000))
  const alerts = async () => {
    const { rows } = await bed.pool.query<{ kind: string; isOpen: boolean }>(
      'select kind, cleared_at is null as "isOpen" from device_alerts',
    )
    return rows
  }
  await untilStatus(1)
  // The first heartbeat is what tells that it was heard of.
  await vi.waitFor(async () => {
    const { rows } = await bed.pool.query('select from device_states where last_seen_at is not null')
    expect(rows).toHaveLength(1)
  }, within)
  bed.chairs.setFaults({ sid: 'G1' }, { isOffline: true })
  await untilStatus(2)
  await lookIn(9)
  expect(await alerts()).toEqual([])
  await lookIn(11)
  expect(await alerts()).toEqual([{ kind: 'offline', isOpen: true }])
  bed.chairs.setFaults({ sid: 'G1' }, { isOffline: false })
  await untilStatus(1)
  await lookIn(12)
  await lookIn(18)
  expect(await alerts()).toEqual([{ kind: 'offline', isOpen: false }])
})
