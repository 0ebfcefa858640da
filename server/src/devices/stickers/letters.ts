/*
 * Letters for device ids, drawn as strokes of a pen: no font has to be on the machine, and a file holds all it shows.
 * A letter stands in a box of 10 × 14 units, origin at the top left; zero has a stroke through it and one has a foot, so
 * that neither is taken for O or I.
 */

/** Units of a letter's box, of the pen, and from one letter to the next. */
export const letterBox = { width: 10, height: 14, pen: 2, advance: 13.6 } as const

const roundO = 'M5 0C8.3 0 10 2.5 10 7C10 11.5 8.3 14 5 14C1.7 14 0 11.5 0 7C0 2.5 1.7 0 5 0'
const bowlOfP = 'M0.5 14L0.5 0L5.4 0C8.3 0 10 1.5 10 4C10 6.5 8.3 8 5.4 8L0.5 8'

/** Absolute moves, lines and cubic curves, in the notation of SVG. */
const strokes: Readonly<Record<string, string>> = {
  '0': `${roundO}M2.4 11L7.6 3`,
  '1': 'M1.5 3.2L5.5 0L5.5 14M2 14L9 14',
  '2': 'M0.3 4C0.3 1.5 2.3 0 5 0C7.8 0 9.7 1.6 9.7 4C9.7 6.2 8.3 7.4 6.3 9L0.3 14L10 14',
  '3': 'M0.5 0L9.5 0L4.8 5.6C7.8 5.6 10 7.3 10 9.8C10 12.4 7.9 14 5 14C2.6 14 0.7 13 0 11.2',
  '4': 'M7.5 14L7.5 0L0 10L10 10',
  '5': 'M9.3 0L1.4 0L0.8 6.4C1.8 5.6 3.2 5.1 4.8 5.1C7.9 5.1 10 6.8 10 9.5C10 12.2 7.9 14 4.9 14C2.6 14 0.8 13.1 0 11.4',
  '6': 'M8.2 0C3.2 1.2 0 4.6 0 9.2C0 12.2 2 14 5 14C8 14 10 12.2 10 9.4C10 6.7 8 4.9 5 4.9C2.2 4.9 0 6.7 0 9.2',
  '7': 'M0 0L10 0L3.5 14',
  '8': 'M5 6.4C2.6 6.4 0.8 5.2 0.8 3.2C0.8 1.2 2.6 0 5 0C7.4 0 9.2 1.2 9.2 3.2C9.2 5.2 7.4 6.4 5 6.4C2.1 6.4 0 7.8 0 10.2C0 12.6 2.1 14 5 14C7.9 14 10 12.6 10 10.2C10 7.8 7.9 6.4 5 6.4',
  '9': 'M1.8 14C6.8 12.8 10 9.4 10 4.8C10 1.8 8 0 5 0C2 0 0 1.8 0 4.6C0 7.3 2 9.1 5 9.1C7.8 9.1 10 7.3 10 4.8',
  A: 'M0 14L5 0L10 14M1.8 9.2L8.2 9.2',
  B: 'M0.5 6.6L5.5 6.6C8.3 6.6 10 8 10 10.3C10 12.6 8.3 14 5.5 14L0.5 14L0.5 0L5 0C7.5 0 9 1.2 9 3.3C9 5.4 7.5 6.6 5 6.6',
  C: 'M9.8 3.4C9 1.3 7.3 0 5 0C1.8 0 0 2.6 0 7C0 11.4 1.8 14 5 14C7.3 14 9 12.7 9.8 10.6',
  D: 'M0.5 0L0.5 14L4.2 14C8 14 10 11.4 10 7C10 2.6 8 0 4.2 0L0.5 0',
  E: 'M9.5 0L0.5 0L0.5 14L9.5 14M0.5 6.7L8 6.7',
  F: 'M9.5 0L0.5 0L0.5 14M0.5 6.7L8 6.7',
  G: 'M9.7 3.2C8.9 1.2 7.2 0 5 0C1.8 0 0 2.6 0 7C0 11.4 1.8 14 5 14C8 14 10 12 10 8.4L10 7.6L5.6 7.6',
  H: 'M0.5 0L0.5 14M9.5 0L9.5 14M0.5 6.8L9.5 6.8',
  I: 'M2 0L8 0M5 0L5 14M2 14L8 14',
  J: 'M3.5 0L9 0L9 9.6C9 12.4 7.4 14 4.7 14C2.4 14 0.8 12.8 0.3 10.6',
  K: 'M0.5 0L0.5 14M9.6 0L0.5 8.6M3.6 5.8L9.8 14',
  L: 'M0.5 0L0.5 14L9.5 14',
  M: 'M0 14L0 0L5 7.6L10 0L10 14',
  N: 'M0.5 14L0.5 0L9.5 14L9.5 0',
  O: roundO,
  P: bowlOfP,
  Q: `${roundO}M6 10.4L10 14.6`,
  R: `${bowlOfP}M5 8L9.8 14`,
  S: 'M9.4 2.8C8.6 1 7 0 4.9 0C2.3 0 0.5 1.4 0.5 3.5C0.5 5.6 2 6.3 5 6.9C8.2 7.5 10 8.4 10 10.5C10 12.7 7.9 14 5 14C2.5 14 0.7 13 0 11',
  T: 'M0 0L10 0M5 0L5 14',
  U: 'M0.5 0L0.5 9C0.5 12.3 2.2 14 5 14C7.8 14 9.5 12.3 9.5 9L9.5 0',
  V: 'M0 0L5 14L10 0',
  W: 'M-0.5 0L2.3 14L5 4.5L7.7 14L10.5 0',
  X: 'M0.3 0L9.7 14M9.7 0L0.3 14',
  Y: 'M0 0L5 7L10 0M5 7L5 14',
  Z: 'M0.3 0L9.7 0L0.3 14L9.7 14',
}

/** The strokes of a letter; a character that no device id has is left blank. */
export const strokesOf = (letter: string): string => strokes[letter] ?? ''

type Point = readonly [x: number, y: number]
export type Line = readonly [Point, Point]

const curveParts = 12

/** The strokes of a letter as straight lines. */
export function linesOf(letter: string): Line[] {
  const lines: Line[] = []
  let at: Point = [0, 0]
  for (const [, kind, values = ''] of strokesOf(letter).matchAll(/([MLC])([^MLC]*)/g)) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = values.trim().split(/[ ,]+/).map(Number)
    if (kind === 'C') {
      const from = at
      for (let part = 1; part <= curveParts; part++) {
        const next = onCurve(from, [a, b], [c, d], [e, f], part / curveParts)
        lines.push([at, next])
        at = next
      }
      continue
    }
    if (kind === 'L') lines.push([at, [a, b]])
    at = [a, b]
  }
  return lines
}

function onCurve(p0: Point, p1: Point, p2: Point, p3: Point, t: number): Point {
  const s = 1 - t
  const along = (axis: 0 | 1) =>
    s ** 3 * p0[axis] + 3 * s * s * t * p1[axis] + 3 * s * t * t * p2[axis] + t ** 3 * p3[axis]
  return [along(0), along(1)]
}
