import { fit, inMarkdown, linkInMarkdown } from './message-text.ts'
import { maskKey, readKey, tellRobot } from './robot.ts'
import type { Message, Sender } from './sender.ts'

const usualUrl = 'https://qyapi.weixin.qq.com'
const path = '/cgi-bin/webhook/send'

const mostBytes = 4096
/** System busy; too many calls; too many at once. */
const passingCodes = [-1, 45009, 45033]

const write = ({ title, lines, link }: Message) =>
  [`**${inMarkdown(title)}**`, ...lines.map(inMarkdown), linkInMarkdown(link)].join('\n')

/** WeCom (企业微信) group robots. They have no signatures: who knows the key may send. */
export function createWeComSender(baseUrl: string): Sender {
  const origins = [usualUrl, new URL(baseUrl).origin]
  return {
    readAddress: (text) =>
      readKey(text, origins, ({ pathname, searchParams }) =>
        pathname === path ? searchParams.get('key') : undefined,
      ),
    maskAddress: maskKey,
    send(to, message, signal) {
      const content = fit(message, mostBytes, write)
      const body = JSON.stringify({ msgtype: 'markdown', markdown: { content } })
      return tellRobot({ url: `${baseUrl}${path}?key=${to.address}`, body, signal }, to, passingCodes)
    },
  }
}
