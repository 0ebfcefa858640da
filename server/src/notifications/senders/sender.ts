import type { ReceiverKind, UnreachableReason } from '@chairside/contract'

/** What is said, in the receiver's language; every kind shows it its own way. */
export interface Message {
  /** The same for each attempt, so that who hears it twice can tell. */
  id: string
  title: string
  lines: readonly string[]
  link: { text: string; url: string }
  /** What it is about, for programs. */
  events: readonly { type: string; at: string; data: Record<string, unknown> }[]
}

/** Where to: `address` as `readAddress` gave it. */
export interface Destination {
  address: string
  secret: string | null
}

/** What became of an attempt. `answer` is what the other side said; it may be shown to people, and holds no secret of ours. */
export type Delivery =
  | { outcome: 'sent' }
  /** `isPassing`: the same message may be taken later. */
  | { outcome: 'refused'; answer: string; isPassing: boolean }
  | { outcome: 'unreachable'; reason: UnreachableReason }

export interface Sender {
  /**
   * @param text what somebody pasted: the robot's whole URL or its key alone; an e-mail address; an https URL
   * @returns the address as it is kept; undefined when it is none of this kind
   */
  readAddress(text: string): string | undefined
  /** What may be shown of it. */
  maskAddress(address: string): string
  send(to: Destination, message: Message, signal: AbortSignal): Promise<Delivery>
}

/** `email` is undefined while no mail server is set. */
export type Senders = Readonly<Record<ReceiverKind, Sender | undefined>>
