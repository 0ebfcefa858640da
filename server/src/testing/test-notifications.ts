import type { Receiver, ReceiverKind } from '@chairside/contract'
import { announce, type Announcement } from '../notifications/announce.ts'
import { createNotificationJobs } from '../notifications/deliver.ts'
import { createReceiverCalls } from '../notifications/receivers-api.ts'
import type { Delivery, Destination, Message, Sender } from '../notifications/senders/sender.ts'
import { inTransaction } from '../kit/database.ts'
import { pino } from 'pino'
import { runJobs } from './run-jobs.ts'
import {
  addAccount,
  addOrganisation,
  startTestServer,
  type TestAnswer,
  type TestServer,
} from './test-server.ts'

export interface TestNotifications extends TestServer {
  /** Ids by name: agents `north` and `south`, their merchants `spa` and `gym`. */
  ids: Record<string, number>
  /** What was sent, in order, and where. */
  sent: { to: Destination; message: Message }[]
  /** What the other side says from now on. */
  answer(delivery: Delivery): void
  as<Data = unknown>(
    who: string,
    verb: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<TestAnswer<Data>['body']>
  /** Adds a receiver of somebody's; a mailbox in English that hears of everything unless said otherwise. */
  addReceiver(who: string, name: string, fields?: Record<string, unknown>): Promise<number>
  receiversOf(who: string): Promise<Receiver[]>
  announce(...announcements: Announcement[]): Promise<void>
  /** Does all that waits to be sent, as if its time had come. */
  work(): Promise<void>
  /** Without receivers, and everything sent is taken. */
  clear(): Promise<void>
}

const allEvents = 'alertRaised,alertCleared,refundApplied,refundDecided,refundFailed'

/** Two merchants of two agents whose messages go to a list in place of the world; senders have tests of their own. */
export async function startTestNotifications(): Promise<TestNotifications> {
  const sent: TestNotifications['sent'] = []
  let delivery: Delivery = { outcome: 'sent' }
  const listening: Sender = {
    readAddress: (text) => (text.startsWith('at:') ? text : undefined),
    maskAddress: (address) => `${address.slice(0, 4)}…`,
    async send(to, message) {
      sent.push({ to, message })
      return delivery
    },
  }
  const senders: Record<ReceiverKind, Sender | undefined> = {
    weCom: listening,
    dingTalk: listening,
    feishu: listening,
    webhook: listening,
    email: listening,
  }
  const publicUrl = 'https://chairs.example'
  const server = await startTestServer(({ secrets }) => createReceiverCalls({ senders, secrets, publicUrl }))
  const { db, pool, secrets } = server
  await addAccount(server, { organisationId: 1, userName: 'root', isOwner: true, tree: 'admin' })
  const ids: Record<string, number> = {}
  ids['north'] = await addOrganisation(server, 'agent', 'north')
  ids['south'] = await addOrganisation(server, 'agent', 'south')
  ids['spa'] = await addOrganisation(server, 'merchant', 'spa', ids['north'])
  ids['gym'] = await addOrganisation(server, 'merchant', 'gym', ids['south'])
  await addAccount(server, {
    organisationId: ids['spa'],
    userName: 'clerk',
    isOwner: false,
    tree: 'merchant',
  })

  const tokens = new Map<string, string>()
  const as: TestNotifications['as'] = async <Data>(
    who: string,
    verb: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
  ) => {
    const token = tokens.get(who) ?? (await server.signIn(who))
    tokens.set(who, token)
    return (await server.call<Data>(verb, path, { token, ...(body === undefined ? {} : { body }) })).body
  }
  const log = pino({ level: 'silent' })
  const jobs = createNotificationJobs({ senders, secrets, publicUrl })
  return {
    ...server,
    ids,
    sent,
    as,
    answer: (next) => void (delivery = next),
    async addReceiver(who, name, fields = {}) {
      const { data, message } = await as<{ id: number }>(who, 'POST', '/api/notifications/receivers', {
        name,
        kind: 'email',
        address: `at:${name}`,
        language: 'en',
        events: allEvents,
        ...fields,
      })
      if (!data) throw new Error(message)
      return data.id
    },
    receiversOf: async (who) =>
      (await as<{ list: Receiver[] }>(who, 'GET', '/api/notifications/receivers')).data.list,
    announce: (...announcements) => inTransaction(db, (trx) => announce(trx, announcements)),
    async work() {
      await pool.query(`update graphile_worker._private_jobs set run_at = now()`)
      await runJobs({ pool, db, log }, jobs)
    },
    async clear() {
      sent.length = 0
      delivery = { outcome: 'sent' }
      await pool.query(
        `delete from notification_receivers; update organisations set status = 1 where status = 2`,
      )
    },
  }
}
