import { afterEach, describe, expect, it, vi } from 'vitest'
import { startTestChairs, type TestChairs } from '../testing/test-chairs.ts'
import { storeAcknowledgement, storeEnd } from './command-answers.ts'
import { requestStarts, requestStop } from './device-commands.ts'

let bed: TestChairs
afterEach(() => bed.stop())

/** Short, with enough room for the second in which a waiting job may be found. */
const shortDelivery = { ackSeconds: 4, marginSeconds: 1, brokerAwaySeconds: 0.2 }

async function start(sid: string, commandId: string, durationSeconds = 60): Promise<void> {
  const deviceId = await bed.idOf(sid)
  await requestStarts(bed.db, [
    { commandId, deviceId, orderId: `order of ${commandId}`, durationSeconds, requestedBy: 'system' },
  ])
}

async function stop(sid: string, commandId: string, stops: string): Promise<void> {
  const deviceId = await bed.idOf(sid)
  const orderId = `order of ${stops}`
  await requestStop(bed.db, { commandId, deviceId, orderId, stops, requestedBy: 'system' })
}

const toldOf = (commandId: string) => bed.told.filter((each) => each.commandId === commandId)
const eventsOf = (commandId: string) => toldOf(commandId).map(({ event }) => event)
const within = { timeout: 30_000, interval: 20 }
const untilOnline = (sid: string) =>
  vi.waitFor(async () => expect((await bed.stateOf(sid)).status).toBe(1), within)
const untilState = (commandId: string, state: string) =>
  vi.waitFor(async () => expect((await bed.commandOf(commandId))?.state).toBe(state), within)

describe('a start', () => {
  it('is acknowledged, runs and ends, each told once', async () => {
    bed = await startTestChairs(['G1'])
    await untilOnline('G1')
    await start('G1', 'c1', 100)
    await untilState('c1', 'ended')
    await vi.waitFor(
      () =>
        expect(toldOf('c1')).toEqual([
          { event: 'acknowledged', commandId: 'c1', accepted: true, reason: '' },
          { event: 'ended', commandId: 'c1', deliveredSeconds: 100 },
        ]),
      within,
    )
    expect(await bed.commandOf('c1')).toMatchObject({ attempts: 1 })
    await vi.waitFor(async () => expect((await bed.stateOf('G1')).runningCommandId).toBe(''), within)
  })

  it('asked for twice, and answered twice by the board, happens once', async () => {
    bed = await startTestChairs(['G1'])
    bed.chairs.setFaults({ sid: 'G1' }, { copies: 3 })
    await untilOnline('G1')
    await Promise.all([start('G1', 'c1', 50), start('G1', 'c1', 50), start('G1', 'c1', 50)])
    await untilState('c1', 'ended')
    await start('G1', 'c1', 50)
    await vi.waitFor(() => expect(eventsOf('c1')).toEqual(['acknowledged', 'ended']), within)
    // What the first is still to be told of would be told before the end of another.
    await start('G1', 'c2', 50)
    await vi.waitFor(() => expect(eventsOf('c2')).toEqual(['acknowledged', 'ended']), within)
    expect(eventsOf('c1')).toEqual(['acknowledged', 'ended'])
    expect(bed.chairs.chair('G1').commandsDone).toBe(2)
  })

  it('is rolled back with the facts that asked for it', async () => {
    bed = await startTestChairs(['G1'])
    await untilOnline('G1')
    const deviceId = await bed.idOf('G1')
    const request = { commandId: 'c1', deviceId, orderId: 'o', durationSeconds: 60, requestedBy: 'system' }
    const failing = bed.db.transaction().execute(async (trx) => {
      await requestStarts(trx, [request])
      throw new Error('the payment was not stored')
    })
    await expect(failing).rejects.toThrow('not stored')
    await start('G1', 'c2', 60)
    await untilState('c2', 'ended')
    expect(await bed.commandOf('c1')).toBeUndefined()
    expect(bed.chairs.chair('G1').commandsDone).toBe(1)
  })

  it('that a chair refuses is told with its reason', async () => {
    bed = await startTestChairs(['G1', 'G2'])
    bed.chairs.setFaults({ sid: 'G2' }, { trouble: 'E4' })
    await untilOnline('G1')
    await vi.waitFor(async () => expect((await bed.stateOf('G2')).status).toBe(3), within)
    await start('G1', 'c1', 6000)
    await untilState('c1', 'accepted')
    await start('G1', 'c2')
    await start('G2', 'c3')
    await untilState('c2', 'refused')
    await untilState('c3', 'refused')
    await vi.waitFor(
      () =>
        expect([...toldOf('c2'), ...toldOf('c3')]).toMatchObject([{ reason: 'busy' }, { reason: 'trouble' }]),
      within,
    )
  })

  it.each([
    [2, { pulses: 10, passedThrough: '' }],
    [3, { pulses: 0, passedThrough: '{"orderId":"order of c1","seconds":600}' }],
  ] as const)('follows the control mode %i of the model', async (mode, seen) => {
    bed = await startTestChairs([])
    const modelId = await bed.addModel('other', mode)
    const passwords = await bed.addDevices(['G1'], { modelId })
    bed.chairs.add({ sid: 'G1', password: passwords.get('G1') ?? '', model: 'other' })
    await untilOnline('G1')
    await start('G1', 'c1', 600)
    await untilState('c1', 'accepted')
    expect(bed.chairs.chair('G1')).toMatchObject(seen)
  })
})

