import fs from 'node:fs'
import path from 'node:path'

/**
 * Fills the demo so that one that was cut short is not taken for a whole one: a file says that it is being filled, from
 * before the first row to after the last. Where it is found, `forget` empties the database first.
 */
export async function fillOnce(
  folder: string,
  work: { forget(): Promise<void>; fill(onBegin: () => void): Promise<void> },
): Promise<void> {
  const file = path.join(folder, 'demo-is-being-filled')
  if (fs.existsSync(file)) await work.forget()
  await work.fill(() => fs.writeFileSync(file, '', { flush: true }))
  fs.rmSync(file, { force: true })
}
