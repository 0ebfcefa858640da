import sharp from 'sharp'

/** A picture of one colour, or of noise, which stays as large as it is. */
export function drawPicture(
  width: number,
  height: number,
  format: 'jpeg' | 'png' = 'jpeg',
  kind: 'plain' | 'noise' = 'plain',
): Promise<Buffer> {
  const noise = kind === 'noise' ? { noise: { type: 'gaussian' as const, mean: 128, sigma: 60 } } : {}
  return sharp({ create: { width, height, channels: 3, background: '#0e5a52', ...noise } })
    .toFormat(format)
    .toBuffer()
}
