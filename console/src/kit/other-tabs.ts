import type { SessionUser } from '@chairside/contract'
import { hasSignedIn, readToken, readUser, storeSession, storeToken } from './session.ts'

/*
 * A tab that was opened beside one that is signed in takes its session over, since each tab has a session storage of its
 * own (spec 1 §7). What is said here is heard by the tabs of this browser alone.
 */

interface Offer {
  kind: 'offered'
  to: string
  token: string
  user: SessionUser
  seenAt: number
}
type Message = { kind: 'wanted'; by: string } | Offer | { kind: 'renewed'; from: string; to: string }

/** How long the others have to answer where somebody has signed in before; a tab in the background is in no hurry. */
const patienceMs = 1000
/** How long after the first offer others may come. */
const othersMs = 50

const channel = new BroadcastChannel('session')
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
  if (!hasSignedIn()) return
  // Over plain HTTP browsers make no UUIDs.
  const by = String(Math.random())
  const best = await new Promise<Offer | undefined>((resolve) => {
    let best: Offer | undefined
    const end = () => {
      channel.removeEventListener('message', listen)
      resolve(best)
    }
    const listen = ({ data }: MessageEvent<Message>) => {
      if (data.kind !== 'offered' || data.to !== by) return
      if (!best) setTimeout(end, othersMs)
      if (data.seenAt > (best?.seenAt ?? 0)) best = data
    }
    channel.addEventListener('message', listen)
    setTimeout(end, patienceMs)
    say({ kind: 'wanted', by })
  })
  if (best && !readToken()) storeSession({ ...best.user, token: best.token })
}
