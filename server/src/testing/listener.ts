import type { Envelope } from '@chairside/contract'

/** Somebody who listens to a stream of events. */
export interface Listener {
  events: { event: string; data: unknown }[]
  hasEnded: boolean
  leave(): void
}

/**
 * Opens a stream of events, over the network.
 * @throws with the result code when it is refused
 */
export async function listenTo(url: string, token: string): Promise<Listener> {
  const leaving = new AbortController()
  const answer = await fetch(url, { headers: { 'x-access-token': token }, signal: leaving.signal })
  const { body } = answer
  if (!body || !answer.headers.get('content-type')?.includes('event-stream')) {
    const { resultCode } = (await answer.json()) as Envelope<unknown>
    throw new Error(resultCode)
  }
  const listener: Listener = { events: [], hasEnded: false, leave: () => leaving.abort() }
  const read = async () => {
    let rest = ''
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? []
        if (event && data) listener.events.push({ event, data: JSON.parse(data) })
      }
    }
  }
  void read()
    .catch(() => undefined)
    .finally(() => (listener.hasEnded = true))
  return listener
}
