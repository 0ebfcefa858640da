import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { isTooOften } from './book.ts'
import { isWithinAnHour, parse, type RobotRules } from './robot-rules.ts'

const Part = z.discriminatedUnion('tag', [
  z.object({ tag: z.literal('text'), text: z.string() }),
  z.object({ tag: z.literal('a'), text: z.string(), href: z.url() }),
])
const Post = z.object({ title: z.string(), content: z.array(z.array(Part).min(1)).min(1) })
const Signature = { timestamp: z.string().optional(), sign: z.string().optional() }
const Body = z.discriminatedUnion('msg_type', [
  z.object({ ...Signature, msg_type: z.literal('text'), content: z.object({ text: z.string() }) }),
  z.object({
    ...Signature,
    msg_type: z.literal('post'),
    content: z.object({ post: z.object({ zh_cn: Post }) }),
  }),
])

const mostInAMinute = 100
const mostBytes = 20 * 1024

const refusal = (code: number, msg: string, status = 200) => ({ status, json: { code, msg, data: {} } })
const busy = refusal(11232, 'frequency limited psm[lark.oapi.app_platform_runtime]appID[1500]')
const withoutKeyword = refusal(19024, 'Key Words Not Found')

function textOf(body: z.output<typeof Body>): string {
  if (body.msg_type === 'text') return body.content.text
  const { title, content } = body.content.post.zh_cn
  const lines = content.map((parts) =>
    parts.map((part) => (part.tag === 'a' ? `${part.text} ${part.href}` : part.text)).join(''),
  )
  return [title, ...lines].join('\n')
}

/** Feishu's custom bots: the signature stands in the body, and a bad request has a status of its own. */
export const feishu: RobotRules = {
  pathOf: (key) => `/open-apis/bot/v2/hook/${key}`,
  keyOf: ({ params }) => params['key'],
  unknown: refusal(19001, 'param invalid: incoming webhook access token invalid'),
  refused: withoutKeyword,
  busy,
  judge(robot, { body }) {
    const read = Buffer.byteLength(body) > mostBytes ? undefined : parse(Body, body)
    if (!read) return refusal(9499, 'Bad Request', 400)
    const { timestamp = '', sign } = read
    if (
      robot.secret !== null &&
      (!isWithinAnHour(Number(timestamp) * 1000) ||
        sign !== createHmac('sha256', `${timestamp}\n${robot.secret}`).digest('base64'))
    )
      return refusal(19021, 'sign match fail or timestamp is not within one hour from current time')
    if (isTooOften(robot, mostInAMinute)) return busy
    const text = textOf(read)
    if (robot.keyword !== null && !text.includes(robot.keyword)) return withoutKeyword
    return { json: { StatusCode: 0, StatusMessage: 'success', code: 0, data: {}, msg: 'success' }, text }
  },
}
