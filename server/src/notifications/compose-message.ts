import { formatYuan, type NotificationEventType } from '@chairside/contract'
import type { Language } from '@chairside/contract/locales/languages'
import { codeInWords, translate } from '@chairside/contract/locales/texts'
import type { WaitingNotification } from './notifications-sql.ts'
import type { Message } from './senders/sender.ts'

/** Events of one message that are told in a line each; of the others it says how many they are. */
const mostLines = 20

type Say = (key: string, values?: Record<string, string | number>) => string
const sayerOf =
  (language: Language): Say =>
  (key, values) =>
    translate(language, key, values)

type Notification = Pick<WaitingNotification, 'merchantName' | 'event'>

const refundTypes: readonly NotificationEventType[] = ['refundApplied', 'refundDecided', 'refundFailed']

/** What an event is, in one line. */
function lineOf(language: Language, { event, merchantName }: Notification): string {
  const say = sayerOf(language)
  switch (event.type) {
    case 'alertRaised':
    case 'alertCleared': {
      const { kind, deviceId, deviceName, placeAddress, code, devices, placeDevices } = event.told
      return say(`notifications.line.${event.type}`, {
        alert: say(`alerts.kind.${kind}`),
        what: deviceId
          ? [deviceId, deviceName, placeAddress].filter((part) => part !== '').join(' · ')
          : `${say('notifications.devicesOfPlace', { devices, placeDevices })} · ${placeAddress}`,
        why: kind === 'trouble' && code ? ` · ${codeInWords(language, 'alerts.trouble', code)}` : '',
        merchantName,
      })
    }
    case 'refundApplied':
    case 'refundFailed':
    case 'refundDecided': {
      const { orderId, amountCents } = event.told
      const key = event.type === 'refundDecided' ? event.told.decision : event.type
      return say(`notifications.line.${key}`, { amount: formatYuan(amountCents), orderId, merchantName })
    }
  }
}

/** The screen where what a message is about is dealt with. */
function addressOf(notifications: readonly Notification[]): string {
  const [first, ...others] = notifications
  const types = new Set(notifications.map(({ event }) => event.type))
  const isRefund = [...types].every((type) => refundTypes.includes(type))
  const isAlert = ![...types].some((type) => refundTypes.includes(type))
  if (isRefund && others.length === 0 && first && 'orderId' in first.event.told)
    return `/refunds?orderid=${encodeURIComponent(first.event.told.orderId)}`
  if (isRefund) return '/refunds'
  if (!isAlert) return '/'
  if (others.length === 0 && first && 'deviceId' in first.event.told && first.event.told.deviceId)
    return `/alerts?state=all&deviceid=${encodeURIComponent(first.event.told.deviceId)}`
  return types.has('alertCleared') ? '/alerts?state=all' : '/alerts'
}

function titleOf(say: Say, notifications: readonly Notification[]): string {
  const [first] = notifications
  return first && notifications.length === 1
    ? say(`notifications.events.${first.event.type}`)
    : say('notifications.several', { count: notifications.length })
}

/** What is told of some events, in one message. */
export function composeMessage(
  language: Language,
  waiting: readonly WaitingNotification[],
  publicUrl: string,
): Message {
  const say = sayerOf(language)
  const lines = waiting.slice(0, mostLines).map((notification) => lineOf(language, notification))
  if (waiting.length > mostLines) lines.push(say('notifications.more', { count: waiting.length - mostLines }))
  return {
    // Sent again with more than the first time, it is another message.
    id: `${waiting[0]?.id}-${waiting.at(-1)?.id}`,
    title: titleOf(say, waiting),
    lines,
    link: { text: say('notifications.open'), url: publicUrl + addressOf(waiting) },
    events: waiting.map(({ at, merchantName, event }) => ({
      type: event.type,
      at: at.toISOString(),
      data: { merchantName, ...event.told },
    })),
  }
}

/** A message that says nothing but that it arrives. */
export function composeTest(language: Language, receiver: string, publicUrl: string, now: Date): Message {
  const say = sayerOf(language)
  return {
    id: `test-${now.getTime()}`,
    title: say('notifications.test.title'),
    lines: [say('notifications.test.line', { receiver })],
    link: { text: say('notifications.open'), url: `${publicUrl}/notifications` },
    events: [],
  }
}
