import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const onBinary = process.env['RELAY_BINARY'] !== undefined

/** Tests of what touches nothing but its arguments and fakes: a worker of their own for each file gains them nothing. */
const pure = ['test/{check,commands,lines,model,pack,parse,plan,project,report,source}/**/*.test.ts']

/** Flows and stages with fakes, and parts of agents: a worker for each gains them nothing either. Not in `npm run test:fast`. */
const faked = [
  'test/{flows,ground}/**/*.test.ts',
  'test/transact/{decide,entry,journal,lock,survey}/**/*.test.ts',
  'test/agents/{backends,envelope}/**/*.test.ts',
  'test/agents/{raf,session}/**/*.test.ts',
]

const timing = {
  extends: true as const,
  test: { name: 'timing', include: ['test/timing/**/*.test.ts'], fileParallelism: false },
}

/** Real agents: each is a large program that comes from npm. */
const agents = {
  extends: true as const,
  test: { name: 'agents', include: ['test/agents/real/**/*.test.ts'] },
}

/** By it `npm test` draws its sample of what `npm run test:all` tries in full: another one each day. */
const seed = process.env['SEED'] ?? String(Math.floor(Date.now() / 86_400_000))

/** What runs only when it is asked for: how time grows says something on an idle machine alone, and agents have to be had. */
const asked = process.env['TIMING'] !== undefined ? timing : process.env['AGENTS'] !== undefined ? agents : undefined

export default defineConfig({
  test: {
    env: { SEED: seed },
    // Much of a test is waiting for programs: also where there are only two cores, two files run at a time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Real programs, real clipboards: slow machines need room. No test waits for time to pass.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 50_000 } },
    // `npm run test:timing`, `npm run test:agents`.
    projects:
      asked !== undefined
        ? [asked]
        : [
            { extends: true, test: { name: 'pure', include: pure, isolate: false } },
            { extends: true, test: { name: 'faked', include: faked, isolate: false } },
            {
              extends: true,
              test: {
                name: 'real',
                include: ['test/**/*.test.ts'],
                exclude: [
                  ...pure,
                  ...faked,
                  'test/timing/**',
                  'test/agents/real/**',
                  // A sample of the faults, or what FAULTS asks for; the single binary has no calls that could be made to fail.
                  ...(onBinary || process.env['FAULTS'] === 'none' ? ['test/faults/**'] : []),
                  // The binary has to be built first: `npm run test:binary`. A loop is the run of a plan with other lists: there one
                  // of them is enough.
                  ...(onBinary ? ['test/cli/loop.test.ts'] : ['test/binary/**']),
                ],
                globalSetup: ['test/support/tally-setup.ts', 'test/support/seconds-setup.ts'],
              },
            },
          ],
  },
})
