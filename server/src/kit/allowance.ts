/** Says yes up to `most` times in each stretch of `everyMs`: for what strangers can cause as often as they like. */
export function createAllowance(most: number, everyMs: number): () => boolean {
  let [began, used] = [-Infinity, 0]
  return () => {
    const now = performance.now()
    if (now - began >= everyMs) [began, used] = [now, 0]
    return used++ < most
  }
}
