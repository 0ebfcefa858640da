import fc from 'fast-check'
import { buyingIn } from './buying.ts'
import { refundingIn } from './refunding.ts'
import { runningIn } from './running.ts'
import type { Command, OrderWorld } from './world.ts'

const picks = fc.nat({ max: 30 })
const chairs = fc.integer({ min: 0, max: 2 })
const times = fc.constantFrom(1, 1, 2)

/** A command with its words, for the story of a failure. */
const step =
  <Of extends unknown[]>(name: string, make: (...of: Of) => Command) =>
  (of: Of) => ({ run: make(...of), [fc.toStringMethod]: () => `${name}(${of.join(', ')})` })

const decisions = fc.constantFrom<(0 | 1 | 2)[]>(0, 1, 1, 2)
const reasons = fc.constantFrom<('' | 'busy')[]>('', '', '', 'busy')
const prices = fc.constantFrom(undefined, undefined, 1, 499, 500, 501)
const seconds = fc.constantFrom(600, 600, 569, 570, 100)

/** Any command to a world, the usual ones more often. */
export function commandsOf(world: OrderWorld) {
  const { place, placeAsMember, pay, closePayment } = buyingIn(world)
  const { acknowledge, timeOut, stopChair, endRun, remoteStart } = runningIn(world)
  const { apply, audit, providerAnswers, endFailed } = refundingIn(world)
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(chairs, chairs, fc.nat({ max: 3 })).map(step('place', place)) },
    { weight: 2, arbitrary: fc.tuple(chairs).map(step('placeAsMember', placeAsMember)) },
    { weight: 7, arbitrary: fc.tuple(picks, times).map(step('pay', pay)) },
    { weight: 2, arbitrary: fc.tuple(picks).map(step('closePayment', closePayment)) },
    { weight: 8, arbitrary: fc.tuple(picks, reasons, times).map(step('acknowledge', acknowledge)) },
    { weight: 2, arbitrary: fc.tuple(picks).map(step('timeOut', timeOut)) },
    { weight: 1, arbitrary: fc.tuple(picks).map(step('stopChair', stopChair)) },
    { weight: 6, arbitrary: fc.tuple(picks, seconds, times).map(step('endRun', endRun)) },
    { weight: 4, arbitrary: fc.tuple(picks).map(step('apply', apply)) },
    { weight: 5, arbitrary: fc.tuple(picks, decisions, prices).map(step('audit', audit)) },
    {
      weight: 5,
      arbitrary: fc.tuple(picks, fc.boolean(), times).map(step('providerAnswers', providerAnswers)),
    },
    { weight: 1, arbitrary: fc.tuple(picks).map(step('endFailed', endFailed)) },
    { weight: 3, arbitrary: fc.tuple(picks).map(step('remoteStart', remoteStart)) },
  )
}
