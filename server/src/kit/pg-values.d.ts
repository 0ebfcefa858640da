declare module 'pg/lib/utils.js' {
  /** A parameter as the driver sends it; cursors of the driver's own family take it from here too. */
  export function prepareValue(value: unknown): string | Buffer | null
}
