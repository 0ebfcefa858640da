import type { CheckResult } from './run-checks.ts'

/** The results of the proofs as a table for a terminal. */
export function tableOfChecks(results: readonly CheckResult[]): string {
  const width = Math.max(...results.map(({ claim }) => claim.length))
  const lines = results.flatMap(({ claim, examined, differing, examples }) => [
    `${differing === 0 ? 'ok      ' : 'DIFFERS '}${claim.padEnd(width)}  ${String(examined).padStart(10)} compared${differing ? `, ${differing} differ` : ''}`,
    ...examples.map(
      ({ subject, expected, found }) => `          ${subject}: expected ${expected}, found ${found}`,
    ),
  ])
  return `${lines.join('\n')}\n`
}
