import type { SeededRandom } from './seeded-random.ts'

/** A mobile number as people have it. */
export const mobileOf = (random: SeededRandom): string =>
  `1${random.pick(['38', '39', '58', '86', '77', '50'])}${String(random.between(0, 99_999_999)).padStart(8, '0')}`