describe('a stop', () => {
  it('ends the run it names, which tells what was delivered', async () => {
    bed = await startTestChairs(['G1'])
    await untilOnline('G1')
    await start('G1', 'c1', 6000)
    await untilState('c1', 'accepted')
    await vi.waitFor(async () => expect((await bed.stateOf('G1')).runningCommandId).toBe('c1'), within)
    await stop('G1', 's1', 'c1')
    await untilState('c1', 'ended')
    await untilState('s1', 'accepted')
    await vi.waitFor(() => expect(eventsOf('c1')).toEqual(['acknowledged', 'ended']), within)
    const [, ended] = toldOf('c1')
    expect(ended?.deliveredSeconds).toBeLessThan(6000)
    expect(toldOf('s1')).toMatchObject([{ event: 'acknowledged', accepted: true }])
  })

  it('does not end a run that it does not name', async () => {
    bed = await startTestChairs(['G1'])
    await untilOnline('G1')
    await start('G1', 'c2', 6000)
    await untilState('c2', 'accepted')
    await stop('G1', 's1', 'c1')
    await untilState('s1', 'refused')
    expect(bed.chairs.chair('G1').running).toMatchObject({ commandId: 'c2' })
  })
})

describe('silence', () => {
  it('is answered by two retries with the same id, then the command is given up and starts nothing', async () => {
    bed = await startTestChairs(['G1', 'G2', 'G3', 'G4'], { delivery: shortDelivery, heartbeatSeconds: 0.3 })
    // One does nothing, one is away, one runs without an answer, one runs and is not understood until all is over.
    bed.chairs.setFaults({ sid: 'G1' }, { silence: 'ignores' })
    bed.chairs.setFaults({ sid: 'G2' }, { isOffline: true })
    bed.chairs.setFaults({ sid: 'G3' }, { silence: 'runs' })
    bed.chairs.setFaults({ sid: 'G4' }, { silence: 'runs' })
    await untilOnline('G1')
    await untilOnline('G3')
    await untilOnline('G4')
    bed.chairs.setFaults({ sid: 'G4' }, { isBroken: true })
    await start('G1', 'c1')
    await start('G2', 'c2')
    await start('G3', 'c3', 5000)
    await start('G4', 'c4', 60_000)

    // Its heartbeats show that it runs.
    await untilState('c3', 'accepted')
    await untilState('c1', 'timedOut')
    await untilState('c2', 'timedOut')
    await untilState('c4', 'timedOut')
    expect(await bed.commandOf('c1')).toMatchObject({ attempts: 3 })
    expect(bed.chairs.chair('G4').commandsDone).toBe(1)

    // Who comes back later starts nothing.
    bed.chairs.setFaults({ sid: 'G1' }, { silence: 'none' })
    bed.chairs.setFaults({ sid: 'G2' }, { isOffline: false })
    await untilOnline('G2')
    expect([eventsOf('c1'), eventsOf('c2')]).toEqual([['timedOut'], ['timedOut']])
    expect(['G1', 'G2'].map((sid) => bed.chairs.chair(sid).commandsDone)).toEqual([0, 0])

    // A late answer is told all the same, so that the chair can be stopped.
    bed.chairs.setFaults({ sid: 'G4' }, { isBroken: false, silence: 'none' })
    await vi.waitFor(() => expect(eventsOf('c4')).toEqual(['timedOut', 'acknowledged']), within)
    expect(await bed.commandOf('c4')).toMatchObject({ state: 'timedOut' })
    await stop('G4', 's4', 'c4')
    await vi.waitFor(() => expect(eventsOf('c4')).toEqual(['timedOut', 'acknowledged', 'ended']), within)
  })
})

