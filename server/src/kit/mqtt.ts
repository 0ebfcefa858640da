import mqtt, { type IPublishPacket, type MqttClient } from 'mqtt'

import type { Log } from './limited-log.ts'

/** The broker is away or did not confirm in time; the message may still arrive later. */
export class BrokerAwayError extends Error {
  override name = 'BrokerAwayError'
}

export interface MqttMessage {
  topic: string
  payload: Buffer
  /** Kept by the broker from earlier, and not said just now. */
  isRetained: boolean
  /** Tells the broker that the message is done with. Until then it would bring it again to our session. */
  acknowledge(): void
}

export interface MqttConnectionOptions {
  url: string
  /** The name of the session; the same after a restart, and no other process's. */
  clientId: string
  username: string
  password: string
  /** Topic filters, subscribed with QoS 1. */
  filters: readonly string[]
  /** Processes of one group share the messages where the broker can; elsewhere each gets them all. */
  shareGroup: string
  onMessage(message: MqttMessage): void
  log: Log
}

export interface MqttConnection {
  /** Resolves when the first subscriptions stand. */
  whenReady(): Promise<void>
  isReady(): boolean
  /** Whether the messages are shared with the other processes of the group. */
  isSharing(): boolean
  /**
   * Sends with QoS 1.
   * @param expirySeconds the broker forgets it after this time, where it knows MQTT 5
   * @throws BrokerAwayError at once when there is no connection, or when the broker does not confirm
   */
  publish(topic: string, payload: string, expirySeconds: number): Promise<void>
  stop(): Promise<void>
}

const shortestPauseMs = 250
const longestPauseMs = 30_000
const confirmTimeoutMs = 10_000
/** What a broker refuses to let us hear is asked for again after this: its list of who may what can be wrong for a while. */
const subscribeAgainMs = 5000

/**
 * How long the broker keeps what comes while we are away. Long enough for a restart; not longer, because some brokers
 * go on giving a process that is gone its part of the shared messages until its session ends.
 */
const sessionExpirySeconds = 60

/**
 * Messages we hold without having acknowledged them; more stay in the broker, which brings no more than that where it knows
 * MQTT 5, or in its connection to us, which then says nothing else either.
 */
const mostUnacknowledged = 10_000

/**
 * Larger ones the broker keeps from us: the properties of MQTT 5 may be of any length, and count in no limit that a broker
 * has for messages.
 */
const largestPacketBytes = 8192

/** Answers to a CONNECT of a version the broker does not know: of MQTT 3.1.1 and of MQTT 5. */
const unknownVersionCodes = [1, 132]

/** Why a broker of MQTT 5 ends a connection: another one came with the same name. */
const takenOverCode = 142

/**
 * Connects and stays connected: it tries again for ever, with growing pauses. MQTT 5 is spoken where the broker knows
 * it, else 3.1.1.
 */
