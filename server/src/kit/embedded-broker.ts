import type net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { Aedes, type Client, type PublishPacket } from 'aedes'

import { createBrokerSockets, type SocketLimits } from './broker-sockets.ts'
import { createLimitedLog, type Log } from './limited-log.ts'
import { BrokerAwayError, type MqttConnection, type MqttMessage } from './mqtt.ts'
import { indexRetainedMessages, type RetainedMessages } from './retained-messages.ts'
import { isOfOwnNetwork } from './strangers.ts'

export interface BrokerLogin {
  clientId: string
  username: string
  password: string
  /** Where the connection comes from. */
  address: string
}

/** Who a connection turned out to be, and what it may do. */
export interface BrokerIdentity {
  mayPublish(topic: string): boolean
  maySubscribe(filter: string): boolean
  /** One of our own processes: not held to the limits of packets. */
  isOurs: boolean
}

export interface BrokerLimits extends SocketLimits {
  /** A connection is closed when it did not say who it is in this time. */
  loginMs: number
  /** A client that has just signed in is not pushed off before this by another one with its name. */
  undisturbedMs: number
}

const defaultBrokerLimits: BrokerLimits = {
  packetBytes: 4096,
  packetsPerSecond: 20,
  burstPackets: 100,
  connections: 50_000,
  strangers: 5000,
  strangersOfOneAddress: 1000,
  mayBeProxy: isOfOwnNetwork,
  loginMs: 10_000,
  silenceMs: 600_000,
  undisturbedMs: 5000,
}

export interface EmbeddedBrokerOptions {
  host: string
  /** 0 takes any free one. */
  port: number
  /** Undefined refuses the connection; a failure answers that the server is unavailable, and boards try again. */
  authenticate(login: BrokerLogin): Promise<BrokerIdentity | undefined>
  log: Log
  limits?: Partial<BrokerLimits>
}

export interface EmbeddedBroker {
  /** For a client on this machine. */
  url: string
  port: number
  connectionCount(): number
  /**
   * Connects within this process, without a network in between. Every message of a client that is not ours comes here
   * first, in the order it was said, and is confirmed to the client only when it is acknowledged here; or after some
   * patience, so that clients do not hold us for dead while a message is hard to store. One connection at a time. A
   * message for a client that is not there is refused, so that it can be tried again when the client may have come.
   */
  connect(onMessage: (message: MqttMessage) => void): MqttConnection
  /** Ends the connections of a client whose credentials no longer hold, also one that is just being made. */
  disconnect(clientId: string): void
  stop(): Promise<void>
}

/** A client waits this long for its confirmation while we are not done with its message: less than a keep-alive. */
const confirmAfterMs = 20_000

const sameClientWords = 'MQTT connection closed: another one has signed in with the same client id'
const foreignTopicWords = 'MQTT connection closed: it may not publish on this topic'

/** Of letters; device ids and names of gateways are shorter. */
const longestClientId = 64

/** Granted instead of a subscription that is refused (MQTT 3.1.1, 3.9.3). */
const refusedQos: number = 128

/** CONNACK return codes of MQTT 3.1.1 (3.2.2.3). */
const connackCodes = { unavailable: 3, notAuthorized: 5 } as const

/**
 * An MQTT 3.1.1 broker in this process, over TCP; a client that asks for MQTT 5 is told to come back with 3.1.1. It
 * keeps nothing on disk and no sessions: every session is a clean one, so that boards that are away pile up nothing.
 * Retained messages live as long as the process.
 */
