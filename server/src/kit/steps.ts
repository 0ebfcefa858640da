/*
 * Moments between two effects that do not share a transaction, or just before one commits: where the end of the process
 * would hurt if anything did. Tests end it at each of them; in production nobody listens.
 */

export const steps = [
  'transaction done',
  'transaction committed',
  'job begun',
  'job done',
  'order placed',
  'payment prepared',
  'payment settled',
  'notice committed',
  'command claimed',
  'command sent',
  'acknowledgement stored',
  'end stored',
  'refund asked for',
  'refund answered',
  'refund settled',
  'counters folded',
] as const
export type Step = (typeof steps)[number]

let listener: ((step: Step) => void) | undefined

/** Says that a step is reached, to whoever listens: the tests that end a process just there. */
export function reachStep(step: Step): void {
  listener?.(step)
}

/** Tells one listener of every step from now on. */
export function listenToSteps(listen: (step: Step) => void): void {
  listener = listen
}
