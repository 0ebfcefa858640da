import { useAgent } from 'request-filtering-agent'
import { Webhook } from 'standardwebhooks'
import { isPassingStatus, shown } from './answers.ts'
import { post } from './post.ts'
import type { Delivery, Message, Sender } from './sender.ts'
import { reasonOf } from './unreachable.ts'

/**
 * Where clouds tell a machine its credentials. Nobody's webhook is there, also where private addresses are allowed. They are
 * compared as they are written: IPv4 in IPv6 in one way where it stands in a URL, in another where a name leads to it.
 */
const metadataAddresses = [
  '169.254.169.254',
  '100.100.100.200',
  '::ffff:a9fe:a9fe',
  '::ffff:6464:64c8',
  '::ffff:169.254.169.254',
  '::ffff:100.100.100.200',
  'fd00:ec2::254',
]

/** As https://www.standardwebhooks.com describes it. */
function signed(message: Message, secret: string | null) {
  const now = new Date()
  const { title, lines, link, events } = message
  const body = JSON.stringify({
    type: 'notification',
    timestamp: now.toISOString(),
    data: { title, lines, link, events },
  })
  const headers = {
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    ...(secret === null ? {} : { 'webhook-signature': new Webhook(secret).sign(message.id, now, body) }),
  }
  return { body, headers }
}

/** @param mayBePrivate whether it may lead into a private network, and by plain http */
export function createWebhookSender({ mayBePrivate }: { mayBePrivate: boolean }): Sender {
  const protocols = mayBePrivate ? ['https:', 'http:'] : ['https:']
  return {
    readAddress(text) {
      const url = URL.parse(text.trim())
      if (!url || !protocols.includes(url.protocol) || url.username || url.password) return undefined
      url.hash = ''
      return url.href
    },
    maskAddress: (address) => `${new URL(address).origin}/****`,
    async send(to, message, signal): Promise<Delivery> {
      // Looks at the address that is connected to, so that it does not matter what a name resolved to before.
      const agent = useAgent(to.address, {
        allowPrivateIPAddress: mayBePrivate,
        denyIPAddressList: metadataAddresses,
      })
      try {
        const { status, text } = await post({
          url: to.address,
          ...signed(message, to.secret),
          agent,
          signal,
        })
        if (status >= 200 && status < 300) return { outcome: 'sent' }
        const answer = shown(`HTTP ${status} ${text}`, [to.secret])
        return { outcome: 'refused', answer, isPassing: isPassingStatus(status) }
      } catch (error) {
        return { outcome: 'unreachable', reason: reasonOf(error) }
      }
    },
  }
}
