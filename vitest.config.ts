import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      // Kills, failures and full disks at each system call of the real program take long: `npm run faults`.
      ...(process.env['FAULTS'] === undefined ? ['test/faults/**'] : []),
      // Has to be built first: `npm run test:binary`.
      ...(process.env['RELAY_BINARY'] === undefined ? ['test/binary/**'] : []),
    ],
    // Real programs, real clipboards: slow machines need room. No test waits for time to pass.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