describe('what was lost on the way', () => {
  it('of answers is learnt from the heartbeats', async () => {
    bed = await startTestChairs(['G1'], { heartbeatSeconds: 0.2 })
    bed.chairs.setFaults({ sid: 'G1' }, { silence: 'runs' })
    await untilOnline('G1')
    await start('G1', 'c1', 100)
    await untilState('c1', 'ended')
    await vi.waitFor(
      () =>
        // Both may be learnt from one heartbeat, and are told in whichever order then.
        expect(toldOf('c1').toSorted((one, other) => one.event.localeCompare(other.event))).toMatchObject([
          { event: 'acknowledged' },
          { event: 'ended', deliveredSeconds: 100 },
        ]),
      within,
    )
  })

  it('with a process that was killed while it delivered is done by another', async () => {
    bed = await startTestChairs(['G1'])
    await untilOnline('G1')
    // A job that somebody has taken who will never finish it.
    await bed.db.transaction().execute(async (trx) => {
      const deviceId = await bed.idOf('G1')
      await requestStarts(trx, [
        { commandId: 'c1', deviceId, orderId: 'o', durationSeconds: 60, requestedBy: 'system' },
      ])
      await bed.lockJobsOfDeadWorker(trx)
    })
    await untilState('c1', 'ended')
    expect(bed.chairs.chair('G1').commandsDone).toBe(1)
  })

  it('with the broker is sent when it is back, and a run that went on meanwhile is still known', async () => {
    bed = await startTestChairs(['G1', 'G2'])
    await untilOnline('G1')
    await untilOnline('G2')
    await start('G1', 'c1', 400)
    await untilState('c1', 'accepted')
    await bed.stopGateway()
    await start('G2', 'c2', 50)
    await untilState('c2', 'sent')
    // The run ends while nobody listens.
    await vi.waitFor(() => expect(bed.chairs.chair('G1').running).toBeNull(), within)
    await bed.startGateway()
    await untilState('c1', 'ended')
    await untilState('c2', 'ended')
    await vi.waitFor(
      () =>
        expect([eventsOf('c1'), eventsOf('c2')]).toEqual([
          ['acknowledged', 'ended'],
          ['acknowledged', 'ended'],
        ]),
      within,
    )
    expect(['G1', 'G2'].map((sid) => bed.chairs.chair(sid).commandsDone)).toEqual([1, 1])
  })
})

describe('answers', () => {
  it('of another board than the one that was asked count for nothing', async () => {
    bed = await startTestChairs(['G1', 'G2'])
    bed.chairs.setFaults({ sid: 'G1' }, { silence: 'ignores' })
    await untilOnline('G1')
    await start('G1', 'c1', 60)
    await untilState('c1', 'sent')
    await storeAcknowledgement(bed.db, {
      sid: 'G2',
      commandId: 'c1',
      accepted: true,
      reason: '',
      at: new Date(),
    })
    await storeEnd(bed.db, { sid: 'G2', commandId: 'c1', deliveredSeconds: 60, at: new Date() })
    expect(await bed.commandOf('c1')).toMatchObject({ state: 'sent' })
  })

  it('of a board that counts the seconds wrongly are not from before it was asked', async () => {
    bed = await startTestChairs(['G1'])
    bed.chairs.setFaults({ sid: 'G1' }, { silence: 'ignores' })
    await untilOnline('G1')
    await start('G1', 'c1', 60)
    const weekAgo = new Date(Date.now() - 604_800_000)
    await storeAcknowledgement(bed.db, {
      sid: 'G1',
      commandId: 'c1',
      accepted: true,
      reason: '',
      at: weekAgo,
    })
    await storeEnd(bed.db, { sid: 'G1', commandId: 'c1', deliveredSeconds: 60, at: weekAgo })
    const { rows } = await bed.pool.query(
      `select created_at = acknowledged_at as "wasAsked", acknowledged_at = ended_at as "hadBegun" from device_commands`,
    )
    expect(rows).toEqual([{ wasAsked: true, hadBegun: true }])
  })

  it('deliver no more than was asked for', async () => {
    bed = await startTestChairs(['G1'])
    bed.chairs.setFaults({ sid: 'G1' }, { silence: 'ignores' })
    await untilOnline('G1')
    await start('G1', 'c1', 60)
    await storeEnd(bed.db, { sid: 'G1', commandId: 'c1', deliveredSeconds: 86_400, at: new Date() })
    await vi.waitFor(() => {
      // A chair that ended had acknowledged; both are told, in whichever order.
      const told = toldOf('c1')
      expect(told).toHaveLength(2)
      expect(told).toContainEqual(expect.objectContaining({ event: 'acknowledged' }))
      expect(told).toContainEqual(expect.objectContaining({ event: 'ended', deliveredSeconds: 60 }))
    }, within)
  })
})
