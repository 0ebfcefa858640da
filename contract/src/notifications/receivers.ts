import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { choice, flag, instant, leavingUnchanged, listOf, listUpTo, recordId, text } from '../kit/fields.ts'
import type { SheetColumn } from '../kit/sheet.ts'
import { notificationEvents } from './events.ts'
import { languages } from '../locales/languages.ts'
import { receiverKinds, type ReceiverKind } from './receiver-kinds.ts'

/*
 * Receivers: where an organisation has notifications sent, such as a group's robot or a mailbox. They belong to owners and
 * admins; `docs/notifications.md` has the rules in words.
 */

export const receiverLimits = {
  /** Most receivers of an organisation. */
  receivers: 20,
  name: 50,
  address: 500,
  secret: 200,
} as const

/** Robots whose owner may have asked them to take signed messages only. */
export const takesSecret = (kind: ReceiverKind): boolean => kind === 'dingTalk' || kind === 'feishu'

export const Receiver = z.object({
  id: z.int(),
  name: z.string(),
  kind: z.enum(receiverKinds),
  /** What may be shown of its address; a robot's holds a key. */
  address: z.string(),
  hasSecret: z.boolean(),
  language: z.enum(languages),
  events: z.array(z.enum(notificationEvents)),
  /** Whether anything is sent to it now. */
  active: z.boolean(),
  createdTime: instant,
  lastSentTime: instant.nullable(),
  /** Since when nothing reaches it, and what it said last; empty while all is well. */
  failingTime: instant.nullable(),
  failure: z.string(),
})
export type Receiver = z.output<typeof Receiver>

export const receiverColumns: readonly SheetColumn[] = [
  { field: 'name', text: 'notifications.field.name', kind: 'text' },
  { field: 'kind', text: 'notifications.field.kind', kind: 'status', valueText: 'notifications.kind' },
  { field: 'address', text: 'notifications.field.address', kind: 'text' },
  { field: 'events', text: 'notifications.field.events', kind: 'status', valueText: 'notifications.events' },
  {
    field: 'language',
    text: 'notifications.field.language',
    kind: 'status',
    valueText: 'notifications.language',
  },
  { field: 'active', text: 'notifications.field.active', kind: 'status', valueText: 'notifications.active' },
  { field: 'lastSentTime', text: 'notifications.field.lastSent', kind: 'dateTime' },
  { field: 'failure', text: 'notifications.field.failure', kind: 'text' },
]

/** Owners and admins: what is sent is of the whole organisation, and a sub-account may see a part of it only. */
const types = [0, 1, 2] as const

const eventList = listUpTo(
  notificationEvents.length,
  z.array(z.enum(notificationEvents)).min(1, { error: 'required' }),
) as unknown as z.ZodType<
  (typeof notificationEvents)[number][],
  readonly (typeof notificationEvents)[number][] | string
>

const fields = {
  name: text(receiverLimits.name),
  language: choice(languages),
  events: eventList,
}
/** Absent or empty, it stays as it is, since it is not shown again. */
const keptAddress = z.string().trim().max(receiverLimits.address).optional()
/** What a robot's messages are signed with, where its owner has asked the robot for that; absent, it stays as it is. */
const secret = z.string().trim().max(receiverLimits.secret).optional()

export const listReceivers = endpoint({
  verb: 'GET',
  path: '/api/notifications/receivers',
  summary: 'Where the caller’s organisation has notifications sent, by name',
  needs: 'notification.list',
  types,
  input: z.object({}),
  data: listOf(Receiver),
  refuses: [],
})

export const addReceiver = endpoint({
  verb: 'POST',
  path: '/api/notifications/receivers',
  summary: 'Adds a receiver; a webhook is answered with the secret its messages are signed with, this once',
  needs: 'notification.edit',
  types,
  audit: 'notification.add',
  input: z.object({
    ...fields,
    kind: choice(receiverKinds),
    address: text(receiverLimits.address),
    secret,
  }),
  data: z.object({ id: z.int(), secret: z.string() }),
  refuses: [],
})

export const editReceiver = endpoint({
  verb: 'PUT',
  path: '/api/notifications/receivers/:receiverId',
  summary: 'Changes a receiver; its kind stays, and so do address and secret unless new ones are given',
  needs: 'notification.edit',
  types,
  audit: 'notification.edit',
  input: z.object({
    receiverId: recordId,
    ...fields,
    active: flag,
    address: keptAddress,
    secret,
    ...leavingUnchanged,
  }),
  data: z.null(),
  refuses: ['notFound'],
})

export const deleteReceiver = endpoint({
  verb: 'DELETE',
  path: '/api/notifications/receivers/:receiverId',
  summary: 'Deletes a receiver, with what was on its way to it',
  needs: 'notification.edit',
  types,
  audit: 'notification.delete',
  input: z.object({ receiverId: recordId }),
  data: z.null(),
  refuses: ['notFound'],
})

export const testReceiver = endpoint({
  verb: 'PUT',
  also: ['POST'],
  path: '/api/notifications/receivers/:receiverId/test',
  summary: 'Sends a test message at once, and answers what the other side said of it',
  needs: 'notification.edit',
  types,
  audit: 'notification.test',
  input: z.object({ receiverId: recordId }),
  data: z.object({
    sent: z.boolean(),
    /** Why not, in the words of the other side; empty when it was sent. */
    answer: z.string(),
  }),
  refuses: ['notFound'],
})

export const receiverCalls = { listReceivers, addReceiver, editReceiver, deleteReceiver, testReceiver }
