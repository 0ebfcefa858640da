import type { SessionUser } from '@chairside/contract'
import { readToken, readUser, storeSession, storeToken } from './session.ts'

/*
 * A tab that was opened beside one that is signed in takes its session over, since each tab has a session storage of its
 * own (spec 1 §7). What is said here is heard by the tabs of this browser alone.
 */

type Message =
  | { kind: 'wanted'; by: string }
  | { kind: 'offered'; to: string; token: string; user: SessionUser; seenAt: number }
  | { kind: 'renewed'; from: string; to: string }

/** How long the others have to answer; whoever must sign in waits as long before the form comes. */
const patienceMs = 200

const channel = new BroadcastChannel('session')
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- of a window's; a channel has its own origin only
const say = (message: Message) => channel.postMessage(message)

let seenAt = Date.now()
const see = () => {
  if (document.visibilityState === 'visible') seenAt = Date.now()
}

/** Offers the session of this tab to those that ask, and takes part when its token is renewed by another one. */
export function joinOtherTabs(): void {
  document.addEventListener('visibilitychange', see)
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const token = readToken()
    const user = readUser()
    if (data.kind === 'renewed' && data.from === token) storeToken(data.to)
    if (data.kind !== 'wanted' || !token || !user) return
    see()
    say({ kind: 'offered', to: data.by, token, user, seenAt })
  })
}

/** Tells the tabs that share a token which one has taken its place: it will not work much longer. */
export const tellRenewal = (from: string, to: string): void => say({ kind: 'renewed', from, to })

/** Takes over the session of the tab that was looked at last, if any is signed in. */
export async function takeSessionOver(): Promise<void> {
  // Over plain HTTP browsers make no UUIDs.
  const by = String(Math.random())
  let best: Extract<Message, { kind: 'offered' }> | undefined
  const listen = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'offered' && data.to === by && data.seenAt > (best?.seenAt ?? 0)) best = data
  }
  channel.addEventListener('message', listen)
  say({ kind: 'wanted', by })
  await new Promise((resolve) => setTimeout(resolve, patienceMs))
  channel.removeEventListener('message', listen)
  if (best && !readToken()) storeSession({ ...best.user, token: best.token })
}
