/**
 * Removes the names that runners of several commands put before each line: `[lint] ` (concurrently, npm-run-all),
 * `packages/a lint: ` (pnpm), `web:lint: ` (Turborepo, Nx), `web: ` (Lerna and Nx, streaming).
 *
 * The last three look like parts of a message, so they are removed only after a line that introduces them. Commands
 * that run side by side print side by side: the lines of each are put together again, unless other lines are between
 * them.
 */
export function withoutLabels(lines: readonly string[]): readonly string[] {
  const known = new Set<string>()
  const labels = lines.map(line => {
    for (const label of readBracket(line) ?? readIntroduction(line)) known.add(label)
    return labelOf(line, known)
  })
  return known.size === 0 ? lines : putTogether(lines, labels)
}

/**
 * A label ends with a bracket, or at the first colon before a blank or the line's end; empty for a line without a
 * label.
 */
function labelOf(line: string, known: ReadonlySet<string>): string {
  if (known.size === 0) return ''
  const end = line.startsWith('[') ? line.indexOf(']') + 1 : line.indexOf(': ') + 1 || line.length
  const label = line.slice(0, end)
  return known.has(label) ? label : ''
}

function putTogether(lines: readonly string[], labels: readonly string[]): readonly string[] {
  const done: string[] = []
  const mixed = new Map<string, string[]>()
  const end = () => {
    for (const own of mixed.values()) for (const line of own) done.push(line)
    mixed.clear()
  }
  for (const [at, line] of lines.entries()) {
    const label = labels[at] ?? ''
    if (label === '') {
      end()
      done.push(line)
      continue
    }
    const own = mixed.get(label) ?? []
    own.push(line.slice(label.length).replace(/^ /, ''))
    mixed.set(label, own)
  }
  end()
  return done
}

function readBracket(line: string): readonly string[] | undefined {
  if (!line.startsWith('[')) return undefined
  const found = /^\[([\w@/:.-]{1,60}) {0,60}\](?= )/.exec(line)
  return found === null || isLevel(found[1] ?? '') ? undefined : [found[0]]
}

/**
 * `packages/a lint$ eslint .` introduces `packages/a lint: `; `web:lint: cache miss, …`, a command (`web:lint: $ eslint .`) or
 * an empty line introduces `web:lint: `; `web: > web@1.0.0 lint` introduces `web: `; `> nx run web:lint` both of these.
 */
function readIntroduction(line: string): readonly string[] {
  const nx = /^> nx run ((\S{1,100}?):\S{1,100})/.exec(line)
  if (nx !== null) return [`${nx[1]}:`, `${nx[2]}:`]
  const found =
    /^(\S{1,200} [\w:.-]{1,60})\$ /.exec(line) ??
    /^(\S{1,200}:[a-z][\w:.-]{0,60}):(?: ?$| (?:cache |> |\$ ))/i.exec(line) ??
    /^(\S{1,200}): > \1[@ ]/.exec(line)
  return found === null ? [] : [`${found[1]}:`]
}

/** A word in brackets can also be a severity. */
function isLevel(label: string): boolean {
  return /^(?:warn|warning|error|err|fatal|info|debug|trace|notice|fail|failed|ok)$/i.test(label)
}
