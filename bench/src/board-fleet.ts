import { BoardConnection } from '@chairside/sandbox/chairs/board-connection'
import { topicOf } from '@chairside/sandbox/chairs/wire'
import type { Beaten, BoardLogin, FleetAnswer, FleetOrder } from './fleet-messages.ts'

/*
 * A process with boards that do nothing but beat, as quickly as the broker takes it. A board that loses its connection
 * does not come back.
 */

interface Board {
  sid: string
  connection: BoardConnection
  isReady: boolean
  lastAcknowledged: number
}

/** Connections that are being made at a time. */
const connectingAtOnce = 200
const answer = (message: FleetAnswer) => process.send?.(message)
const boards: Board[] = []

const statusOf = (bootId: string, number: number) =>
  `{"v":1,"bootId":"${bootId}-${number}","signal":${number % 6},"network":"wifi","running":null,"ended":null,"trouble":""}`

function connectOne(url: URL, { sid, password }: BoardLogin): Promise<void> {
  return new Promise((resolve) => {
    const connection = new BoardConnection({
      host: url.hostname,
      port: Number(url.port),
      clientId: sid,
      username: sid,
      password,
      keepaliveSeconds: 600,
      will: { topic: topicOf(sid, 'birth'), payload: '{"v":1,"online":false,"bootId":"none"}' },
      protocolVersion: 4,
      commandTopic: topicOf(sid, 'command'),
      onReady() {
        board.isReady = true
        resolve()
      },
      onCommand: () => undefined,
      onClosed() {
        board.isReady = false
        resolve()
      },
    })
    const board: Board = { sid, connection, isReady: false, lastAcknowledged: 0 }
    boards.push(board)
  })
}

async function connectAll(mqttUrl: string, logins: readonly BoardLogin[]): Promise<number> {
  const url = new URL(mqttUrl)
  const start = performance.now()
  const waiting = [...logins]
  const connectSome = async () => {
    for (let login = waiting.pop(); login; login = waiting.pop()) await connectOne(url, login)
  }
  await Promise.all(Array.from({ length: connectingAtOnce }, connectSome))
  return performance.now() - start
}

/** Ends when all were acknowledged, or when the boards have lost their connections. */
function beat(bootId: string, perBoard: number, atOnce: number): Promise<Beaten> {
  const start = performance.now()
  const wanted = boards.length * perBoard
  let [sent, acknowledged, last] = [0, 0, start]
  for (const board of boards) board.lastAcknowledged = 0
  return new Promise((resolve) => {
    const end = () => {
      clearInterval(watch)
      resolve({
        sent,
        acknowledged,
        milliseconds: last - start,
        lastAcknowledged: boards.map((board) => [board.sid, board.lastAcknowledged]),
      })
    }
    const watch = setInterval(() => {
      if (!boards.some(({ isReady }) => isReady)) end()
    }, 100)
    const sendNext = () => {
      if (sent >= wanted) return
      const board = boards[sent % boards.length]
      const number = Math.floor(sent / boards.length) + 1
      sent++
      board?.connection.publish(topicOf(board.sid, 'status'), statusOf(bootId, number), false, () => {
        board.lastAcknowledged = number
        acknowledged++
        last = performance.now()
        if (acknowledged === wanted) end()
        else sendNext()
      })
    }
    for (let count = 0; count < atOnce; count++) sendNext()
  })
}

process.on('message', (message: FleetOrder) => {
  switch (message.order) {
    case 'connect':
      void connectAll(message.mqttUrl, message.boards).then((connectedInMs) => answer({ connectedInMs }))
      break
    case 'beat':
      void beat(message.bootId, message.perBoard, message.atOnce).then((beaten) => answer({ beaten }))
      break
    case 'count':
      answer({
        counts: { connected: boards.filter(({ isReady }) => isReady).length, attempts: boards.length },
      })
      break
  }
})
process.once('disconnect', () => process.exit())
