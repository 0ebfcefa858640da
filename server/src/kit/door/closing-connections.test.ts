import { once } from 'node:events'
import net from 'node:net'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { endConnectionsOnClose } from './closing-connections.ts'

async function serve(patienceMs: number) {
  const app = Fastify({ logger: false })
  endConnectionsOnClose(app, patienceMs)
  app.get('/never', () => new Promise(() => undefined))
  const begun = new Promise<void>((resolve) => {
    app.get('/slow', async () => {
      resolve()
      await new Promise((done) => setTimeout(done, 200))
      return 'done'
    })
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as net.AddressInfo
  return { app, port, begun, url: `http://127.0.0.1:${port}` }
}

async function say(port: number, words: string): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  if (words) socket.write(words)
  await new Promise((resolve) => setTimeout(resolve, 50))
  return socket
}

it('a server ends though a client says nothing, half a request, or waits for an answer that never comes', async () => {
  const { app, port } = await serve(300)
  const sockets = [
    await say(port, ''),
    await say(port, 'GET /slow HTTP/1.1\r\nHost: here\r\nX-Ha'),
    await say(port, 'GET /never HTTP/1.1\r\nHost: here\r\n\r\n'),
  ]
  const ends = Promise.all(sockets.map((socket) => once(socket, 'close')))
  await app.close()
  expect(await ends).toHaveLength(3)
})

it('an answer under way is given before the server ends', async () => {
  const { app, url, begun } = await serve(5000)
  const answer = fetch(`${url}/slow`)
  await begun
  await app.close()
  expect(await (await answer).text()).toBe('done')
})
