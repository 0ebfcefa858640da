/** The server could not be reached for the code of a screen. */
export class NotReached extends Error {}

/** Whether the server answers at all, whatever it says. */
export const isReachable = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store' }).then(
    () => true,
    () => false,
  )
