/**
 * The keys by which there may be words for what the server says in a story: `the chair ended` has
 * `console.story.theChairEnded`, and a chair's reason those of devices.
 */
export function wordKeys(phrase: string): [story: string, reason: string] {
  const [first = '', ...rest] = phrase.toLowerCase().match(/[a-z]+/g) ?? []
  const name = first + rest.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
  return [`console.story.${name}`, `devices.boardReason.${phrase}`]
}

/** What the server says in one go, in the parts that have words of their own: a cause, its details, a reason. */
export const partsOf = (phrase: string): string[] =>
  phrase.split(' · ').flatMap((part) => {
    // As the server writes what it refused, and wrote why a chair did.
    const [, refused, reason = ''] = /^(refused|the chair refused): (.*)$/.exec(part) ?? []
    if (refused === undefined) return [part]
    return reason === 'no reason' ? [refused] : [refused, reason]
  })
