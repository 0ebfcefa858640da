import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const workspaces = ['contract', 'server', 'sandbox', 'console', 'paypage', 'e2e']

/** Journeys through a demo that all of them share, while the other tests run: on a slow machine each step takes long. */
const ofTheBrowser = {
  globalSetup: './src/global-setup.ts',
  expect: { poll: { timeout: 60_000 } },
}

/** The kills wait most of the time, for servers that come up; begun first, they wait beside all others and not alone. */
class KillsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const inUsualOrder = super.sort.bind(this)
    const isOfKills = ({ moduleId }: TestSpecification) => moduleId.endsWith('/kills.test.ts')
    const others = files.filter((file) => !isOfKills(file))
    return [...files.filter(isOfKills), ...(await inUsualOrder(others))]
  }
}

export default defineConfig({
  test: {
    globalSetup: './server/src/testing/global-setup.ts',
    maxWorkers: 4,
    sequence: { sequencer: KillsFirst },
    // The demo and the database end as they should, and leave nothing behind.
    teardownTimeout: 180_000,
    passWithNoTests: true,
    projects: workspaces.map((name) => ({
      test: {
        name,
        root: name,
        include: ['src/**/*.test.{ts,tsx}'],
        // Loading the program anew for each file would be a tenth of the time; no test changes a module for others.
        isolate: false,
        // What is waited for may take its time on a busy machine; that it comes is what is proved.
        testTimeout: 300_000,
        hookTimeout: 300_000,
        expect: { poll: { timeout: 30_000 } },
        ...(name === 'e2e' ? ofTheBrowser : {}),
      },
    })),
  },
})
