/** Letters of the longest id of our own, an order's. Longer ones, as of payment providers, take a second line. */
const mostLetters = 21
/** One of the fixed-width letters in which ids are written, in pixels. */
const letterWidth = 7.9
const cellPadding = 16
/** Beside each id, with the gap before it. */
const copyButton = 26

/** How wide a column has to be for the ids in it to stay on one line, so that they can be read and compared. */
export function idWidth(values: readonly unknown[]): number {
  const lengths = values.map((value) => String(value ?? '').length).filter((length) => length <= mostLetters)
  const letters = Math.max(0, ...lengths)
  return letters === 0 ? 0 : Math.ceil(letters * letterWidth) + cellPadding + copyButton
}
