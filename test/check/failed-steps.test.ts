import { describe, expect, it } from 'vitest'
import { unexplained } from '../../src/check/compare-checks.ts'
import { failedSteps } from '../../src/check/failed-steps.ts'
import { readCheck } from '../../src/check/read-check.ts'

/** What each prints when `a` fails of an error that relay knows, and `b` of one that it does not. */
const runners: readonly (readonly [string, string, string])[] = [
  ['make -k', 'make: *** [Makefile:3: a] Error 1', 'make: *** [Makefile:5: b] Error 1'],
  ['make -k below make', 'make[1]: *** [sub/a.mk:3: a] Error 1', 'make[1]: *** [sub/b.mk:5: b] Killed'],
  ['an older make -k', 'make: *** [a] Error 1', 'make: *** [b] Error 3'],
  [
    'npm --workspaces',
    'npm error Lifecycle script `lint` failed with error:\nnpm error code 1\nnpm error path /project/a',
    'npm ERR! Lifecycle script `lint` failed with error:\nnpm ERR! code 1\nnpm ERR! path /project/b',
  ],
  [
    'turbo --continue',
    'a#lint:  ERROR  command (/project/a) /usr/bin/npm run lint exited (1)',
    'b#lint:  ERROR  command (/project/b) /usr/bin/npm run lint exited (1)',
  ],
  ['concurrently', '[a] npm run lint:a exited with code 1', '[b] npm run lint:b exited with code 1'],
  ['npm-run-all -c', 'ERROR: "lint:a" exited with 1.', 'ERROR: "lint:b" exited with 1.'],
  ['pnpm --no-bail', 'packages/a lint: Failed', 'packages/b lint: Failed'],
  ['nx run-many, lerna', 'Failed tasks:\n\n- a:lint', '- b:lint\n'],
]

const run = (...said: readonly string[]) =>
  readCheck({
    end: { kind: 'exit', code: 2 },
    output: ['x.js:1:1: error: bad', ...said].join('\n'),
    cut: false,
  })

describe('failedSteps', () => {
  it.each(runners)('tells whose failure no error explains: %s', (_name, known, unknown) => {
    expect(unexplained(run(known), run(known, unknown))).toMatch(/^[^"]*b\b[^"]* failed without a new error$/)
    expect(unexplained(run(known, unknown), run(known))).toBeUndefined()
    expect(unexplained(run(known, unknown), run(known, unknown))).toBeUndefined()
  })

  it('tells a step that fails with a higher code than before, and one that fails in two folders', () => {
    const make = (code: number) => `make: *** [Makefile:3: a] Error ${code}`
    expect(unexplained(run(make(1)), run(make(2)))).toBe('a failed without a new error')
    expect(unexplained(run(make(3)), run(make(2)))).toBeUndefined()
    expect(unexplained(run(make(1)), run(make(1), make(1)))).toBe('a failed without a new error')
  })

  it('does not take for failed what ended well, was ignored, or is somebody else’s', () => {
    const output = [
      '[c] npm run lint:c exited with code 0',
      'make: [Makefile:3: a] Error 1 (ignored)',
      "make: Target 'all' not remade because of errors.",
      'a:lint: npm error code 1',
      'b:lint: npm error path /project/b',
    ]
    expect(failedSteps(output)).toEqual([])
  })
})
