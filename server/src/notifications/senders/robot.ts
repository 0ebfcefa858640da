import { z } from 'zod'
import { shown } from './answers.ts'
import { post, type Answer, type Post } from './post.ts'
import type { Delivery, Destination } from './sender.ts'
import { reasonOf } from './unreachable.ts'

const robotKey = /^[\w-]{16,128}$/

/**
 * The key of a robot, from its whole URL or by itself.
 * @param origins of the URLs that are of this kind
 * @param keyIn where the key stands in such a URL
 */
export function readKey(
  pasted: string,
  origins: readonly string[],
  keyIn: (url: URL) => string | null | undefined,
): string | undefined {
  const text = pasted.trim()
  const url = URL.parse(text)
  const key = url ? (origins.includes(url.origin) ? keyIn(url) : undefined) : text
  return key && robotKey.test(key) ? key : undefined
}

export const maskKey = (key: string) => `****${key.slice(-4)}`

/** WeCom and DingTalk say `errcode`, Feishu `code`. */
const RobotAnswer = z.union([
  z
    .object({ errcode: z.number(), errmsg: z.string().default('') })
    .transform(({ errcode, errmsg }) => ({ code: errcode, said: errmsg })),
  z
    .object({ code: z.number(), msg: z.string().default('') })
    .transform(({ code, msg }) => ({ code, said: msg })),
])

function readAnswer(text: string) {
  try {
    return RobotAnswer.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** They have had several codes for it over the years. */
const laterWords = /too (fast|many)|freq|busy|太快|频繁|限流|繁忙/i

/** What a robot made of a message: its body says so, whatever the status. */
function judge({ status, text }: Answer, passingCodes: readonly number[], to: Destination): Delivery {
  const answer = readAnswer(text)
  // Not the robot's own words: something before it, which may let the next one through.
  if (!answer) return { outcome: 'refused', answer: `HTTP ${status}`, isPassing: true }
  const { code, said } = answer
  if (code === 0) return { outcome: 'sent' }
  return {
    outcome: 'refused',
    answer: shown(`${code} ${said}`, [to.address, to.secret]),
    isPassing: passingCodes.includes(code) || laterWords.test(said),
  }
}

/** @param passingCodes by which a robot says "later" */
export async function tellRobot(
  request: Post,
  to: Destination,
  passingCodes: readonly number[],
): Promise<Delivery> {
  try {
    return judge(await post(request), passingCodes, to)
  } catch (error) {
    return { outcome: 'unreachable', reason: reasonOf(error) }
  }
}
