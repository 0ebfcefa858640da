import { createHmac } from 'node:crypto'
import { fit } from './message-text.ts'
import { maskKey, readKey, tellRobot } from './robot.ts'
import type { Message, Sender } from './sender.ts'

const usualUrl = 'https://open.feishu.cn'
const path = '/open-apis/bot/v2/hook/'

/** The same house outside China, with robots of its own. */
const larkUrl = 'https://open.larksuite.com'
const larkMark = 'lark:'

const mostBytes = 20_000
/** Limited; its other code for that, 9499, is told from a bad request by its words. */
const passingCodes = [11232]

/** The secret is in the key, and nothing is signed by it. */
function sign(secret: string) {
  const timestamp = String(Math.floor(Date.now() / 1000))
  return { timestamp, sign: createHmac('sha256', `${timestamp}\n${secret}`).digest('base64') }
}

/** Its texts are texts: nothing in them is read as Markdown. */
const contentOf = ({ title, lines, link }: Message) => ({
  post: {
    // Shown in whatever language the reader uses, since there is no other.
    zh_cn: {
      title,
      content: [
        ...lines.map((text) => [{ tag: 'text', text }]),
        [{ tag: 'a', text: link.text, href: link.url }],
      ],
    },
  },
})

const keyIn = ({ pathname }: URL) => (pathname.startsWith(path) ? pathname.slice(path.length) : undefined)

/** Feishu (飞书) and Lark custom bots, with the secret of those that ask for signatures (签名校验). */
export function createFeishuSender(baseUrl: string): Sender {
  const origins = [usualUrl, new URL(baseUrl).origin]
  return {
    readAddress(text) {
      const larkKey = URL.canParse(text.trim()) ? readKey(text, [larkUrl], keyIn) : undefined
      return larkKey ? larkMark + larkKey : readKey(text, origins, keyIn)
    },
    maskAddress: maskKey,
    send(to, message, signal) {
      const url = to.address.startsWith(larkMark)
        ? `${larkUrl}${path}${to.address.slice(larkMark.length)}`
        : `${baseUrl}${path}${to.address}`
      const signature = to.secret === null ? {} : sign(to.secret)
      const body = fit(message, mostBytes, (shortened) =>
        JSON.stringify({ ...signature, msg_type: 'post', content: contentOf(shortened) }),
      )
      return tellRobot({ url, body, signal }, to, passingCodes)
    },
  }
}
