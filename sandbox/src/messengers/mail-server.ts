import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { callbackify } from 'node:util'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerAddress } from 'smtp-server'
import type { MessengerBook } from './book.ts'

export const mailLogin = { user: 'chairside', password: 'mail' }

const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

export interface MailServer {
  url: string
  stop(): Promise<void>
}

/** A mail server without TLS that knows every mailbox, and one login. */
export async function startMailServer(
  book: MessengerBook,
  { port, host }: { port: number; host: string },
): Promise<MailServer> {
  const take = callbackify(async (stream: Readable, receivers: readonly SMTPServerAddress[]) => {
    const source = await buffer(stream)
    const { subject, text } = await PostalMime.parse(source)
    for (const { address } of receivers)
      book.keep({
        messenger: 'email',
        robot: address,
        text: `${subject ?? ''}\n${text ?? ''}`,
        body: source.toString(),
      })
  })
  const server = new SMTPServer({
    logger: false,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth({ username, password }, _session, done) {
      const isRight = username === mailLogin.user && password === mailLogin.password
      if (isRight) done(null, { user: username })
      else done(refusal(535, '5.7.8 Error: authentication failed'))
    },
    onRcptTo({ address }, _session, done) {
      const fault = book.find('email', address)?.fault
      if (fault === 'silent') return
      if (fault === 'refuse') done(refusal(550, `5.1.1 <${address}>: Recipient address rejected`))
      else if (fault === 'busy') done(refusal(451, '4.7.1 Try again later'))
      else done()
    },
    onData(stream, { envelope: { rcptTo } }, done) {
      take(stream, rcptTo, (error) => done(error))
    },
  })
  // A mail that breaks off is nothing for its server to end for; that it cannot listen is heard below.
  server.on('error', () => undefined)
  const listening = server.listen(port, host)
  await once(listening, 'listening')
  const address = listening.address()
  const taken = typeof address === 'object' && address ? address.port : port
  return {
    url: `smtp://${mailLogin.user}:${mailLogin.password}@${host}:${taken}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
