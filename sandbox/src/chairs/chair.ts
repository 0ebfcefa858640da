import { randomBytes } from 'node:crypto'

import { BoardConnection } from './board-connection.ts'
import { brokenPayloads, noFaults, type ChairFaults } from './faults.ts'
import { Massage } from './massage.ts'
import { Outbox } from './outbox.ts'
import { readCommand, topicOf, type BoardEvent, type BoardState, type Command } from './wire.ts'

export interface ChairIdentity {
  sid: string
  password: string
  model: string
  firmware?: string
  network?: 'wifi' | 'gprs'
}

export interface ChairSurroundings {
  host: string
  port: number
  /** A chair's minute passes in a minute divided by this. */
  timeFactor: number
  heartbeatSeconds: number
  protocolVersion: 4 | 5
  /** Pauses before connecting again grow from the shortest to the longest. */
  reconnectPauseMs: { shortest: number; longest: number }
  count(what: 'attempts' | 'connected' | 'heartbeats' | 'commands' | 'reports'): void
}

/** What somebody in front of the chair sees. */
export interface ChairView extends BoardState {
  isConnected: boolean
  /** Commands carried out, each once however often it came. */
  commandsDone: number
  /** Ids of the commands that started the chair, in order. */
  startedBy: readonly string[]
  pulses: number
  passedThrough: string
  isLit: boolean
  wifi: { ssid: string; password: string } | null
}

const rememberedAcks = 16

/** A chair with its board: connects, tells its state, does what it is told, and comes back when the line is lost. */
export class Chair {
  readonly identity: ChairIdentity
  readonly #surroundings: ChairSurroundings
  readonly #massage: Massage
  /** Command id to the acknowledgement it got, newest last: a repeated command is answered and not done again. */
  readonly #acks = new Map<string, string>()
  readonly #outbox = new Outbox()
  #faults: ChairFaults = noFaults
  #connection: BoardConnection | undefined
  #isConnected = false
  #isRemoved = false
  #failures = 0
  #commandsDone = 0
  #signal = 3 + Math.floor(Math.random() * 3)
  /** Milliseconds our own clock is behind the server's; unknown until it told the time. */
  #clockOffsetMs: number | undefined
  #wifi: { ssid: string; password: string } | null = null
  #bootId = randomBytes(4).toString('hex')
  #heartbeat: NodeJS.Timeout | undefined
  #reconnect: NodeJS.Timeout | undefined
  #flap: NodeJS.Timeout | undefined

