import type { Endpoint, InputOf } from '@chairside/contract'
import { CallError, networkFailureCode, readEnvelope, requestOf, send } from './call.ts'

/*
 * Listening to a call that answers server-sent events. The token travels in a header, which the browser's own EventSource
 * cannot send.
 */

export interface Listening {
  onEvent(event: string, data: unknown): void
  /** Whether the stream is connected; while it is not, it is tried again by itself. */
  onLine(isOpen: boolean): void
}

/** The server says a word every quarter of a minute; a line that is silent for longer than two of them is broken. */
const silenceMs = 40_000
const pauseMs = { shortest: 1000, longest: 60_000 }
/** Refusals that pass: lost on the way, too many streams at once, the server's own trouble. */
const passing: ReadonlySet<string> = new Set([networkFailureCode, '107', '199'])

/** Listens until the answer is called. A lost line is taken up again after pauses that grow. */
export function listen<E extends Endpoint>(endpoint: E, input: InputOf<E>, listening: Listening): () => void {
  const leaving = new AbortController()
  void listenOn(requestOf(endpoint, input).url, listening, leaving.signal)
  return () => leaving.abort()
}

async function listenOn(url: string, listening: Listening, left: AbortSignal): Promise<void> {
  let failures = 0
  while (!left.aborted) {
    let wasHeard = false
    const heard = () => {
      if (!wasHeard) listening.onLine(true)
      wasHeard = true
    }
    try {
      await listenOnce(url, { ...listening, heard }, left)
    } catch (error) {
      if (error instanceof CallError && !passing.has(error.code)) return
    }
    if (left.aborted) return
    listening.onLine(false)
    failures = wasHeard ? 0 : failures + 1
    await pause(Math.min(pauseMs.longest, pauseMs.shortest * 2 ** failures) * (0.5 + Math.random()), left)
  }
}

/** Ends when the server ends the stream, and throws when the line breaks. */
async function listenOnce(
  url: string,
  listening: Listening & { heard: () => void },
  left: AbortSignal,
): Promise<void> {
  const over = new AbortController()
  const end = () => over.abort()
  left.addEventListener('abort', end)
  let watch = setTimeout(end, silenceMs)
  try {
    const response = await send(url, { accept: 'text/event-stream', signal: over.signal })
    const { body, headers } = response
    if (!body || !headers.get('content-type')?.includes('event-stream'))
      return await readEnvelope<never>(response)
    let rest = ''
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      clearTimeout(watch)
      watch = setTimeout(end, silenceMs)
      listening.heard()
      const blocks = (rest + chunk.value).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) tell(block, listening)
    }
  } finally {
    clearTimeout(watch)
    left.removeEventListener('abort', end)
  }
}

function tell(block: string, listening: Listening): void {
  const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? []
  if (event && data) listening.onEvent(event, JSON.parse(data))
}

function pause(ms: number, left: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    left.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
