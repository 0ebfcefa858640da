import type { OrderCause } from '@chairside/contract'

/**
 * The keys by which there may be words for what the server says in a story: `the chair ended` has
 * `console.story.theChairEnded`, and a chair's reason those of devices.
 */
export function wordKeys(phrase: string): [story: string, reason: string] {
  const [first = '', ...rest] = phrase.toLowerCase().match(/[a-z]+/g) ?? []
  const name = first + rest.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
  return [`console.story.${name}`, `devices.boardReason.${phrase}`]
}

const between = ' · '

/** What the server says in one go, in the parts that have words of their own: a cause, its details, a reason. */
export const partsOf = (phrase: string): string[] =>
  phrase.split(between).flatMap((part) => {
    // As the server writes what it refused, and wrote why a chair did.
    const [, refused, reason = ''] = /^(refused|the chair refused): (.*)$/.exec(part) ?? []
    if (refused !== undefined) return reason === 'no reason' ? [refused] : [refused, reason]
    // A provider's code, with its words or ours.
    const [, code, words = ''] = /^([A-Z][A-Z\d_]+) (.+)$/s.exec(part) ?? []
    return code === undefined ? [part] : [code, words]
  })

/** Causes after which somebody's own words may stand. */
const remarked: ReadonlySet<string> = new Set<OrderCause>([
  'refund applied',
  'refund approved',
  'refund approved, offline',
  'refund refused',
])

/** The detail of a step: what the server says, in parts, and what somebody wrote, whole. */
export function readDetail(detail: string): { said: string[]; written: string } {
  const [cause = '', ...rest] = detail.split(between)
  return remarked.has(cause)
    ? { said: [cause], written: rest.join(between) }
    : { said: partsOf(detail), written: '' }
}

/** How much of a use was had, of `300/900 s`. */
export function readDelivered(part: string): { delivered: string; bought: string } | undefined {
  const [, delivered, bought] = /^(\d+)\/(\d+) s$/.exec(part) ?? []
  return delivered === undefined || bought === undefined ? undefined : { delivered, bought }
}
