/** A reason to stop that a person can act on: what is wrong, and what to do. Shown without a stack. */
export class Stop extends Error {
  constructor(problem, remedy) {
    super(remedy ? `${problem}\n${remedy}` : problem)
  }
}

/** Runs a command of ours; a Stop becomes its words and exit code 1. */
export async function runCommand(command) {
  try {
    process.exitCode = await command()
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    console.error(`\n${error.message}`)
    process.exitCode = 1
  }
}