export async function startEmbeddedBroker(options: EmbeddedBrokerOptions): Promise<EmbeddedBroker> {
  const limits = { ...defaultBrokerLimits, ...options.limits }
  const limitedLog = createLimitedLog(options.log)
  const identities = new WeakMap<Client, BrokerIdentity>()
  const sockets = createBrokerSockets(limits, limitedLog)
  const clients = new Map<string, Client>()
  const signedInAtMs = new WeakMap<Client, number>()
  /** By client id, from the moment it is said on. */
  const lines = new Map<string, Set<net.Socket>>()
  /** Filters without wildcards, with who subscribed to them. */
  const listeners = new Map<string, Set<Client>>()
  let taker: ((message: MqttMessage) => void) | undefined

  async function identify(login: BrokerLogin): Promise<BrokerIdentity | 'notAuthorized' | 'unavailable'> {
    try {
      return (await options.authenticate(login)) ?? 'notAuthorized'
    } catch (error) {
      limitedLog.warn('broker.unchecked', { err: error }, 'MQTT logins cannot be checked')
      return 'unavailable'
    }
  }

  /**
   * Two boards that were given one id push each other off for ever. They do it less often when each is left alone for a
   * moment: every time is kept in the history of the device.
   */
  async function leaveUndisturbed(clientId: string): Promise<void> {
    const other = clients.get(clientId)
    const sinceMs = other && signedInAtMs.get(other)
    if (sinceMs === undefined) return
    const restMs = sinceMs + limits.undisturbedMs - performance.now()
    if (restMs > 0) await sleep(restMs, undefined, { ref: false })
  }

  function keepLine(clientId: string, socket: net.Socket): void {
    const ofClient = lines.get(clientId) ?? new Set()
    lines.set(clientId, ofClient.add(socket))
    socket.once('close', () => {
      ofClient.delete(socket)
      if (ofClient.size === 0 && lines.get(clientId) === ofClient) lines.delete(clientId)
    })
  }

  const broker = await Aedes.createBroker({
    connectTimeout: limits.loginMs,
    drainTimeout: 30_000,
    // none waits behind others: each client is read on only when its own messages are through
    concurrency: 0,
    maxTopicLevels: 10,
    preConnect(_client, packet, callback) {
      packet.clean = true
      // Without the error the line would stay open, and no time runs any more in which it has to say who it is.
      callback(packet.clientId.length > longestClientId ? new Error('client id too long') : null, true)
    },
    authenticate(client, username, password, done) {
      const socket = client.conn as net.Socket
      const { remoteAddress: address = '' } = socket
      const login = {
        clientId: client.id,
        username: username ?? '',
        password: password?.subarray(0, 256).toString() ?? '',
        address,
      }
      keepLine(client.id, socket)
      const answer = async () => {
        const verdict = await identify(login)
        if (typeof verdict === 'string') {
          limitedLog.warn(`broker.${verdict}`, { clientId: login.clientId, address }, 'MQTT login refused')
          done(Object.assign(new Error(verdict), { returnCode: connackCodes[verdict] }), false)
          return
        }
        identities.set(client, verdict)
        sockets.identified(socket, client.id, verdict.isOurs)
        await leaveUndisturbed(client.id)
        // Also a board that comes back over a new line before the old one is known to be broken.
        if (clients.has(client.id))
          limitedLog.warn('broker.sameClient', { clientId: client.id, address }, sameClientWords)
        done(null, true)
      }
      void answer()
    },
    authorizePublish(client, packet, callback) {
      const identity = client ? identities.get(client) : undefined
      if (!identity?.mayPublish(packet.topic)) {
        const topic = packet.topic.slice(0, 100)
        limitedLog.warn('broker.foreignTopic', { clientId: client?.id, topic }, foreignTopicWords)
        return callback(new Error(foreignTopicWords))
      }
      if (!taker || identity.isOurs) return callback(null)
      // the broker confirms, keeps and forwards what it is told here that it may
      taker(messageOf(packet, () => callback(null)))
      return undefined
    },
    authorizeSubscribe(client, subscription, callback) {
      callback(null, identities.get(client)?.maySubscribe(subscription.topic) ? subscription : null)
    },
  })
  indexRetainedMessages((broker as unknown as { persistence: RetainedMessages }).persistence)
  broker.on('client', (client) => {
    clients.set(client.id, client)
    signedInAtMs.set(client, performance.now())
  })
  broker.on('subscribe', (subscriptions, client) => {
    // What was refused is told here too; it is never taken back, and kept, it would fill the memory.
    for (const { topic } of subscriptions.filter(({ qos }) => qos !== refusedQos))
      listeners.set(topic, (listeners.get(topic) ?? new Set()).add(client))
  })
  const forgetSubscriptions = (client: Client, topics: Iterable<string>) => {
    for (const topic of topics) {
      const those = listeners.get(topic)
      those?.delete(client)
      if (those?.size === 0) listeners.delete(topic)
    }
  }
  broker.on('unsubscribe', (topics, client) => forgetSubscriptions(client, topics))
  broker.on('clientDisconnect', (client) => {
    if (clients.get(client.id) === client) clients.delete(client.id)
  })
  const logFault = (client: Client, { message: reason }: Error) => {
    // Who asks for MQTT 5 first comes back at once with 3.1.1; that is no fault. The other was told where it was found.
    if (reason === 'unacceptable protocol version' || reason === foreignTopicWords) return
    limitedLog.warn('broker.connection', { clientId: client.id, reason }, 'MQTT connection closed')
  }
  broker.on('clientError', logFault)
  broker.on('connectionError', logFault)
  // the event of a part of the broker that failed; without a listener it would end the process
  ;(broker as NodeJS.EventEmitter).on('error', (error) =>
    options.log.error({ err: error }, 'MQTT broker failed'),
  )

  const port = await sockets.listen(options, (socket) => broker.handle(socket))

  return {
    url: `mqtt://127.0.0.1:${port}`,
    port,
    connectionCount: () => sockets.count(),
    disconnect: (clientId) => lines.get(clientId)?.forEach((socket) => socket.destroy()),
    connect(onMessage) {
      taker = onMessage
      const isConnected = () => taker === onMessage && !broker.closed
      return {
        whenReady: async () => undefined,
        isReady: isConnected,
        isSharing: () => false,
        async publish(topic, payload) {
          if (!isConnected()) throw new BrokerAwayError('the broker has stopped')
          if (!listeners.has(topic)) throw new BrokerAwayError('nobody listens to this topic now')
          const packet = { cmd: 'publish', topic, payload, qos: 1, retain: false, dup: false } as const
          await new Promise<void>((resolve, reject) => {
            broker.publish(packet, (error) => (error ? reject(error) : resolve()))
          })
        },
        async stop() {
          if (isConnected()) taker = undefined
        },
      }
    },
    async stop() {
      const closed = sockets.close()
      await new Promise<void>((resolve) => broker.close(resolve))
      sockets.cut()
      await closed
    },
  }
}

function messageOf(packet: PublishPacket, confirm: () => void): MqttMessage {
  let isConfirmed = false
  const acknowledge = () => {
    clearTimeout(patience)
    if (isConfirmed) return
    isConfirmed = true
    confirm()
  }
  const patience = setTimeout(acknowledge, confirmAfterMs).unref()
  const { topic, payload } = packet
  return {
    topic,
    payload: typeof payload === 'string' ? Buffer.from(payload) : payload,
    isRetained: false,
    acknowledge,
  }
}
