import { expect, it } from 'vitest'
import { scriptsNamed } from '../../src/ground/package-scripts.ts'

it.each([
  ['npm run --silent lint', ['lint']],
  ['npm test', ['test']],
  ['npm ci', []],
  ['npm --silent run a && yarn lint', ['a', 'lint']],
  ['pnpm -r lint', ['lint']],
  ['pnpm run lint:ci', ['lint:ci']],
  ['yarn run x; echo y', ['x']],
  ['bun tsc --noEmit', ['tsc']],
  ['npx --no-install eslint .', []],
  ['npm', []],
  ['', []],
])('finds the scripts that %j names', (command, names) => {
  expect(scriptsNamed(command)).toEqual(names)
})
