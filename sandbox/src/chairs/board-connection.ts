import net from 'node:net'

import mqttPacket, { type Packet } from 'mqtt-packet'

export interface BoardConnectionOptions {
  host: string
  port: number
  clientId: string
  username: string
  password: string
  keepaliveSeconds: number
  will: { topic: string; payload: string }
  /** 4 is MQTT 3.1.1. */
  protocolVersion: 4 | 5
  /** Subscribed before `onReady`. */
  commandTopic: string
  onReady(): void
  onCommand(payload: Buffer): void
  /** Once, also when it never became ready. */
  onClosed(): void
}

/**
 * One MQTT connection of a board, as small as firmware would have it: clean session, QoS 1, no reconnecting. A full
 * client library takes several times the memory, which counts with thousands of chairs in a process.
 */
export class BoardConnection {
  readonly #options: BoardConnectionOptions
  readonly #socket: net.Socket
  readonly #writeOptions: { protocolVersion: 4 | 5 }
  readonly #unconfirmed = new Map<number, () => void>()
  #lastMessageId = 0
  #pings: NodeJS.Timeout | undefined
  #isPingAnswered = true

  constructor(options: BoardConnectionOptions) {
    this.#options = options
    this.#writeOptions = { protocolVersion: options.protocolVersion }
    const parser = mqttPacket.parser(this.#writeOptions)
    parser.on('packet', (packet: Packet) => this.#take(packet))
    parser.on('error', () => this.break())
    this.#socket = net.connect({ host: options.host, port: options.port, noDelay: true })
    this.#socket.on('connect', () => this.#login())
    this.#socket.on('data', (bytes) => parser.parse(bytes))
    this.#socket.on('error', () => undefined)
    this.#socket.once('close', () => {
      clearInterval(this.#pings)
      options.onClosed()
    })
  }

  /** @param onConfirmed when the broker has it; without it the message is sent with QoS 0 */
  publish(topic: string, payload: string, retain: boolean, onConfirmed?: () => void): void {
    if (!onConfirmed) {
      this.#write({ cmd: 'publish', topic, payload, retain, qos: 0, dup: false })
      return
    }
    const messageId = this.#nextMessageId()
    this.#unconfirmed.set(messageId, onConfirmed)
    this.#write({ cmd: 'publish', topic, payload, retain, qos: 1, dup: false, messageId })
  }

  /** Says goodbye: the broker does not speak the last will. */
  leave(): void {
    this.#write({ cmd: 'disconnect' })
    this.#socket.end()
  }

  /** Gone without a word. */
  break(): void {
    this.#socket.destroy()
  }

  #login(): void {
    const { clientId, username, password, will, keepaliveSeconds, protocolVersion } = this.#options
    this.#write({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion,
      clean: true,
      clientId,
      username,
      password: Buffer.from(password),
      keepalive: keepaliveSeconds,
      will: { ...will, payload: Buffer.from(will.payload), qos: 1, retain: true },
    })
  }

  #take(packet: Packet): void {
    switch (packet.cmd) {
      case 'connack': {
        const code = this.#options.protocolVersion === 5 ? packet.reasonCode : packet.returnCode
        if (code !== 0) return this.break()
        this.#pings = setInterval(() => this.#ping(), (this.#options.keepaliveSeconds * 1000) / 2)
        const subscriptions = [{ topic: this.#options.commandTopic, qos: 1 as const }]
        return this.#write({ cmd: 'subscribe', messageId: this.#nextMessageId(), subscriptions })
      }
      case 'suback':
        return packet.granted[0] === 1 ? this.#options.onReady() : this.break()
      case 'publish':
        if (packet.qos === 1) this.#write({ cmd: 'puback', messageId: packet.messageId })
        return this.#options.onCommand(Buffer.from(packet.payload))
      case 'puback': {
        const onConfirmed = this.#unconfirmed.get(packet.messageId ?? 0)
        this.#unconfirmed.delete(packet.messageId ?? 0)
        return onConfirmed?.()
      }
      case 'pingresp':
        this.#isPingAnswered = true
        return undefined
      default:
        return undefined
    }
  }

  #ping(): void {
    if (!this.#isPingAnswered) return this.break()
    this.#isPingAnswered = false
    return this.#write({ cmd: 'pingreq' })
  }

  #nextMessageId(): number {
    this.#lastMessageId = (this.#lastMessageId % 65_535) + 1
    return this.#lastMessageId
  }

  #write(packet: Packet): void {
    if (this.#socket.writable) this.#socket.write(mqttPacket.generate(packet, this.#writeOptions))
  }
}
