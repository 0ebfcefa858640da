import type { Log } from '../kit/limited-log.ts'
import type { ReceivedLog } from './gateway/gateway.ts'

export interface BoardLogLimits {
  /** One line of a board in this time; the next tells how many were left out. */
  everyMs: number
  /** Lines of all boards together in a second. */
  mostPerSecond: number
}

/** Even when many boards write at once, the disk holds a day of it. */
const boardLogLimits: BoardLogLimits = { everyMs: 10_000, mostPerSecond: 20 }

/** Boards whose last line is remembered; when there are more, those that were silent since are forgotten. */
const mostRemembered = 10_000

/** Hands lines of boards on to the log of this process, limited, as they come from outside. */
export function createBoardLog(log: Log, limits = boardLogLimits): (received: ReceivedLog) => void {
  const boards = new Map<string, { loggedAtMs: number; leftOut: number }>()
  let second = { beganAtMs: -Infinity, lines: 0 }

  const forget = (now: number) => {
    for (const [sid, { loggedAtMs }] of boards) if (now - loggedAtMs >= limits.everyMs) boards.delete(sid)
  }
  return ({ sid, log: { level, text } }) => {
    const now = performance.now()
    if (now - second.beganAtMs >= 1000) second = { beganAtMs: now, lines: 0 }
    const board = boards.get(sid)
    if ((board && now - board.loggedAtMs < limits.everyMs) || second.lines >= limits.mostPerSecond) {
      if (board) board.leftOut++
      return
    }
    second.lines++
    if (boards.size >= mostRemembered) forget(now)
    boards.set(sid, { loggedAtMs: now, leftOut: 0 })
    const said = { kind: 'board.log', sid, level, text, leftOut: board?.leftOut ?? 0 }
    // What is an error of a chair is none of ours.
    if (level === 'info') log.info(said, 'A board says')
    else log.warn(said, 'A board says')
  }
}
