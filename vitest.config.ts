import { defineConfig } from 'vitest/config'

const workspaces = ['contract', 'server', 'sandbox', 'console', 'paypage', 'e2e']

export default defineConfig({
  test: {
    globalSetup: './server/src/testing/global-setup.ts',
    maxWorkers: 3,
    passWithNoTests: true,
    projects: workspaces.map((name) => ({
      test: {
        name,
        root: name,
        ...(name === 'e2e' ? { globalSetup: './src/global-setup.ts' } : {}),
        include: ['src/**/*.test.{ts,tsx}'],
        // Loading the program anew for each file would be a tenth of the time; no test changes a module for others.
        isolate: false,
        // What is waited for may take its time on a busy machine; that it comes is what is proved.
        testTimeout: 300_000,
        hookTimeout: 300_000,
        expect: { poll: { timeout: 30_000 } },
      },
    })),
  },
})
