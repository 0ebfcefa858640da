import { createHmac } from 'node:crypto'
import { fit, inMarkdown, linkInMarkdown } from './message-text.ts'
import { maskKey, readKey, tellRobot } from './robot.ts'
import type { Message, Sender } from './sender.ts'

const usualUrl = 'https://oapi.dingtalk.com'
const path = '/robot/send'

const mostBytes = 20_000
/** System busy; more than 20 in a minute, by its two codes. */
const passingCodes = [-1, 130101, 410100]

/** A line of its own needs an empty one before it. */
const write = ({ title, lines, link }: Message) =>
  JSON.stringify({
    msgtype: 'markdown',
    markdown: {
      // Shown by the phone before the message is opened.
      title,
      text: [`### ${inMarkdown(title)}`, ...lines.map(inMarkdown), linkInMarkdown(link)].join('\n\n'),
    },
  })

function sign(secret: string): Record<string, string> {
  const timestamp = String(Date.now())
  return { timestamp, sign: createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64') }
}

/** DingTalk (钉钉) group robots, with the secret of those that ask for signatures (加签). */
export function createDingTalkSender(baseUrl: string): Sender {
  const origins = [usualUrl, new URL(baseUrl).origin]
  return {
    readAddress: (text) =>
      readKey(text, origins, ({ pathname, searchParams }) =>
        pathname === path ? searchParams.get('access_token') : undefined,
      ),
    maskAddress: maskKey,
    send(to, message, signal) {
      const query = new URLSearchParams({
        access_token: to.address,
        ...(to.secret === null ? {} : sign(to.secret)),
      })
      const body = fit(message, mostBytes, write)
      return tellRobot({ url: `${baseUrl}${path}?${query}`, body, signal }, to, passingCodes)
    },
  }
}
