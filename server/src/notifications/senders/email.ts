import { createTransport } from 'nodemailer'
import { z } from 'zod'
import { shown } from './answers.ts'
import { oneLine } from './message-text.ts'
import { timeoutMs } from './post.ts'
import type { Delivery, Message, Sender } from './sender.ts'
import { reasonOf } from './unreachable.ts'

const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const plainOf = ({ title, lines, link }: Message) =>
  [title, '', ...lines, '', `${link.text}: ${link.url}`, ''].join('\n')

const htmlOf = ({ title, lines, link }: Message) => `<!doctype html><html><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="font-family:sans-serif;line-height:1.5;max-width:40rem">
<h1 style="font-size:1.125rem">${escape(title)}</h1>
<p>${lines.map(escape).join('<br>\n')}</p>
<p><a href="${escape(link.url)}">${escape(link.text)}</a></p></body></html>`

/** What the mail server said, and to what. */
const SmtpRefusal = z.object({
  response: z.string(),
  responseCode: z.number(),
  command: z.string().optional(),
})

/** Other commands are about us, say our login: that is for the operator to mend, and not the receiver's fault. */
const commandsAboutReceivers = ['RCPT TO', 'DATA']

function judge(error: unknown): Delivery {
  const refusal = SmtpRefusal.safeParse(error).data
  if (!refusal) return { outcome: 'unreachable', reason: reasonOf(error) }
  const { response, responseCode, command = '' } = refusal
  const isPassing = responseCode < 500 || !commandsAboutReceivers.includes(command)
  return { outcome: 'refused', answer: shown(response, []), isPassing }
}

/** Mail through the operator's own server. */
export function createEmailSender({ url, from }: { url: string; from: string }): Sender {
  const transport = createTransport(url)
  const [, domain = ''] = /@([^>\s]+)/.exec(from) ?? []
  return {
    readAddress: (text) => z.email().safeParse(text.trim()).data,
    maskAddress: (address) => address.replace(/^(.).*@/, '$1****@'),
    async send(to, message, signal) {
      const title = oneLine(message.title)
      const written = { ...message, title, lines: message.lines.map(oneLine) }
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to.address },
          subject: title,
          text: plainOf(written),
          html: htmlOf(written),
          // The same at each attempt, so that a mail program shows one.
          messageId: `<${message.id}@${domain}>`,
          // Nobody's "I am away" answers it.
          headers: { 'auto-submitted': 'auto-generated' },
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        })
        return { outcome: 'sent' }
      } catch (error) {
        return judge(error)
      }
    },
  }
}
