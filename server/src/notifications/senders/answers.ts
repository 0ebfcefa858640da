import { oneLine } from './message-text.ts'

const mostShown = 300

/** What the other side said, to be shown to people: short, and without what it may have repeated of our secrets. */
export function shown(said: string, secrets: readonly (string | null)[]): string {
  const text = secrets.reduce<string>(
    (rest, secret) => (secret ? rest.replaceAll(secret, '****') : rest),
    oneLine(said),
  )
  return text.length > mostShown ? `${text.slice(0, mostShown - 1)}…` : text
}

/** HTTP's own words for "later". */
export const isPassingStatus = (status: number) => status >= 500 || [408, 425, 429].includes(status)
