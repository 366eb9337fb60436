import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real programs, real clipboards: slow machines need room. No test waits for time to pass.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
