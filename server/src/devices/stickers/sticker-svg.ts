import { letterBox, strokesOf } from './letters.ts'
import type { StickerLayout } from './sticker-layout.ts'

/** Width of a printed sticker, as far as the file says; it scales to any. */
const widthMm = 50

const rounded = (value: number) => String(Math.round(value * 1000) / 1000)

/** Dark modules, those beside each other as one piece. */
function codePath({ size, codeAt, isDark }: StickerLayout): string {
  let path = ''
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (!isDark(row, column)) continue
      const from = column
      while (column + 1 < size && isDark(row, column + 1)) column++
      const length = column - from + 1
      path += `M${codeAt + from} ${codeAt + row}h${length}v1h-${length}z`
    }
  }
  return path
}

/** A sticker as SVG that needs nothing from outside. Device ids hold capitals and digits only. */
export function stickerSvg(layout: StickerLayout): string {
  const { deviceId, width, height, letters } = layout
  const { scale, left, top } = letters
  const drawn = [...deviceId]
    .map(
      (letter, index) =>
        `<path transform="translate(${rounded(index * letterBox.advance)})" d="${strokesOf(letter)}"/>`,
    )
    .join('')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthMm}mm" height="${rounded((widthMm * height) / width)}mm"`,
    ` viewBox="0 0 ${width} ${rounded(height)}" role="img"><title>${deviceId}</title>`,
    `<rect width="100%" height="100%" fill="#fff"/><path shape-rendering="crispEdges" d="${codePath(layout)}"/>`,
    `<g fill="none" stroke="#000" stroke-width="${letterBox.pen}" stroke-linecap="round" stroke-linejoin="round"`,
    ` transform="translate(${rounded(left)} ${rounded(top)}) scale(${rounded(scale)})">${drawn}</g></svg>\n`,
  ].join('')
}
