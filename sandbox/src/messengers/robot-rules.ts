import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Messenger, MessengerBook, Robot } from './book.ts'

export interface RobotRequest {
  query: Record<string, string>
  params: Record<string, string>
  headers: Record<string, string>
  body: string
}

interface Verdict {
  status?: number
  json?: object
  /** What a reader sees, when the message is taken. */
  text?: string
}

/** How robots of one kind are asked, and what they say. */
export interface RobotRules {
  /** What its URL has after the host. */
  pathOf(key: string): string
  keyOf(request: RobotRequest): string | undefined
  unknown: Verdict
  /** When it is made to refuse, or to be busy. */
  refused: Verdict
  busy: Verdict
  judge(robot: Robot, request: RobotRequest): Verdict
}

const anHourMs = 3_600_000
export const isWithinAnHour = (ms: number) => Math.abs(Date.now() - ms) <= anHourMs

/** @returns undefined when it is not JSON of this form */
export function parse<Wire>(schema: z.ZodType<Wire>, body: string): Wire | undefined {
  try {
    return schema.safeParse(JSON.parse(body)).data
  } catch {
    return undefined
  }
}

const Texts = z.record(z.string(), z.string()).catch({})

const read = ({ query, params, headers, body }: FastifyRequest): RobotRequest => ({
  query: Texts.parse(query),
  params: Texts.parse(params),
  headers: Texts.parse(headers),
  body: typeof body === 'string' ? body : '',
})

/** Opens the door of robots of this kind. */
export function mountRobots(
  app: FastifyInstance,
  book: MessengerBook,
  messenger: Messenger,
  rules: RobotRules,
): void {
  const [path = ''] = rules.pathOf(':key').split('?')
  app.post(path, (fastifyRequest, reply) => {
    const request = read(fastifyRequest)
    const robot = book.find(messenger, rules.keyOf(request) ?? '')
    if (robot?.fault === 'silent') return reply.hijack()
    const { status = 200, json, text } = verdictOn(robot, request)
    if (robot && text !== undefined) book.keep({ messenger, robot: robot.key, text, body: request.body })
    return reply.status(status).send(json)
  })

  function verdictOn(robot: Robot | undefined, request: RobotRequest): Verdict {
    if (!robot) return rules.unknown
    if (robot.fault) return robot.fault === 'busy' ? rules.busy : rules.refused
    return rules.judge(robot, request)
  }
}
