import { theme } from 'antd'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { themeOf as ThemeOf } from './theme.tsx'

let themeOf: typeof ThemeOf
beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  ;({ themeOf } = await import('./theme.tsx'))
})

/** Relative luminance of `#rrggbb`, as WCAG has it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (bright + 0.05) / (dark + 0.05)
}

describe('the grounds of what is chosen and of notices', () => {
  it.each(['light', 'dark'])('are easy to read on, in %s', (appearance) => {
    const token = theme.getDesignToken(themeOf(appearance === 'dark'))
    const { colorPrimaryBg, colorPrimaryBgHover, colorInfoBg, colorSuccessBg, colorWarningBg, colorErrorBg } =
      token
    for (const ground of [colorPrimaryBg, colorInfoBg, colorSuccessBg, colorWarningBg, colorErrorBg])
      expect(contrast(token.colorText, ground), ground).toBeGreaterThan(9)
    expect(contrast(token.colorText, colorPrimaryBgHover)).toBeGreaterThan(6)
  })
})
