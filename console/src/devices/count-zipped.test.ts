import { expect, it } from 'vitest'
import { countFiles } from './count-zipped.ts'

it('counts the files of a zip, also where a piece ends within a mark', () => {
  const bytes = [0x50, 0x4b, 0x03, 0x04, 1, 2, 0x50, 0x50, 0x4b, 0x03, 0x04, 0x50, 0x4b, 0x01, 0x02]
  for (let cut = 0; cut <= bytes.length; cut++) {
    const count = countFiles()
    count(Uint8Array.from(bytes.slice(0, cut)))
    expect(count(Uint8Array.from(bytes.slice(cut)))).toBe(2)
  }
})
