import QRCode from 'qrcode'
import { letterBox } from './letters.ts'

/** Light modules around the code that a reader needs. */
const quietZone = 4
/** Letters are as high as this many modules, or smaller when the id is long. */
const letterModules = 4
const belowLetters = 3

/**
 * A quarter of the code may be scratched or dirty. The next level up would stand a third, for smaller modules that are
 * harder to read from a step away.
 */
const errorCorrectionLevel = 'Q'

/** A sticker in units of one module: the code, and below it the device id. */
export interface StickerLayout {
  deviceId: string
  /** Modules along each side of the code. */
  size: number
  isDark(row: number, column: number): boolean
  width: number
  height: number
  /** Where the code begins, from the left and from the top. */
  codeAt: number
  /** Of the letters: modules in one of their units, and where the first box begins. */
  letters: { scale: number; left: number; top: number }
}

/** Lays out the sticker of a device; `address` is what its code says. */
export function layOutSticker(deviceId: string, address: string): StickerLayout {
  const { modules } = QRCode.create(address, { errorCorrectionLevel })
  const { size, data } = modules
  const { width: boxWidth, height: boxHeight, pen, advance } = letterBox
  const units = (deviceId.length - 1) * advance + boxWidth
  const scale = Math.min(letterModules / boxHeight, size / (units + pen))
  const width = size + 2 * quietZone
  return {
    deviceId,
    size,
    isDark: (row, column) => data[row * size + column] === 1,
    width,
    height: quietZone + size + quietZone + boxHeight * scale + belowLetters,
    codeAt: quietZone,
    letters: { scale, left: (width - units * scale) / 2, top: quietZone + size + quietZone },
  }
}
