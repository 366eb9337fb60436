import type { Tool } from '../tool.ts'
import { annotations } from './annotations.ts'
import { astroCheck } from './astro-check.ts'
import { bareSummary } from './bare-summary.ts'
import { biome } from './biome.ts'
import { bunTest } from './bun-test.ts'
import { cargo, cargoTest } from './cargo.ts'
import { checkstyle } from './checkstyle.ts'
import { credo } from './credo.ts'
import { cspell } from './cspell.ts'
import { dart } from './dart.ts'
import { elixir } from './elixir.ts'
import { eslint } from './eslint.ts'
import { formatters } from './formatters.ts'
import { gcc } from './gcc.ts'
import { go, goTest } from './go.ts'
import { javac } from './javac.ts'
import { jest } from './jest.ts'
import { kotlin } from './kotlin.ts'
import { listedTests } from './listed-tests.ts'
import { luacheck } from './luacheck.ts'
import { markdownlint } from './markdownlint.ts'
import { msbuild } from './msbuild.ts'
import { mypy } from './mypy.ts'
import { nodeTest } from './node-test.ts'
import { oxlint } from './oxlint.ts'
import { phpcs } from './phpcs.ts'
import { phpstan, phpstanRaw } from './phpstan.ts'
import { pyflakes } from './pyflakes.ts'
import { pylint } from './pylint.ts'
import { pyright } from './pyright.ts'
import { pytest } from './pytest.ts'
import { rubocop } from './rubocop.ts'
import { ruff } from './ruff.ts'
import { shellcheck } from './shellcheck.ts'
import { svelteCheck } from './svelte-check.ts'
import { tap } from './tap.ts'
import { tsc } from './tsc.ts'
import { unittest } from './unittest.ts'
import { vitest } from './vitest.ts'
import { xo } from './xo.ts'

/** Every tool that is understood. A line goes to the first that knows it: the more particular ones come first. */
export const tools: readonly Tool[] = [
  annotations,
  tsc,
  msbuild,
  svelteCheck,
  astroCheck,
  dart,
  eslint,
  xo,
  biome,
  oxlint,
  cspell,
  pyright,
  mypy,
  pylint,
  ruff,
  rubocop,
  phpcs,
  phpstan,
  markdownlint,
  elixir,
  credo,
  cargo,
  cargoTest,
  go,
  goTest,
  javac,
  kotlin,
  checkstyle,
  shellcheck,
  gcc,
  pytest,
  unittest,
  vitest,
  jest,
  listedTests,
  bunTest,
  nodeTest,
  tap,
  luacheck,
  phpstanRaw,
  pyflakes,
  formatters,
  bareSummary,
]
