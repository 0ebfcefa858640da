/** What a picture is for; a token lets one picture of one purpose be sent in. */
export const picturePurposes = ['banner', 'portrait'] as const
export type PicturePurpose = (typeof picturePurposes)[number]

/** Limits of pictures (spec 2 §§5, 9). */
export const pictureLimits = {
  /** 2 MB, included. */
  bytes: 2 * 1024 * 1024,
  banner: { width: 720, height: 350 },
  /** Pictures of a purpose that one organisation may send in within 24 hours: each is kept for a day at least. */
  aDay: 500,
  /** Longest side of a portrait that is sent in. */
  portraitSide: 6000,
  /** Longest side of a portrait as it is kept: pages show it small, to phones that are charged for what they load. */
  keptPortraitSide: 336,
} as const

/** What may be sent in, by media type; the bytes are what is looked at, not the name. */
export const pictureTypes = ['image/jpeg', 'image/png'] as const

/** Pictures on one page of a history (spec 2 §9). */
export const historyPageSize = 8

/** What comes before a key in a picture's address: pictures are served by us, wherever they are kept. */
export const picturesPath = '/pictures/'

/** Address of a stored picture, empty for none. */
export const pictureUrl = (key: string): string => (key === '' ? '' : picturesPath + encodeURIComponent(key))

const keyMarks: Record<PicturePurpose, RegExp> = {
  banner: /^banner_\d{13}[A-Za-z0-9_-]{0,40}\.(jpe?g|png)$/i,
  portrait: /^\d{1,15}_\d{13}[A-Za-z0-9_-]{0,40}\.(jpe?g|png)$/i,
}

/** A key of any purpose; it is a plain file name that leads nowhere else. */
export const pictureKeyPattern = /^(banner|\d{1,15})_\d{13}[A-Za-z0-9_-]{0,40}\.(jpe?g|png)$/i

/** Whether a key is one for a purpose (spec 2 §§3, 9). */
export const isKeyFor = (purpose: PicturePurpose, key: string): boolean => keyMarks[purpose].test(key)

/**
 * A key for a new picture: `banner_` or the goods' id, the time, some letters that nobody guesses, the extension of the
 * file (spec 2 §§3, 9).
 */
export function newPictureKey(
  picture: { purpose: 'banner' } | { purpose: 'portrait'; goodsId: number },
  fileName: string,
  nowMs: number,
  mark: string,
): string {
  const extension = /\.png$/i.test(fileName) ? 'png' : 'jpg'
  const begin = picture.purpose === 'banner' ? 'banner' : String(picture.goodsId)
  return `${begin}_${String(nowMs).padStart(13, '0')}_${mark}.${extension}`
}