export function connectMqtt(options: MqttConnectionOptions): MqttConnection {
  const { log } = options
  const client = mqtt.connect(options.url, {
    clientId: options.clientId,
    username: options.username,
    password: options.password,
    protocolVersion: 5,
    // the broker keeps what comes while we are away for a moment
    clean: false,
    properties: {
      sessionExpiryInterval: sessionExpirySeconds,
      receiveMaximum: mostUnacknowledged,
      maximumPacketSize: largestPacketBytes,
    },
    keepalive: 30,
    connectTimeout: 10_000,
    reconnectPeriod: shortestPauseMs,
    reconnectOnConnackError: true,
    resubscribe: false,
  })
  const acknowledgements = holdAcknowledgements(client)
  const ready = Promise.withResolvers<void>()
  let isReady = false
  let isSharing = false
  let again: NodeJS.Timeout | undefined

  client.handleMessage = (packet, callback) => {
    const acknowledge = acknowledgements.expect(packet, callback)
    options.onMessage({
      topic: packet.topic,
      payload: typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload,
      isRetained: packet.retain,
      acknowledge,
    })
  }
  client.on('connect', (connack) => {
    client.options.reconnectPeriod = shortestPauseMs
    const canShare =
      client.options.protocolVersion === 5 && connack.properties?.sharedSubscriptionAvailable !== false
    subscribeUntilGranted(canShare)
  })
  client.on('reconnect', () => {
    const doubled = Math.min(longestPauseMs, (client.options.reconnectPeriod ?? 0) * 2)
    client.options.reconnectPeriod = Math.max(shortestPauseMs, doubled * (0.75 + Math.random() / 4))
  })
  client.on('disconnect', ({ reasonCode }) => {
    if (reasonCode !== takenOverCode) return
    log.error(
      { clientId: options.clientId },
      'Another process took our name at the MQTT broker: give each process of one host a PORT of its own',
    )
    // Else the two would push each other off several times a second.
    client.options.reconnectPeriod = longestPauseMs
  })
  client.on('close', () => {
    if (isReady) log.warn({}, 'Lost the MQTT broker')
    isReady = false
    clearTimeout(again)
    acknowledgements.forget()
  })
  client.on('error', (error) => {
    const code = 'code' in error ? error.code : undefined
    if (client.options.protocolVersion === 5 && unknownVersionCodes.includes(Number(code))) {
      client.options.protocolVersion = 4
      client.options.reconnectPeriod = 1
      return
    }
    log.warn({ reason: error.message || code }, 'The MQTT broker cannot be reached')
  })

  function subscribeUntilGranted(canShare: boolean): void {
    subscribe(canShare).catch((error: unknown) => {
      // A connection that broke meanwhile subscribes when it is made anew.
      if (!client.connected || client.disconnecting) return
      log.error({ err: error, filters: options.filters }, 'The MQTT broker refuses our subscriptions')
      clearTimeout(again)
      again = setTimeout(() => subscribeUntilGranted(canShare), subscribeAgainMs)
    })
  }

  async function subscribe(canShare: boolean): Promise<void> {
    const filters = options.filters.map((filter) =>
      canShare ? `$share/${options.shareGroup}/${filter}` : filter,
    )
    const grants = await client.subscribeAsync(filters, { qos: 1 })
    if (grants.some(({ qos }) => qos > 2)) throw new Error('a subscription was refused')
    isReady = true
    isSharing = canShare
    log.info({ version: client.options.protocolVersion, isSharing }, 'Connected to the MQTT broker')
    ready.resolve()
  }

  return {
    whenReady: () => ready.promise,
    isReady: () => isReady,
    isSharing: () => isSharing,
    async publish(topic, payload, expirySeconds) {
      if (!client.connected) throw new BrokerAwayError('not connected to the MQTT broker')
      const properties =
        client.options.protocolVersion === 5 ? { messageExpiryInterval: expirySeconds } : undefined
      await withinTime(client.publishAsync(topic, payload, { qos: 1, properties }))
    },
    async stop() {
      clearTimeout(again)
      // In good order it would first wait for what a broker that hangs has not confirmed, however long.
      const isQuiet = client.connected && Object.keys(client.outgoing).length === 0
      await client.endAsync(!isQuiet)
    },
  }
}

async function withinTime(confirmation: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new BrokerAwayError('the MQTT broker did not confirm in time')),
    confirmTimeoutMs,
  )
  // it may still be confirmed or fail after we stopped waiting
  confirmation.catch(() => undefined)
  try {
    await Promise.race([confirmation, late.promise])
  } catch (error) {
    throw error instanceof BrokerAwayError
      ? error
      : new BrokerAwayError('lost the MQTT broker', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

interface Acknowledgements {
  /** @returns what acknowledges this message, once */
  expect(packet: IPublishPacket, goOn: (error?: Error) => void): () => void
  /** The connection is gone, and with it the numbers of its messages. */
  forget(): void
}

/**
 * The client acknowledges each message before it takes the next, so waiting for a batch to be stored would mean batches
 * of one. It leaves the acknowledgement out when the handler reports a failure; then it is ours to send, in our own time.
 */
function holdAcknowledgements(client: MqttClient): Acknowledgements {
  const leaveOut = new Error('acknowledged later')
  let connection = 0
  let unacknowledged = 0
  let toSend: number[] = []
  let resume: (() => void) | undefined

  const send = () => {
    const packets = Buffer.alloc(toSend.length * 4)
    // PUBACK is the same in MQTT 3.1.1 and, when all is well, in MQTT 5
    for (const [index, id] of toSend.entries()) packets.writeUInt32BE(0x40020000 + id, index * 4)
    toSend = []
    if (client.connected && packets.length > 0) client.stream.write(packets)
  }

  return {
    expect(packet, goOn) {
      const { messageId } = packet
      if (packet.qos === 0 || messageId === undefined) {
        goOn()
        return () => undefined
      }
      const connectionOfMessage = connection
      unacknowledged++
      if (unacknowledged <= mostUnacknowledged) goOn(leaveOut)
      else resume = () => goOn(leaveOut)
      let isDone = false
      return () => {
        if (isDone || connection !== connectionOfMessage) return
        isDone = true
        unacknowledged--
        if (toSend.push(messageId) === 1) setImmediate(send)
        resume?.()
        resume = undefined
      }
    },
    forget() {
      connection++
      unacknowledged = 0
      toSend = []
      resume?.()
      resume = undefined
    },
  }
}
