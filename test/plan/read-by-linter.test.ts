import { expect, it } from 'vitest'
import { readByLinter } from '../../src/plan/read-by-linter.ts'

const files = ['a.ts', 'a.tsx', 'a.js', 'a.vue', 'a.py', 'a.rs', 'a.go', 'a.md', 'a.json', 'Makefile']

it.each([
  ['tsc', ['a.ts', 'a.tsx']],
  ['npx --yes tsc -p .', ['a.ts', 'a.tsx']],
  ['CI=1 ./node_modules/.bin/tsc', ['a.ts', 'a.tsx']],
  ['pnpm exec eslint . && ruff check', ['a.ts', 'a.tsx', 'a.js', 'a.py']],
  ['biome check .', ['a.ts', 'a.tsx', 'a.js']],
  ['python3 -m mypy .', ['a.py']],
  ['uv run mypy .', ['a.py']],
  ['cargo clippy', ['a.rs']],
  ['go vet ./...', ['a.go']],
  ['npm run lint', ['a.ts', 'a.tsx', 'a.vue']],
  ['yarn lint', ['a.ts', 'a.tsx', 'a.vue']],
  ['npm run deep', []],
  ['npm run gone', []],
  ['go mod tidy', []],
  ['cargo metadata', []],
  ['echo tsc', []],
  ['tsc-watch', []],
  ['cd web && tsc', []],
  ['make lint', []],
  ['npx', []],
  ['', []],
])('of %j reads %j', (linter, read) => {
  const isRead = readByLinter(linter, [
    ['lint', 'vue-tsc --noEmit'],
    ['deep', 'npm run lint'],
  ])
  expect(files.filter(isRead)).toEqual(read)
})
