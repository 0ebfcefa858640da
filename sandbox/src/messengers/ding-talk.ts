import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { isTooOften, type Robot } from './book.ts'
import { isWithinAnHour, parse, type RobotRequest, type RobotRules } from './robot-rules.ts'

const filled = z.string().min(1)
const Body = z.discriminatedUnion('msgtype', [
  z.object({ msgtype: z.literal('text'), text: z.object({ content: filled }) }),
  z.object({ msgtype: z.literal('markdown'), markdown: z.object({ title: filled, text: filled }) }),
])

const mostInAMinute = 20
const mostBytes = 20_000

const refusal = (errcode: number, errmsg: string) => ({ json: { errcode, errmsg } })
const busy = refusal(130101, 'send too fast, exceed 20 times per minute')
const withoutKeyword = refusal(
  310000,
  'keywords not in content, more: [https://open.dingtalk.com/document/robots/customize-robot-security-settings]',
)

/** By a secret, the query says when, and that the sender knows it. */
function signatureRefusal({ secret }: Robot, { query }: RobotRequest) {
  if (secret === null) return undefined
  const { timestamp = '', sign = '' } = query
  if (!isWithinAnHour(Number(timestamp))) return refusal(310000, 'invalid timestamp')
  const right = createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64')
  return sign === right ? undefined : refusal(310000, 'sign not match')
}

/** DingTalk's robots: a token, and by choice a keyword or signatures. */
export const dingTalk: RobotRules = {
  pathOf: (key) => `/robot/send?access_token=${key}`,
  keyOf: ({ query }) => query['access_token'],
  unknown: refusal(300005, 'token is not exist'),
  refused: withoutKeyword,
  busy,
  judge(robot, request) {
    const wrong = signatureRefusal(robot, request)
    if (wrong) return wrong
    if (isTooOften(robot, mostInAMinute)) return busy
    if (Buffer.byteLength(request.body) > mostBytes)
      return refusal(460101, 'message too long, exceed 20000 bytes')
    const read = parse(Body, request.body)
    if (!read) return refusal(400105, 'unsupported msgtype')
    const text = read.msgtype === 'text' ? read.text.content : `${read.markdown.title}\n${read.markdown.text}`
    if (robot.keyword !== null && !text.includes(robot.keyword)) return withoutKeyword
    return { json: { errcode: 0, errmsg: 'ok' }, text }
  },
}
