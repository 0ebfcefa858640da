import { networkFailure } from './call.ts'

/** Reads a streamed file to its end and tells after every piece how many bytes have come, and the piece. */
export async function readStream(
  response: Response,
  type: string,
  onProgress: (bytes: number, piece: Uint8Array) => void,
): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = response.body?.getReader()
  // Browsers say that it broke off in words of their own, in English.
  const next = () =>
    reader?.read().catch((error: unknown) => {
      throw (error as Error).name === 'AbortError' ? error : networkFailure(0)
    })
  for (let step = await next(); step && !step.done; step = await next()) {
    chunks.push(step.value as Uint8Array<ArrayBuffer>)
    bytes += step.value.length
    onProgress(bytes, step.value as Uint8Array)
  }
  return new Blob(chunks, { type })
}

const keptMs = 10_000

/** Hands a file to the browser's downloads. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), keptMs)
}
