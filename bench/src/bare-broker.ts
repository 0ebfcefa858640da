import { createBrokerLogin } from '@chairside/server/devices/gateway/broker-access'
import { startEmbeddedBroker } from '@chairside/server/kit/embedded-broker'
import Fastify from 'fastify'

/*
 * What heartbeats are measured against: the same broker that lets everybody in, with a subscriber that only counts
 * what it hears. It has no database.
 */

const ignore = () => undefined
const log = { info: ignore, warn: ignore, error: ignore }
const gatewayPassword = 'of the subscriber'
const broker = await startEmbeddedBroker({
  host: '127.0.0.1',
  port: Number(process.env['MQTT_PORT']),
  authenticate: createBrokerLogin({ gatewayPassword, checkBoard: async () => true }),
  log,
})
let heard = 0
broker.connect((message) => {
  heard++
  message.acknowledge()
})

const app = Fastify()
app.get('/healthz', async () => 'ok')
app.get('/heard', async () => heard)
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
process.once('SIGTERM', () => process.exit())
