/** What each file in a zip begins with. */
const fileMark = [0x50, 0x4b, 0x03, 0x04]

/** Counts the files of a zip while its pieces come; a mark may lie across two pieces. */
export function countFiles(): (piece: Uint8Array) => number {
  let files = 0
  let matched = 0
  return (piece) => {
    for (const byte of piece) {
      matched = byte === fileMark[matched] ? matched + 1 : byte === fileMark[0] ? 1 : 0
      if (matched < fileMark.length) continue
      files++
      matched = 0
    }
    return files
  }
}
