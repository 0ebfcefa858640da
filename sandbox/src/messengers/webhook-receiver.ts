import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { parse, type RobotRules } from './robot-rules.ts'

const Body = z.object({
  type: z.string(),
  timestamp: z.iso.datetime(),
  data: z.object({
    title: z.string(),
    lines: z.array(z.string()),
    link: z.object({ text: z.string(), url: z.url() }),
    events: z.array(z.object({ type: z.string(), at: z.string(), data: z.record(z.string(), z.unknown()) })),
  }),
})

const refusal = (status: number, message: string) => ({ status, json: { message } })

/** Somebody's own program, which believes what is signed with its secret (Standard Webhooks). */
export const webhookReceiver: RobotRules = {
  pathOf: (key) => `/webhooks/${key}`,
  keyOf: ({ params }) => params['key'],
  unknown: refusal(404, 'no such webhook'),
  refused: refusal(410, 'this webhook is gone'),
  busy: refusal(503, 'come back later'),
  judge({ secret }, { body, headers }) {
    try {
      if (secret !== null) new Webhook(secret).verify(body, headers)
    } catch (error) {
      return refusal(401, error instanceof Error ? error.message : String(error))
    }
    const read = parse(Body, body)
    if (!read) return refusal(400, 'not a notification')
    const { title, lines, link } = read.data
    return { status: 204, text: [title, ...lines, `${link.text} ${link.url}`].join('\n') }
  },
}
