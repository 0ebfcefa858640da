import { pictureLimits } from '@chairside/contract'
import sharp from 'sharp'

/** Colours and mood of a drawn banner. */
export interface BannerScene {
  sky: readonly [top: string, bottom: string]
  hills: readonly [far: string, middle: string, near: string]
  light: string
  /** A sun with rays, a moon with stars, or lanterns. */
  above: 'sun' | 'moon' | 'lanterns'
}

const { width, height } = pictureLimits.banner

const sun = (colour: string) =>
  `<circle cx="548" cy="112" r="92" fill="${colour}" opacity=".18"/><circle cx="548" cy="112" r="66" fill="${colour}" opacity=".3"/><circle cx="548" cy="112" r="44" fill="${colour}"/>`

const stars = [
  [70, 60, 2.5],
  [150, 110, 1.6],
  [240, 48, 2],
  [330, 96, 1.4],
  [410, 40, 2.4],
  [660, 70, 1.8],
  [620, 150, 1.4],
  [470, 120, 1.6],
] as const

const moon = (colour: string) =>
  `${stars.map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${colour}"/>`).join('')}<path d="M560 60a56 56 0 1 0 44 92 46 46 0 0 1-44-92z" fill="${colour}"/>`

const lantern = (x: number, drop: number, colour: string) => `
  <path d="M${x} 0v${drop}" stroke="${colour}" stroke-width="2" opacity=".7"/>
  <ellipse cx="${x}" cy="${drop + 30}" rx="36" ry="30" fill="${colour}"/>
  <ellipse cx="${x}" cy="${drop + 30}" rx="18" ry="30" fill="none" stroke="#00000022" stroke-width="3"/>
  <path d="M${x - 12} ${drop + 62}h24M${x} ${drop + 62}v26" stroke="${colour}" stroke-width="5"/>`

const lanterns = (colour: string) =>
  [
    [470, 26],
    [570, 66],
    [660, 18],
  ]
    .map(([x = 0, drop = 0]) => lantern(x, drop, colour))
    .join('')

/** A chair seen from the side, with somebody's ease in its lines. */
const chair = (light: string) => `
  <g transform="translate(96 96)" fill="none" stroke-linecap="round" stroke-linejoin="round">
    <ellipse cx="112" cy="226" rx="128" ry="14" fill="#00000030" stroke="none"/>
    <path d="M46 20c-6 60 4 110 34 138h92c26 0 34 16 38 44" stroke="#f6f4ef" stroke-width="40"/>
    <path d="M54 30c-3 54 6 94 32 116h88" stroke="#0e5a52" stroke-width="12" opacity=".55"/>
    <path d="M82 196h92" stroke="${light}" stroke-width="18"/>
    <path d="M88 112h66" stroke="#f6f4ef" stroke-width="20"/>
    <circle cx="58" cy="22" r="17" fill="${light}" stroke="none"/>
  </g>`

function svgOf({ sky: [top, bottom], hills: [far, middle, near], light, above }: BannerScene): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#sky)"/>
    ${{ sun, moon, lanterns }[above](light)}
    <path d="M0 236c90-70 170-64 250-22s150 30 230-24 170-40 240 12v148H0z" fill="${far}"/>
    <path d="M0 282c120-58 210-34 300-6s180 22 270-16 110-20 150-4v94H0z" fill="${middle}"/>
    <path d="M0 322c160-30 300-24 420-8s220 8 300-10v46H0z" fill="${near}"/>
    ${chair(light)}
  </svg>`
}

/** A banner drawn by code, without letters: a bare machine has no fonts to draw them with. */
export const drawBanner = (scene: BannerScene): Promise<Buffer> =>
  sharp(Buffer.from(svgOf(scene)))
    .jpeg({ quality: 88 })
    .toBuffer()
