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
        include: ['src/**/*.test.{ts,tsx}'],
        testTimeout: 30_000,
        hookTimeout: 60_000,
      },
    })),
  },
})
