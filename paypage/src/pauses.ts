const longestMs = 20_000

/**
 * How long to wait before the next look: twice as long after each failure, and never quite as long as another phone
 * behind the same address waits, so that they do not all come back at once.
 */
export function pauseAfter(failures: number, pauseMs: number): number {
  const grown = Math.min(pauseMs * 2 ** failures, Math.max(longestMs, pauseMs))
  return failures === 0 ? pauseMs : grown * (0.75 + Math.random() / 2)
}
