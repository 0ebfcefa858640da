import { pictureLimits, type PicturePurpose } from '@chairside/contract'

/** A picture as it is kept: redrawn from its pixels, without anything else that was in the file. */
export interface RedrawnPicture {
  bytes: Buffer
  contentType: string
  width: number
  height: number
}

/** Why a picture is not taken, as a message of `validation`. */
export type PictureFault =
  | { fault: 'pictureType' | 'pictureTooLarge' | 'pictureBroken' }
  | { fault: 'pictureSize'; width: number; height: number; given: string }
  | { fault: 'pictureTooWide'; max: number; given: string }

const magicNumbers = {
  jpeg: Buffer.from([0xff, 0xd8, 0xff]),
  png: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
}
/** As many pixels as the largest picture that may be uploaded. */
const mostPixels = pictureLimits.portraitSide ** 2
const decodeSeconds = 10

/** Loaded with the first picture, because it takes 10 MB that most processes never use. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  // A picture takes one thread and its memory once; a cache of what was decoded serves nobody here.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

function formatOf(bytes: Uint8Array): 'jpeg' | 'png' | undefined {
  const begins = (magic: Buffer) => magic.equals(bytes.subarray(0, magic.length))
  return begins(magicNumbers.png) ? 'png' : begins(magicNumbers.jpeg) ? 'jpeg' : undefined
}

/** The type and the length of a file, which cost nothing to look at. */
export function faultOfFile(bytes: Uint8Array): PictureFault | undefined {
  if (!formatOf(bytes)) return { fault: 'pictureType' }
  return bytes.length > pictureLimits.bytes ? { fault: 'pictureTooLarge' } : undefined
}

function faultOfSize(purpose: PicturePurpose, width: number, height: number): PictureFault | undefined {
  const given = `${width} × ${height}`
  const { banner, portraitSide } = pictureLimits
  if (purpose === 'banner')
    return width === banner.width && height === banner.height
      ? undefined
      : { fault: 'pictureSize', ...banner, given }
  return Math.max(width, height) > portraitSide
    ? { fault: 'pictureTooWide', max: portraitSide, given }
    : undefined
}

/**
 * Checks a picture by its bytes and redraws it in the format of its key's extension. The size is read from the
 * head of the file before anything is decoded, so that a few bytes never become gigabytes of pixels.
 */
export async function redrawPicture(
  bytes: Uint8Array,
  purpose: PicturePurpose,
  key: string,
): Promise<RedrawnPicture | PictureFault> {
  const fault = faultOfFile(bytes)
  if (fault) return fault
  const sharp = await loadSharp()
  try {
    const picture = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', sequentialRead: true })
    const { format, autoOrient } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (format !== formatOf(bytes)) return { fault: 'pictureType' }
    const wrongSize = faultOfSize(purpose, autoOrient.width, autoOrient.height)
    if (wrongSize) return wrongSize
    const { banner, keptPortraitSide } = pictureLimits
    const side = purpose === 'banner' ? banner.width : keptPortraitSide
    const upright = picture
      .autoOrient()
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .timeout({ seconds: decodeSeconds })
    const isPng = /\.png$/i.test(key)
    const drawn = isPng
      ? upright.png({ compressionLevel: 9 })
      : upright.flatten({ background: '#fff' }).jpeg({ quality: 88, mozjpeg: true })
    const { data, info } = await drawn.toBuffer({ resolveWithObject: true })
    const contentType = isPng ? 'image/png' : 'image/jpeg'
    return { bytes: data, contentType, width: info.width, height: info.height }
  } catch {
    return { fault: 'pictureBroken' }
  }
}
