import net from 'node:net'
import Fastify from 'fastify'

/*
 * What any broker in Node is measured against: it confirms the packets of boards (MQTT 3.1.1) and knows nothing else of
 * them, neither who sends nor who listens. What is left is what Node and the kernel need for so many small answers, each
 * to a connection of its own.
 */

const types = { connect: 1, publish: 3, subscribe: 8, ping: 12 }
const connected = Buffer.from([0x20, 2, 0, 0])
const pong = Buffer.from([0xd0, 0])

let heard = 0

/** The answer to a packet, given where what follows its header begins. */
function answerTo(type: number, chunk: Buffer, body: number): Buffer | undefined {
  switch (type) {
    case types.connect:
      return connected
    case types.publish: {
      heard++
      const id = body + 2 + chunk.readUInt16BE(body)
      return Buffer.from([0x40, 2, chunk[id] ?? 0, chunk[id + 1] ?? 0])
    }
    case types.subscribe:
      return Buffer.from([0x90, 3, chunk[body] ?? 0, chunk[body + 1] ?? 0, 1])
    case types.ping:
      return pong
    default:
      return undefined
  }
}

/** Answers whole packets, and returns what is left of one that is not whole yet. */
function answerAll(socket: net.Socket, chunk: Buffer): Buffer {
  const answers: Buffer[] = []
  let at = 0
  for (;;) {
    let [length, shift, body] = [0, 0, at + 1]
    let byte = 0x80
    for (; byte >= 0x80 && body < chunk.length; body++, shift += 7) {
      byte = chunk[body] ?? 0
      length |= (byte & 0x7f) << shift
    }
    if (byte >= 0x80 || body + length > chunk.length) break
    const answer = answerTo((chunk[at] ?? 0) >> 4, chunk, body)
    if (answer) answers.push(answer)
    at = body + length
  }
  const [only] = answers
  if (only) socket.write(answers.length === 1 ? only : Buffer.concat(answers))
  return chunk.subarray(at)
}

const server = net.createServer({ noDelay: true }, (socket) => {
  let rest: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    rest = answerAll(socket, rest.length === 0 ? chunk : Buffer.concat([rest, chunk]))
  })
  socket.on('error', () => socket.destroy())
})
server.listen({ host: '127.0.0.1', port: Number(process.env['MQTT_PORT']), backlog: 4096 })

const app = Fastify()
app.get('/healthz', async () => 'ok')
app.get('/heard', async () => heard)
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
process.once('SIGTERM', () => process.exit())
