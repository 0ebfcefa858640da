import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createStopsInOrder } from './stop-in-order.ts'

function logged() {
  const lines: { part?: string; msg: string }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { lines, log }
}

describe('stopping', () => {
  it('goes the other way round, one after the other', async () => {
    const { log, lines } = logged()
    const stops = createStopsInOrder(log)
    const order: string[] = []
    stops.add('database', () => order.push('database'))
    stops.add('jobs', async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      order.push('jobs')
    })
    expect(await stops.stopAll()).toBe(true)
    expect(order).toEqual(['jobs', 'database'])
    expect(lines).toEqual([])
  })

  it('names what fails or does not end, and goes on', async () => {
    const { log, lines } = logged()
    const stops = createStopsInOrder(log, 30)
    const order: string[] = []
    stops.add('database', () => order.push('database'))
    stops.add('jobs', () => new Promise(() => undefined))
    stops.add('web', () => Promise.reject(new Error('no')))
    expect(await stops.stopAll()).toBe(false)
    expect(order).toEqual(['database'])
    expect(lines.map(({ part, msg }) => `${part}: ${msg}`)).toEqual([
      'web: did not stop as it should',
      'jobs: did not stop in time and is left behind',
    ])
  })

  it('happens once', async () => {
    const stops = createStopsInOrder(logged().log)
    let times = 0
    stops.add('web', () => times++)
    await stops.stopAll()
    await stops.stopAll()
    expect(times).toBe(1)
  })
})
