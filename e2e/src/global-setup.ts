import type { TestProject } from 'vitest/node'
import { prepareBrowser } from './browser.ts'
import { startDemoServer } from './demo-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The demo that all tests of the browser share; each does with things of its own. */
    demo: { url: string; dataDirectory: string }
  }
}

/** One demo for the whole run: it takes longer to start than most tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  prepareBrowser()
  const { url, dataDirectory, stop } = await startDemoServer()
  project.provide('demo', { url, dataDirectory })
  return stop
}
