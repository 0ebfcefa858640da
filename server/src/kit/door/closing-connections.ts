import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long an answer under way may take when the server closes; then its connection is cut. */
const usualPatienceMs = 8_000

/** Lets a server that closes come to its end, whatever its clients do. */
export function endConnectionsOnClose(app: FastifyInstance, patienceMs = usualPatienceMs): void {
  let isClosing = false
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', async () => {
    isClosing = true
    // Browsers connect ahead of need; to the server that is no idle connection, and it would wait for a word on it.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    // Once closing, the server no longer watches for requests that never become whole.
    setTimeout(() => {
      for (const socket of sockets) socket.destroy()
    }, patienceMs).unref()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    // Kept alive, a connection that answers while the server closes would hold it for more than a minute.
    if (isClosing) reply.header('connection', 'close')
    done(null, payload)
  })
}
