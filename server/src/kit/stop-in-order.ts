import type { Logger } from 'pino'

/** How long one part may take to finish what it is doing: supervisors kill after half a minute to a minute and a half. */
const usualPatienceMs = 10_000

export interface StopsInOrder {
  /** @param name of the part, for the log */
  add(name: string, stop: () => unknown): void
  /**
   * Stops all parts, the last started first. One that fails or takes too long is named in the log and left behind.
   * @returns whether all stopped as they should
   */
  stopAll(): Promise<boolean>
}

/** Parts of a process that depend on each other, to be stopped in the opposite order. */
export function createStopsInOrder(log: Logger, patienceMs = usualPatienceMs): StopsInOrder {
  const parts: { name: string; stop: () => unknown }[] = []

  async function stopOne({ name, stop }: { name: string; stop: () => unknown }): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), patienceMs)
    })
    try {
      const end = await Promise.race([stop(), patience])
      if (end === 'late') log.error({ part: name, patienceMs }, 'did not stop in time and is left behind')
      return end !== 'late'
    } catch (error) {
      log.error({ part: name, err: error }, 'did not stop as it should')
      return false
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    add: (name, stop) => void parts.push({ name, stop }),
    async stopAll() {
      let isClean = true
      for (let part = parts.pop(); part; part = parts.pop()) isClean = (await stopOne(part)) && isClean
      return isClean
    },
  }
}
