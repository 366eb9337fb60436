import { expect, it } from 'vitest'
import { mendsFiles } from '../../src/ground/mends-files.ts'

it.each([
  'eslint . --fix',
  'npx biome check --write .',
  'ruff check --fix . && mypy .',
  'ruff format .',
  'tsc --noEmit && prettier -w src',
  'gofmt -l -w .',
  'go vet ./... ; cargo fmt --all',
  'npm run lint:fix',
  'pnpm -r run fix',
  'concurrently "tsc" "eslint --fix ."',
  'bundle exec rubocop -a',
  'rubocop --autocorrect-all',
  'sed -i s/a/b/ src/a.ts',
  '.venv/bin/black .',
  'deno fmt && deno lint',
  'pre-commit run --all-files',
  'npm run check:fix',
  'clang-format -i src/a.c',
  'nx format:write',
  'prettier -lw .',
  'mvn spotless:apply',
  './gradlew ktlintFormat',
  'swiftlint autocorrect',
  'sbt scalafmt',
  'yamlfmt .',
])('says that it mends files: %s', command => {
  expect(mendsFiles(command)).toBe(true)
})

it.each([
  'tsc --noEmit',
  'eslint . --fix-dry-run',
  'eslint --format unix src/format src/fix.ts',
  'ruff check --output-format=concise --no-fix .',
  'ruff format --check .',
  'black --check . && isort -c .',
  'cargo fmt -- --check',
  'cargo clippy -- -D warnings',
  'prettier --check . && npm run -w web lint',
  'prettier -l .',
  'npm run format:check',
  'mix format --check-formatted',
  'gofmt -l .',
  'golangci-lint run --out-format tab',
  'clang-format -n src/a.c',
  'mvn spotless:check',
  './gradlew ktlintCheck',
  'scalafmt --test',
  'gcc -w -fsyntax-only main.c',
  'grep -rni prefix .',
  'dart format -o none --set-exit-if-changed .',
])('says nothing of mending: %s', command => {
  expect(mendsFiles(command)).toBe(false)
})

it('is soon done with a text that goes on and on', () => {
  for (const text of ['sed ', 'a-', '-fi', 'npm -']) expect(mendsFiles(text.repeat(100_000))).toBe(false)
})
