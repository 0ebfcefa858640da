/*
 * What a banner's `css` may do (docs/decisions/0130): the look of the picture in its own place and nothing else. It is
 * read as a list of declarations, never put into a page as text; no address, no position, nothing negative, nothing
 * larger than a page, so that it neither fetches nor hides nor covers anything.
 */

/** Longest `css` of a banner. */
export const bannerCssLimit = 300

const length = String.raw`(?:0|(?:\d{1,2}|100)(?:\.\d{1,2})?(?:px|%|rem|em))`
const upToFour = new RegExp(`^${length}(?: ${length}){0,3}$`)
const colour = String.raw`(?:#[0-9a-f]{3,8}|[a-z]{3,20}|rgba?\([0-9., %/]{5,30}\)|hsla?\([0-9a-z., %/]{5,30}\))`
const oneColour = new RegExp(`^${colour}$`)

const allowed: Record<string, RegExp> = {
  'background-color': oneColour,
  border: new RegExp(`^(?:none|${length} (?:solid|dashed|dotted|double) ${colour})$`),
  'border-radius': upToFour,
  'box-shadow': new RegExp(`^(?:none|(?:${length} ){2,4}${colour})$`),
  filter: /^(?:none|(?:brightness|contrast|saturate|grayscale|sepia)\([01](?:\.\d{1,2})?\))$/,
  margin: upToFour,
  'object-fit': /^(?:cover|contain|fill|scale-down)$/,
  'object-position': /^(?:center|top|bottom|left|right)(?: (?:center|top|bottom|left|right))?$/,
  opacity: /^(?:1|0\.[2-9]\d?)$/,
  padding: upToFour,
}

/** The declarations of a banner's `css`, or undefined when there is one in it that is not allowed. */
export function readBannerCss(css: string): Record<string, string> | undefined {
  const declarations: Record<string, string> = {}
  for (const part of css.toLowerCase().split(';')) {
    if (part.trim() === '') continue
    const [property = '', value = '', ...more] = part
      .split(':')
      .map((text) => text.trim().replace(/\s+/g, ' '))
    if (more.length > 0 || !Object.hasOwn(allowed, property) || !allowed[property]?.test(value))
      return undefined
    declarations[property] = value
  }
  return declarations
}
