/** Why an Excel file is not taken: the key of its words under `imports.fault`, and their values. */
export class SheetFault extends Error {
  override name = 'SheetFault'
  readonly fault: string
  readonly values: Record<string, string | number>

  constructor(fault: string, values: Record<string, string | number> = {}) {
    super(fault)
    this.fault = fault
    this.values = values
  }
}

const megabyte = 1024 * 1024

export const tooLargeUnpacked = (mostBytes: number) =>
  new SheetFault('unpacksTooLarge', { max: mostBytes / megabyte })

/** Runs a reader of files that anybody may have made: whatever it stumbles over is a file that cannot be read. */
export async function orBroken<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof SheetFault ? error : new SheetFault('broken')
  }
}
