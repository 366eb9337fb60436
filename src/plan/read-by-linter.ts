import { type PackageScript, scriptsRunBy } from '../ground/package-scripts.ts'

/**
 * Tells which files the linter reads, by their endings: in these it finds by itself what no compiler takes.
 *
 * A command counts by the names of tools in it, and so does a script of package.json that it names, one step deep. A tool
 * that is not known here reads nothing, and neither does one that runs in another folder.
 */
export function readByLinter(linter = '', scripts: readonly PackageScript[] = []): (path: string) => boolean {
  const commands = [linter, ...scriptsRunBy(linter, scripts).map(([, text]) => text)]
  const parts = commands.flatMap(command => (/\b(?:cd|pushd)\s/.test(command) ? [] : command.split(/[;&|\n]+/)))
  const read = parts.map(programIn).flatMap(program => READS.filter(([tools]) => tools.test(program)))
  return path => read.some(([, files]) => files.test(path))
}

/** A command from its program's name on: `npx --yes tsc -p .`, `python -m mypy .`, `CI=1 ./node_modules/.bin/eslint`. */
function programIn(part: string): string {
  const words = part.split(/\s+/).filter(Boolean)
  const at = words.findIndex(word => !STARTS_ANOTHER.test(word))
  return at < 0 ? '' : [words[at]?.replace(/^.*[\\/]|\.(?:cmd|exe)$/g, ''), ...words.slice(at + 1)].join(' ')
}

const STARTS_ANOTHER =
  /^(?:-.*|\w+=.*|npx|npm|pnpm|yarn|bunx?|uvx?|poetry|pipenv|bundle|exec|dlx|x|run|time|python[\d.]*|py)$/

/** What each tool reads without further settings. */
const READS: readonly (readonly [tools: RegExp, files: RegExp])[] = [
  [/^tsc(?= |$)/, /\.[cm]?tsx?$/i],
  [/^vue-tsc(?= |$)/, /\.(?:[cm]?tsx?|vue)$/i],
  [/^svelte-check(?= |$)/, /\.(?:ts|svelte)$/i],
  [/^(?:eslint|biome (?:check|lint|ci)|oxlint|xo|deno (?:check|lint))(?= |$)/, /\.[cm]?[jt]sx?$/i],
  [/^(?:ruff check|flake8|pyflakes|pylint|mypy|(?:based)?pyright)(?= |$)/, /\.pyi?$/i],
  [/^cargo (?:check|clippy|build|test)(?= |$)/, /\.rs$/i],
  [/^(?:go (?:vet|build|test)|golangci-lint|staticcheck)(?= |$)/, /\.go$/i],
  [/^rubocop(?= |$)/, /\.rb$/i],
  [/^phpstan(?= |$)/, /\.php$/i],
  [/^dotnet (?:build|test)(?= |$)/, /\.cs$/i],
  [/^(?:dart|flutter) analyze(?= |$)/, /\.dart$/i],
  [/^mix (?:compile|test)(?= |$)/, /\.ex$/i],
  [/^luacheck(?= |$)/, /\.lua$/i],
]
