const shortestMs = 200
const longestMs = 10_000

/** Pause before the next try, growing with the tries that failed; uneven, so that many do not come back together. */
export function pauseAfter(failures: number): number {
  return Math.min(longestMs, shortestMs * 2 ** (failures - 1)) * (0.75 + Math.random() / 2)
}