  constructor(identity: ChairIdentity, surroundings: ChairSurroundings) {
    this.identity = identity
    this.#surroundings = surroundings
    this.#massage = new Massage(surroundings.timeFactor, (ended, reason) => {
      this.#say({ event: 'ended', ...ended, reason })
      this.#sayStatus()
    })
  }

  view(): ChairView {
    const { pulses, passedThrough, isLit, startedBy } = this.#massage
    return {
      ...this.#state(),
      isConnected: this.#isConnected,
      commandsDone: this.#commandsDone,
      startedBy,
      pulses,
      passedThrough,
      isLit,
      wifi: this.#wifi,
    }
  }

  connectAfter(pauseMs: number): void {
    clearTimeout(this.#reconnect)
    this.#reconnect = setTimeout(() => this.#connect(), pauseMs)
  }

  /** Changes some faults and leaves the others. */
  setFaults(changes: Partial<ChairFaults>): void {
    const before = this.#faults
    this.#faults = { ...before, ...changes }
    const { isOffline, flapMs, trouble, hasWrongPassword } = this.#faults
    if (trouble !== before.trouble) {
      if (trouble) this.#massage.end('trouble')
      this.#say({ event: 'trouble', code: trouble })
      this.#sayStatus()
    }
    const mustLeave = isOffline || hasWrongPassword !== before.hasWrongPassword || flapMs !== before.flapMs
    const mayComeBack = before.isOffline || (before.hasWrongPassword && !hasWrongPassword)
    if (mustLeave && this.#connection) this.#connection.break()
    else if (mayComeBack && !isOffline) this.connectAfter(0)
  }

  /** Loses its connection and connects again after a pause. */
  dropLine(pauseMs: number): void {
    this.#failures = 0
    this.#isConnected = false
    clearTimeout(this.#flap)
    const connection = this.#connection
    this.#connection = undefined
    connection?.break()
    this.connectAfter(pauseMs)
  }

  /** The plug is pulled and put back: what ran has ended, and only a little memory is left. */
  losePower(): void {
    this.dropLine(0)
    this.#massage.end('power')
    this.#bootId = randomBytes(4).toString('hex')
    this.#clockOffsetMs = undefined
  }

  /** Leaves with a goodbye, for good. */
  remove(): void {
    this.#isRemoved = true
    clearTimeout(this.#reconnect)
    clearTimeout(this.#heartbeat)
    clearTimeout(this.#flap)
    this.#massage.dismantle()
    if (this.#isConnected)
      this.#connection?.publish(topicOf(this.identity.sid, 'birth'), this.#farewell(), true)
    this.#connection?.leave()
  }

  #state(): BoardState {
    const { running, ended } = this.#massage
    return {
      bootId: this.#bootId,
      signal: this.#faults.hasWeakSignal ? Math.min(1, this.#signal) : this.#signal,
      network: this.identity.network ?? 'wifi',
      running,
      ended,
      trouble: this.#faults.trouble,
    }
  }

  #farewell = (): string => JSON.stringify({ v: 1, online: false, bootId: this.#bootId })

  #connect(): void {
    if (this.#isRemoved || this.#faults.isOffline) return
    const { sid, password } = this.identity
    const { host, port, protocolVersion } = this.#surroundings
    this.#surroundings.count('attempts')
    const connection: BoardConnection = new BoardConnection({
      host,
      port,
      clientId: sid,
      username: sid,
      password: this.#faults.hasWrongPassword ? `not ${password}` : password,
      keepaliveSeconds: 60,
      will: { topic: topicOf(sid, 'birth'), payload: this.#farewell() },
      protocolVersion,
      commandTopic: topicOf(sid, 'command'),
      onReady: () => this.#beginConnection(),
      onCommand: (payload) => this.#obey(payload),
      onClosed: () => {
        if (connection === this.#connection) this.#loseConnection()
      },
    })
    this.#connection = connection
  }

  #beginConnection(): void {
    this.#isConnected = true
    this.#failures = 0
    this.#surroundings.count('connected')
    this.#sayBirth()
    for (const number of this.#outbox.numbers()) this.#sendReport(number)
    // the first soon after the birth, spread so that many chairs never beat together
    this.#beatAfter((5 + Math.random() * 10) / 60)
    const { flapMs } = this.#faults
    if (flapMs > 0) this.#flap = setTimeout(() => this.#connection?.break(), flapMs)
  }

  #loseConnection(): void {
    this.#isConnected = false
    this.#connection = undefined
    clearTimeout(this.#heartbeat)
    clearTimeout(this.#flap)
    const { shortest, longest } = this.#surroundings.reconnectPauseMs
    const pauseMs = Math.min(longest, shortest * 2 ** this.#failures++)
    if (!this.#isRemoved) this.connectAfter(pauseMs * (0.5 + Math.random()))
  }

  #beatAfter(heartbeats: number): void {
    clearTimeout(this.#heartbeat)
    this.#heartbeat = setTimeout(
      () => {
        this.#driftSignal()
        this.#sayStatus()
        this.#beatAfter(0.98 + Math.random() * 0.04)
      },
      heartbeats * this.#surroundings.heartbeatSeconds * 1000,
    )
  }

  /** A signal wanders by a bar now and then, seldom to nothing. */
  #driftSignal(): void {
    if (Math.random() > 0.2) return
    const lowest = Math.random() < 0.05 ? 0 : 1
    this.#signal = Math.min(5, Math.max(lowest, this.#signal + (Math.random() < 0.5 ? -1 : 1)))
  }

  #sayBirth(): void {
    const { sid, model, firmware = '2.4.1' } = this.identity
    const birth = { v: 1, online: true, firmware, model, ...this.#state() }
    this.#connection?.publish(topicOf(sid, 'birth'), JSON.stringify(birth), true, () => undefined)
  }

  #sayStatus(): void {
    if (!this.#isConnected) return
    this.#surroundings.count('heartbeats')
    const broken = brokenPayloads[Math.floor(Math.random() * brokenPayloads.length)] ?? ''
    const payload = this.#faults.isBroken ? broken : JSON.stringify({ v: 1, ...this.#state() })
    this.#connection?.publish(topicOf(this.identity.sid, 'status'), payload, false, () => undefined)
  }

  #say(event: BoardEvent): void {
    if (this.#faults.silence === 'none') this.#report('event', event)
  }

  #report(channel: 'ack' | 'event', report: object): void {
    const number = this.#outbox.add(channel, report)
    if (this.#isConnected) this.#sendReport(number)
  }

  #sendReport(number: number): void {
    const message = this.#outbox.messageOf(number)
    if (!message) return
    for (let copy = 0; copy < this.#faults.copies; copy++) {
      this.#surroundings.count('reports')
      this.#connection?.publish(topicOf(this.identity.sid, message.channel), message.payload, false, () =>
        this.#outbox.confirmed(number),
      )
    }
  }

  #obey(payload: Buffer): void {
    const command = readCommand(payload)
    if (!command || this.#faults.silence === 'ignores') return
    if (command.kind === 'time') {
      this.#clockOffsetMs = command.at * 1000 - Date.now()
      return
    }
    this.#surroundings.count('commands')
    const known = this.#acks.get(command.id)
    const reason = known ?? this.#do(command)
    this.#remember(command.id, reason)
    this.#acknowledge(command.id, reason)
    if (known !== undefined || reason) return
    if (command.kind === 'start') this.#say({ event: 'started', commandId: command.id })
    if (command.kind === 'stop') this.#massage.end('stopped')
    if (command.kind === 'identify') this.#sayBirth()
    if (command.kind === 'start') this.#sayStatus()
  }

  /** @returns why not, empty when done */
  #do(command: Command): string {
    const nowMs = Date.now() + (this.#clockOffsetMs ?? 0)
    if (nowMs > (command.at + command.ttlSeconds) * 1000) return 'expired'
    if (command.kind === 'start' && this.#faults.trouble) return 'trouble'
    const reason = this.#carryOut(command)
    if (!reason) this.#commandsDone++
    return reason
  }

  #carryOut(command: Command): string {
    switch (command.kind) {
      case 'start':
        return this.#massage.start(command)
      case 'stop': {
        const runningId = this.#massage.running?.commandId
        const isMeant =
          runningId !== undefined && (command.commandId === '' || command.commandId === runningId)
        return isMeant ? '' : 'notRunning'
      }
      case 'wifi':
        this.#wifi = { ssid: command.ssid, password: command.password }
        return ''
      case 'identify':
        return ''
      default:
        return 'unsupported'
    }
  }

  #remember(commandId: string, reason: string): void {
    this.#acks.delete(commandId)
    this.#acks.set(commandId, reason)
    const [oldest] = this.#acks.keys()
    if (this.#acks.size > rememberedAcks && oldest !== undefined) this.#acks.delete(oldest)
  }

  #acknowledge(id: string, reason: string): void {
    const { silence, ackDelayMs } = this.#faults
    if (silence !== 'none') return
    const ack = reason ? { id, result: 'refused', reason } : { id, result: 'accepted' }
    if (ackDelayMs > 0) setTimeout(() => this.#isRemoved || this.#report('ack', ack), ackDelayMs)
    else this.#report('ack', ack)
  }
}
