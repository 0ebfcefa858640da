import type { Arrival, ChairResult } from './chairs.ts'
import type { DeviceListResult } from './devices.ts'
import type { SettlementResult } from './settlement.ts'
import type { FaultResult } from './faults.ts'
import { count, ms, table, times } from './markdown.ts'

const goalOf = (role: DeviceListResult['role']) => (role === 'admin' ? 20 : 3)

/** The list of devices by each of its filters. */
export function deviceSection(devices: readonly DeviceListResult[]): string[] {
  const rows = devices.map(({ role, what, total, limit, first, middle, last }) => {
    const slowest = Math.max(first.p50Ms, middle.p50Ms, last.p50Ms)
    return [
      role,
      what,
      count.format(total),
      ms(limit.p50Ms),
      ms(first.p50Ms),
      ms(middle.p50Ms),
      ms(last.p50Ms),
      times(slowest / limit.p50Ms),
      `≤ ${goalOf(role)}×`,
    ]
  })
  return [
    '## 50,000 devices of 2,000 merchants',
    'Ten rows a page, with the total; the slowest of the first, middle and last page counts. p50 in ms.',
    table(['who', 'by', 'found', 'SELECT 1', 'first', 'middle', 'last', 'slowest ÷ SELECT 1', 'goal'], rows),
  ]
}

/** What the server makes of many chairs. */
export function chairSection(result: ChairResult): string[] {
  const { heartbeats, killed } = result
  const arrival = (what: string, { seconds, failedAttempts }: Arrival) => [
    what,
    `${seconds.toFixed(1)} s`,
    count.format(Math.round(result.chairs / seconds)),
    count.format(failedAttempts),
  ]
  const rate = (what: string, aSecond: number) => [
    what,
    count.format(aSecond),
    times(heartbeats.product / aSecond),
  ]
  return [
    `## ${count.format(result.chairs)} chairs`,
    `All at once, each with its own connection and password; online is what the database says. Peak memory of the server ${result.serverMegabytes} MB, of the process with all chairs ${result.chairsMegabytes} MB.`,
    table(
      ['what', 'until all are online', 'chairs a second', 'attempts in vain'],
      [
        arrival('they come', result.firstTime),
        arrival('all lines break', result.linesDropped),
        arrival('the server is killed and started', result.serverKilled),
      ],
    ),
    'Heartbeats as quickly as they are confirmed, from the board to the stored state.',
    table(
      ['what', 'a second', 'product ÷ it'],
      [
        rate('product', heartbeats.product),
        rate('bare broker that counts', heartbeats.bareBroker),
        // Not measured by earlier versions, whose results are kept.
        ...(heartbeats.bareTcp ? [rate('bare TCP that confirms', heartbeats.bareTcp)] : []),
        rate('batched SQL (goal ≥ 0.5×)', heartbeats.batchedSql),
      ],
    ),
    `${count.format(heartbeats.acknowledged)} heartbeats were confirmed to the boards and ${count.format(heartbeats.takenIn)} taken in. After a kill in the middle of ${count.format(killed.acknowledged)} confirmed ones, ${count.format(killed.boardsBehind)} boards had a confirmed heartbeat that the database did not have.`,
  ]
}

/** Payments from notice to commit. */
export function settlementSection(result: SettlementResult): string[] {
  const row = (what: string, aSecond: number, beside: number, goal: string) => [
    what,
    count.format(aSecond),
    times(aSecond / beside),
    goal,
  ]
  const { oneCall, notices, hotMerchant, withAllRoles } = result
  return [
    '## Settlement',
    `${count.format(result.perRound)} payments a round: WeChat's signed notices over HTTP until they are committed, against one call of the database for each (${result.oneCallBy}).`,
    table(
      ['what', 'a second', 'ratio', 'goal'],
      [
        row(`one call for each, by ${result.oneCallBy}`, oneCall, oneCall, ''),
        row('notices, a process with the role web', notices, oneCall, '≥ 2× one call'),
        row('the same, all of one merchant', hotMerchant, notices, '≥ 0.9× of all merchants'),
        row('notices, a process with all roles', withAllRoles, oneCall, ''),
      ],
    ),
  ]
}

/** What was killed in the middle of starts, and what became of the paid orders. */
export function faultSection(faults: readonly FaultResult[]): string[] {
  return [
    '## Kills in the middle of starts',
    'Every paid order has to run once or to go back; wrong is what did neither, ran twice, or what the ledger does not agree with.',
    table(
      [
        'broker',
        'killed',
        'starts under way',
        'paid',
        'ran',
        'refunded',
        'away for',
        'at rest after',
        'wrong',
      ],
      faults.map((one) => [
        one.broker,
        one.what,
        ...[one.startsUnderWay, one.paid, one.ran, one.refunded].map((value) => count.format(value)),
        `${one.secondsAway} s`,
        `${one.secondsToRest} s`,
        count.format(one.wrong),
      ]),
    ),
  ]
}
