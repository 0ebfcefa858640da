import { z } from 'zod'
import { isTooOften } from './book.ts'
import { parse, type RobotRules } from './robot-rules.ts'

const Body = z.discriminatedUnion('msgtype', [
  z.object({ msgtype: z.literal('text'), text: z.object({ content: z.string() }) }),
  z.object({ msgtype: z.literal('markdown'), markdown: z.object({ content: z.string() }) }),
])

const mostInAMinute = 20

const refusal = (errcode: number, errmsg: string) => ({
  json: {
    errcode,
    errmsg: `${errmsg}, hint: [1763000000000000000], from ip: 127.0.0.1, more info at https://open.work.weixin.qq.com/devtool/query?e=${errcode}`,
  },
})
const busy = refusal(45009, 'api freq out of limit')

/** WeCom's group robots: known by the key alone, with limits in bytes. */
export const weCom: RobotRules = {
  pathOf: (key) => `/cgi-bin/webhook/send?key=${key}`,
  keyOf: ({ query }) => query['key'],
  unknown: refusal(93000, 'invalid webhook url'),
  refused: refusal(93017, 'robot is not in the group'),
  busy,
  judge(robot, { body }) {
    if (isTooOften(robot, mostInAMinute)) return busy
    const read = parse(Body, body)
    if (!read) return refusal(40008, 'invalid message type')
    const [name, content, most] =
      read.msgtype === 'text'
        ? (['text', read.text.content, 2048] as const)
        : (['markdown', read.markdown.content, 4096] as const)
    if (content === '') return refusal(44004, 'text content is empty')
    if (Buffer.byteLength(content) > most)
      return refusal(40058, `${name}.content exceed max length ${most}. invalid Request Parameter`)
    return { json: { errcode: 0, errmsg: 'ok' }, text: content }
  },
}
