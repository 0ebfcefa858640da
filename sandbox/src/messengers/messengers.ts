import Fastify from 'fastify'
import { openBook, type Fault, type Messenger, type ReceivedMessage, type RobotToAdd } from './book.ts'
import { dingTalk } from './ding-talk.ts'
import { feishu } from './feishu.ts'
import { startMailServer } from './mail-server.ts'
import { messagesPage } from './messages-page.ts'
import { mountRobots, type RobotRules } from './robot-rules.ts'
import { weCom } from './we-com.ts'
import { webhookReceiver } from './webhook-receiver.ts'

export interface Messengers {
  urls: {
    /** The page with what arrived; also what the addresses of all robots begin with. */
    http: string
    /** With name and password. */
    smtp: string
  }
  /** What arrived, the newest last; not what was refused. */
  messages: readonly ReceivedMessage[]
  /**
   * Makes a robot that can be written to. A mailbox takes mail without, but only one that was made has faults.
   * @returns what somebody copies to be written to: its whole URL, or the mail address
   */
  addRobot(messenger: Messenger, robot: RobotToAdd): string
  /** Makes a robot or mailbox refuse, be busy or be silent; null makes it well. */
  setFault(messenger: Messenger, key: string, fault: Fault | null): void
  stop(): Promise<void>
}

export interface MessengersOptions {
  httpPort: number
  smtpPort: number
  host?: string
}

const rules: Record<Exclude<Messenger, 'email'>, RobotRules> = {
  weCom,
  dingTalk,
  feishu,
  webhook: webhookReceiver,
}
const kinds = ['weCom', 'dingTalk', 'feishu', 'webhook'] as const

/** Plays WeCom, DingTalk and Feishu, somebody's webhooks and a mail server: their formats, checks and answers. */
export async function startMessengers({
  httpPort,
  smtpPort,
  host = '127.0.0.1',
}: MessengersOptions): Promise<Messengers> {
  const book = openBook()
  const app = Fastify({ logger: false, forceCloseConnections: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  for (const messenger of kinds) mountRobots(app, book, messenger, rules[messenger])
  app.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(messagesPage(book.messages)))

  const http = await app.listen({ port: httpPort, host })
  const mail = await startMailServer(book, { port: smtpPort, host })

  return {
    urls: { http, smtp: mail.url },
    messages: book.messages,
    addRobot(messenger, robot) {
      const { key } = book.addRobot(messenger, robot)
      return messenger === 'email' ? key : http + rules[messenger].pathOf(key)
    },
    setFault(messenger, key, fault) {
      const robot = book.find(messenger, key)
      if (!robot) throw new Error(`${messenger} has no robot ${key}`)
      robot.fault = fault
    },
    async stop() {
      await app.close()
      await mail.stop()
    },
  }
}
