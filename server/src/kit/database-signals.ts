import type pg from 'pg'
import type { Log } from './limited-log.ts'

export interface SignalOptions {
  pool: pg.Pool
  /** Name of what is listened to; a transaction says `pg_notify(channel, payload)`, and is heard when it commits. */
  channel: string
  onSignal(payload: string): void
  /** The connection was away, and what was said after this instant of the database may not have been heard. */
  onMissed(since: Date): Promise<void>
  log: Log
  /** How often the connection is tried out; also how much may have been missed. */
  everyMs?: number
}

const againMs = 1000

/** Hears what transactions of all processes say, on a connection of its own that is made anew when it breaks. */
export async function listenToSignals(options: SignalOptions): Promise<{ stop(): Promise<void> }> {
  const { pool, channel, log, everyMs = 15_000 } = options
  let held: pg.PoolClient | undefined
  let heardUntil: Date | undefined
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  const nowOf = async (client: pg.PoolClient) =>
    (await client.query<{ now: Date }>('select clock_timestamp() as now')).rows[0]?.now

  const listen = async () => {
    const client = await pool.connect()
    try {
      client.on('notification', ({ payload = '' }) => options.onSignal(payload))
      client.once('end', lose)
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
      if (heardUntil) await options.onMissed(heardUntil)
      heardUntil = await nowOf(client)
      held = client
    } catch (error) {
      client.off('end', lose)
      client.release(true)
      throw error
    }
  }
  const look = async () => {
    try {
      if (held) heardUntil = await nowOf(held)
      else await listen()
    } catch (error) {
      log.warn({ err: error, channel }, 'signals of the database are not heard')
      lose()
    }
  }
  let looking = Promise.resolve()
  const lookIn = (ms: number) => {
    clearTimeout(timer)
    if (isOver) return
    timer = setTimeout(() => {
      looking = look().then(() => lookIn(held ? everyMs : againMs))
    }, ms)
    timer.unref()
  }
  const lose = () => {
    const client = held
    held = undefined
    client?.off('end', lose)
    client?.release(true)
    lookIn(againMs)
  }

  await listen()
  lookIn(everyMs)
  return {
    async stop() {
      isOver = true
      clearTimeout(timer)
      await looking
      held?.off('end', lose)
      held?.release(true)
      held = undefined
    },
  }
}
