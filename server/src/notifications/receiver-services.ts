import { unreachableReasons } from '@chairside/contract'
import type { Language } from '@chairside/contract/locales/languages'
import { translate } from '@chairside/contract/locales/texts'
import type { SecretBox } from '../kit/secrets.ts'
import type { Database } from '../kit/database.ts'
import { findOpenReceiver, noteFailure, noteSent, type KeptReceiver } from './receivers-sql.ts'
import type { Delivery, Message, Senders } from './senders/sender.ts'

/** What sending takes. */
export interface ReceiverServices {
  senders: Senders
  secrets: SecretBox
  /** Where the console is, for the links of messages. */
  publicUrl: string
}

/** A send gives up by itself before that. */
const longestSendMs = 15_000

/**
 * How a message is sent to a receiver.
 * @throws WrongKeyError when its address was sealed with a key that is not held any more
 */
export function senderTo(
  { senders, secrets }: ReceiverServices,
  { kind, sealedAddress, sealedSecret }: KeptReceiver,
): (message: Message) => Promise<Delivery> {
  const sender = senders[kind]
  if (!sender) return async () => ({ outcome: 'unreachable', reason: 'no mail server is set' })
  return async (message) => {
    const to = {
      address: secrets.open(sealedAddress),
      secret: sealedSecret && secrets.open(sealedSecret),
    }
    return sender.send(to, message, AbortSignal.timeout(longestSendMs))
  }
}

/** A receiver that is open, and how it is sent to. */
export async function findDestination(
  db: Database,
  services: ReceiverServices,
  receiverId: number,
): Promise<{ receiver: KeptReceiver; send: (message: Message) => Promise<Delivery> } | undefined> {
  const receiver = await findOpenReceiver(db, receiverId)
  return receiver && { receiver, send: senderTo(services, receiver) }
}

/** Why a message has not arrived, for people: a reason of ours in their language, else the words of the other side. */
export const failureText = (language: Language, failure: string): string =>
  unreachableReasons.some((reason) => reason === failure)
    ? translate(language, `notifications.unreachable.${failure}`)
    : failure

/** What the other side said of a message, or why it was not reached; empty when it took it. */
export function answerOf(delivery: Delivery): string {
  switch (delivery.outcome) {
    case 'sent':
      return ''
    case 'refused':
      return delivery.answer
    case 'unreachable':
      return delivery.reason
  }
}

/**
 * Notes how the last message to a receiver went.
 * @returns how often in a row it had failed before
 */
export async function storeDelivery(trx: Database, receiverId: number, delivery: Delivery): Promise<number> {
  if (delivery.outcome !== 'sent') return noteFailure(trx, receiverId, answerOf(delivery))
  await noteSent(trx, receiverId)
  return 0
}
