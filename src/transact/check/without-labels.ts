/**
 * Takes off the names that programs which run several commands at once put before each line: `[lint] ` (concurrently,
 * npm-run-all), `packages/a lint: ` (pnpm), `web:lint: ` (Turborepo), `web: ` (Lerna and Nx, streaming).
 *
 * The last three look like parts of a message, so they come off only after the line that introduces them.
 */
export function withoutLabels(lines: readonly string[]): readonly string[] {
  const labels = new Set<string>()
  return lines.map(line => {
    const label = readBracket(line) ?? readIntroduction(line)
    if (label !== undefined) labels.add(label)
    if (labels.size === 0 || line === '') return line

    const end = line.startsWith('[') ? line.indexOf(']') + 1 : line.indexOf(': ') + 1
    return labels.has(line.slice(0, end)) ? line.slice(line[end] === ' ' ? end + 1 : end) : line
  })
}

function readBracket(line: string): string | undefined {
  if (!line.startsWith('[')) return undefined
  const found = /^\[([\w@/:.-]{1,60}) {0,60}\](?= )/.exec(line)
  return found === null || isLevel(found[1] ?? '') ? undefined : found[0]
}

/**
 * `packages/a lint$ eslint .` introduces `packages/a lint: `, `web:lint: cache miss, …` introduces `web:lint: `, and
 * `web: > web@1.0.0 lint` introduces `web: `.
 */
function readIntroduction(line: string): string | undefined {
  const found =
    /^(\S{1,200} [\w:.-]{1,60})\$ /.exec(line) ??
    /^(\S{1,200}:[a-z][\w:.-]{0,60}): (?:cache |> )/i.exec(line) ??
    /^(\S{1,200}): > \1[@ ]/.exec(line)
  return found === null ? undefined : `${found[1]}:`
}

/** In brackets there may also be how bad it is. */
function isLevel(label: string): boolean {
  return /^(?:warn|warning|error|err|fatal|info|debug|trace|notice|fail|failed|ok)$/i.test(label)
}
