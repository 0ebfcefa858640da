import { randomBytes } from 'node:crypto'
import {
  addReceiver,
  deleteReceiver,
  editReceiver,
  listReceivers,
  receiverLimits,
  takesSecret,
  testReceiver,
  type ReceiverKind,
} from '@chairside/contract'
import { handle, handleOutside, handleReading, type Call } from '../kit/call.ts'
import { inTransaction } from '../kit/database.ts'
import { keepUnchanged } from '../kit/keep-unchanged.ts'
import { composeTest } from './compose-message.ts'
import { deliverSoon } from './deliver.ts'
import { answerOf, failureText, senderTo, storeDelivery, type ReceiverServices } from './receiver-services.ts'
import {
  countReceiversLocked,
  deleteReceiverRow,
  findReceiver,
  findReceivers,
  insertReceiver,
  lockReceiver,
  updateReceiver,
  type KeptReceiver,
} from './receivers-sql.ts'

const notAnAddress = {
  weCom: 'validation.notAWeComRobot',
  dingTalk: 'validation.notADingTalkRobot',
  feishu: 'validation.notAFeishuRobot',
  email: 'validation.notAMailbox',
  webhook: 'validation.notAWebhook',
} as const

const secretBytes = 24
/** As Standard Webhooks write it. */
const newWebhookSecret = () => `whsec_${randomBytes(secretBytes).toString('base64')}`

/** What the trail says of a receiver: no address and no secret. */
const audited = ({ name, kind, shownAddress, language, events, active }: Omit<KeptReceiver, 'id'>) => ({
  name,
  kind,
  address: shownAddress,
  language,
  events,
  active,
})

type RefuseField = (
  field: 'address' | 'secret',
  messageKey: string,
  values?: Record<string, string | number>,
) => never

/** Receivers of one's own organisation: where it has notifications sent. */
export function createReceiverCalls(services: ReceiverServices): Call[] {
  const { senders, secrets, publicUrl } = services

  /** What is kept of an address that somebody typed. */
  function addressColumns(kind: ReceiverKind, typed: string, refuseField: RefuseField) {
    const sender = senders[kind]
    if (!sender) return refuseField('address', 'validation.noMailServer')
    const address = sender.readAddress(typed)
    if (address === undefined) return refuseField('address', notAnAddress[kind])
    return { sealedAddress: secrets.seal(address), shownAddress: sender.maskAddress(address) }
  }

  function assertMayHaveSecret(kind: ReceiverKind, secret: string | undefined, refuseField: RefuseField) {
    if (secret && !takesSecret(kind)) refuseField('secret', 'validation.secretNotTaken')
  }

  return [
    handleReading(listReceivers, async ({ db, caller, language }) => {
      const found = await findReceivers(db, caller().organisationId)
      const list = found.map((receiver) => ({
        ...receiver,
        failure: failureText(language, receiver.failure),
      }))
      return { list, total: list.length }
    }),

    handle(addReceiver, async ({ db, input, caller, refuseField, audit }) => {
      const { organisationId } = caller()
      const { name, kind, language, events } = input
      audit({ target: name })
      assertMayHaveSecret(kind, input.secret, refuseField)
      const secret = kind === 'webhook' ? newWebhookSecret() : input.secret
      const receiver = {
        name,
        kind,
        language,
        events: [...new Set(events)],
        ...addressColumns(kind, input.address, refuseField),
        sealedSecret: secret ? secrets.seal(secret) : null,
      }
      audit({ after: audited({ ...receiver, active: true }) })
      if ((await countReceiversLocked(db, organisationId)) >= receiverLimits.receivers)
        refuseField('name', 'validation.receiversTooMany', { max: receiverLimits.receivers })
      const id = await insertReceiver(db, organisationId, receiver)
      if (id === undefined) return refuseField('name', 'validation.receiverNameTaken')
      return { id, secret: kind === 'webhook' && secret ? secret : '' }
    }),

    handle(editReceiver, async ({ db, input, caller, refuse, refuseField, audit }) => {
      const before = await lockReceiver(db, caller().organisationId, input.receiverId)
      if (!before) return refuse('notFound')
      audit({ target: before.name, before: audited(before) })
      assertMayHaveSecret(before.kind, input.secret, refuseField)
      const { name, language, events, active } = keepUnchanged(input, {
        name: before.name,
        language: before.language,
        events: before.events,
        active: before.active,
      })
      const after: KeptReceiver = {
        ...before,
        name,
        language,
        events: [...new Set(events)],
        active,
        ...(input.address ? addressColumns(before.kind, input.address, refuseField) : {}),
        ...(input.secret ? { sealedSecret: secrets.seal(input.secret) } : {}),
      }
      // Behind the same mask another address looks the same, and a secret is not shown at all.
      audit({
        after: {
          ...audited(after),
          ...(input.address ? { addressChanged: true } : {}),
          ...(input.secret ? { secretChanged: true } : {}),
        },
      })
      if (!(await updateReceiver(db, after))) refuseField('name', 'validation.receiverNameTaken')
      // What could not be sent to the old address need not wait for its next try.
      await deliverSoon(db, after.id)
      return null
    }),

    handle(deleteReceiver, async ({ db, input: { receiverId }, caller, refuse, audit }) => {
      const before = await lockReceiver(db, caller().organisationId, receiverId)
      if (!before) return refuse('notFound')
      audit({ target: before.name, before: audited(before) })
      await deleteReceiverRow(db, receiverId)
      return null
    }),

    handleOutside(
      testReceiver,
      async ({ db, input: { receiverId }, caller, now, language, refuse, audit }) => {
        const receiver = await findReceiver(db, caller().organisationId, receiverId)
        if (!receiver) return refuse('notFound')
        const message = composeTest(receiver.language, receiver.name, publicUrl, now)
        const delivery = await senderTo(services, receiver)(message)
        await inTransaction(db, (trx) => storeDelivery(trx, receiverId, delivery))
        const answer = answerOf(delivery)
        audit({ target: receiver.name, after: { sent: delivery.outcome === 'sent', answer } })
        return { sent: delivery.outcome === 'sent', answer: failureText(language, answer) }
      },
    ),
  ]
}
