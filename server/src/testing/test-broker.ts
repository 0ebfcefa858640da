import type net from 'node:net'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { pino } from 'pino'
import { createBrokerLogin } from '../devices/gateway/broker-access.ts'
import {
  startEmbeddedBroker,
  type BrokerLimits,
  type EmbeddedBroker,
  type EmbeddedBrokerOptions,
} from '../kit/embedded-broker.ts'

const passwords = new Map([
  ['G001', 'one'],
  ['G002', 'two'],
])
const gatewayPassword = 'secret of the gateway'

/** An embedded broker that knows the boards G001 and G002, and clients of it; `stop` ends them all. */
export function createTestBroker() {
  let broker: EmbeddedBroker
  let clients: MqttClient[] = []

  async function connect(options: IClientOptions): Promise<MqttClient> {
    const client = mqtt.connect(broker.url, { protocolVersion: 4, reconnectPeriod: 0, ...options })
    client.on('error', () => undefined)
    clients.push(client)
    await new Promise<void>((resolve, reject) => {
      client.once('connect', () => resolve())
      client.once('error', reject)
      client.once('close', () => reject(new Error('closed')))
    })
    return client
  }
  const connectGateway = (options: IClientOptions = {}) =>
    connect({ clientId: 'gateway-test', username: 'gateway', password: gatewayPassword, ...options })

  return {
    broker: () => broker,
    connect,
    connectGateway,
    connectBoard: (sid: string, options: IClientOptions = {}) =>
      connect({ clientId: sid, username: sid, password: passwords.get(sid) ?? '', ...options }),
    async start(
      limits: Partial<BrokerLimits> = {},
      authenticate: EmbeddedBrokerOptions['authenticate'] = createBrokerLogin({
        gatewayPassword,
        checkBoard: async (sid, password) => passwords.get(sid) === password,
        refusalPauseMs: 20,
      }),
      log = pino({ level: 'silent' }),
    ): Promise<void> {
      broker = await startEmbeddedBroker({
        host: '127.0.0.1',
        port: 0,
        log,
        limits,
        authenticate,
      })
    },
    /** Everything that boards say, as `topic payload`. */
    async overhear(): Promise<string[]> {
      const heard: string[] = []
      const gateway = await connectGateway()
      gateway.on('message', (topic, payload) => heard.push(`${topic} ${payload.toString()}`))
      await gateway.subscribeAsync('v1/devices/#', { qos: 1 })
      return heard
    },
    async stop(): Promise<void> {
      for (const client of clients) client.end(true)
      clients = []
      await broker.stop()
    },
  }
}

/** Begins to wait for the end of a connection. */
export const closed = (connection: Pick<MqttClient | net.Socket, 'once'>) =>
  new Promise<true>((resolve) => {
    connection.once('close', () => resolve(true))
  })
