import { RelayError } from '../../errors.ts'
import { findSecrets } from '../../ground/find-secrets.ts'
import type { LintError } from '../../model/check.ts'
import type { Project } from '../../model/project.ts'
import { type Chosen, chooseFiles, type LeftOut } from '../../pack/choose-files.ts'
import { type CountTokens, loadTokenizer } from '../../pack/count-tokens.ts'
import { whyMadeText } from '../../pack/made-files.ts'
import { printFile, printHead } from '../../pack/print-pack.ts'
import { readFile } from '../../pack/read-file.ts'
import type { FoundFile } from '../../pack/walk-files.ts'
import { pathGlob } from '../../plan/path-glob.ts'
import { holdsSecrets } from '../../plan/sensitive/holds-secrets.ts'
import type { System } from '../../ports.ts'
import { instructionsIn } from '../../project/instructions.ts'
import { noAnswer } from '../../report/answers/outcome-words.ts'
import { secretLines, sizeRows } from '../../report/screens/pack-lines.ts'
import { describeSize, grouped } from '../../report/text/count.ts'
import { askKey } from '../talk/ask-key.ts'
import { styleOf } from '../talk/style-of.ts'

export interface PackRequest {
  /** Files, folders and globs from the root; none stands for everything. */
  readonly words: readonly string[]
  /** Nothing but these. */
  readonly only?: ReadonlySet<string> | undefined
  /** What the linter says; the errors of files that are given are told. */
  readonly errors?: readonly LintError[]
  /** How many tokens all of it may have at most; the largest files are left out for that. */
  readonly limit?: number | undefined
  /** Secrets are given without a question. */
  readonly allowSecrets?: boolean | undefined
}

/** A text for a model, and what is in it. */
export interface Pack {
  readonly text: string
  readonly tokens: number
  readonly files: readonly PackedFile[]
  readonly leftOut: readonly LeftOut[]
}

interface PackedFile {
  readonly path: string
  readonly bytes: Uint8Array
  readonly tokens: number
}

interface Part extends PackedFile {
  /** As the model gets it. */
  readonly text: string
  readonly secrets: readonly Secret[]
}

/** A place that looks like a key, a token or a password; never the secret itself. */
interface Secret {
  readonly path: string
  /** `undefined` if the file's name gives it away. */
  readonly line?: number
  readonly kind: string
}

/** What nobody has chosen is given up to here. */
const mostUnchosen = 100_000

/** No text for a chat is longer, and one text holds it. What nobody has chosen is too much long before. */
const mostBytes = 64_000_000
const mostUnchosenBytes = 10_000_000

/**
 * Makes the text that gives files to a model, after a question where secrets are in it.
 *
 * Everything, where nothing is named, is given as long as a chat can take it; else the largest are listed in an error.
 */
export async function makePack(request: PackRequest, project: Project, system: System): Promise<Pack> {
  const { root, config } = project
  const denied = config.policy.deny.map(pathGlob)
  const isDenied = (path: string) => denied.some(matches => matches(path))
  const chosen = await chooseFiles(root, { ...request, isDenied, glob: pathGlob }, system.files)

  const count = await loadTokenizer()
  const head = (parts: readonly Part[], leftOut: readonly LeftOut[]) => {
    const paths = new Set(parts.map(({ path }) => path))
    const errors = (request.errors ?? []).filter(({ file }) => paths.has(file))
    const text = instructionsIn(config)
    return printHead({ projectId: config.projectId, instructions: text, paths: [...paths], leftOut, errors })
  }
  const read = await readParts(chosen, count, request, root, system)
  const leftOut = [...chosen.leftOut, ...read.leftOut]
  const tokensOf = (parts: readonly Part[], gone: readonly LeftOut[]) =>
    count(head(parts, [...leftOut, ...gone])) + tokensIn(parts)
  const whole = isUnchosen(request) ? tokensOf(read.parts, []) : 0
  if (whole > mostUnchosen) {
    throw tooLarge(
      `Everything here has ${grouped(whole)} tokens, more than ${grouped(mostUnchosen)}`,
      'tokens',
      read.parts,
    )
  }
  const fitting = withinLimit(read.parts, request.limit, tokensOf)
  const asked = await withoutSecrets(fitting.parts, request, project, system)
  leftOut.push(...fitting.leftOut, ...asked.leftOut)
  const { parts } = asked
  if (parts.length === 0) throw nothingLeft(leftOut, request)
  const begin = head(parts, leftOut)
  const text = `${[begin, ...parts.map(part => part.text)].join('').trimEnd()}\n`
  return { text, tokens: count(begin) + tokensIn(parts), files: parts, leftOut }
}

function isUnchosen({ words, only, limit }: PackRequest): boolean {
  return only === undefined && limit === undefined && words.every(word => word.startsWith('!'))
}

function tokensIn(parts: readonly Part[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0)
}

/** Reads the files, counts their tokens, and looks for secrets in them as long as they are going to be given. */
async function readParts(
  { files, isNamed }: Pick<Chosen, 'files' | 'isNamed'>,
  count: CountTokens,
  request: PackRequest,
  root: string,
  system: System,
): Promise<{ readonly parts: readonly Part[]; readonly leftOut: readonly LeftOut[] }> {
  const { terminal, interruption } = system
  const most = isUnchosen(request)
    ? { tokens: mostUnchosen, bytes: mostUnchosenBytes }
    : { tokens: Number.POSITIVE_INFINITY, bytes: mostBytes }
  const parts: Part[] = []
  const leftOut: LeftOut[] = []
  const sum = { tokens: 0, bytes: 0 }
  terminal.status('reading files')
  try {
    for (const file of files) {
      interruption.throwIfAborted()
      const found = await readWanted(file, isNamed(file.path), root, system)
      if (found === undefined) continue
      if ('why' in found) {
        leftOut.push(found)
        continue
      }
      sum.bytes += found.bytes.length
      if (sum.bytes > most.bytes)
        throw tooLarge(`These texts have more than ${describeSize(most.bytes)}`, 'bytes', files)
      const text = printFile(found)
      const tokens = count(text)
      sum.tokens += tokens
      const secrets = request.allowSecrets === true || sum.tokens > most.tokens ? [] : await secretsIn(found)
      parts.push({ path: found.path, bytes: found.bytes, text, tokens, secrets })
    }
  } finally {
    terminal.status(undefined)
  }
  return { parts, leftOut }
}

/** What a file's name says of it, and what its lines say. */
async function secretsIn({ path, text }: { readonly path: string; readonly text: string }): Promise<readonly Secret[]> {
  const named = holdsSecrets(path) ? [{ path, kind: 'a file for secrets' }] : []
  const found = await findSecrets(path, text)
  return [...named, ...found.map(({ line, kind }) => ({ path, line, kind }))]
}

/** As `readFile`; what programs made is given only where it was named. */
async function readWanted(file: FoundFile, isNamed: boolean, root: string, { files }: System) {
  const found = await readFile(file, root, files)
  if (isNamed || found === undefined || 'why' in found) return found
  const why = whyMadeText(found.path, found.text)
  return why === undefined ? found : { path: found.path, why }
}

/**
 * Without the largest, so few of them that the rest fits. That a file is not here takes some tokens as well, so each try is
 * counted whole.
 */
function withinLimit(
  parts: readonly Part[],
  limit: number | undefined,
  count: (kept: readonly Part[], gone: LeftOut[]) => number,
) {
  if (limit === undefined || parts.length === 0) return { parts, leftOut: [] }
  const bySize = parts.toSorted((a, b) => b.tokens - a.tokens)
  const without = (number: number) => {
    const gone = new Set(bySize.slice(0, number))
    const leftOut = [...gone].map(({ path, tokens }) => ({ path, why: `--limit: ${grouped(tokens)} tokens` }))
    return { parts: parts.filter(part => !gone.has(part)), leftOut }
  }
  const tokensWithout = (number: number) => count(without(number).parts, without(number).leftOut)
  let [low, high] = [0, tokensWithout(0) <= limit ? 0 : parts.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (tokensWithout(middle) <= limit) high = middle
    else low = middle + 1
  }
  if (high < parts.length) return without(high)
  const least = `with the instructions, the tree and the smallest file it has ${grouped(tokensWithout(high - 1))} tokens`
  throw new RelayError('usage', `--limit ${limit} leaves room for no file: ${least}`, {
    hint: 'Raise the limit, or name fewer files.',
  })
}

/** What a person lets through where secrets are in it. Nobody is shown a secret itself. */
async function withoutSecrets(
  parts: readonly Part[],
  { allowSecrets }: PackRequest,
  { config }: Project,
  { terminal }: System,
) {
  const secrets = allowSecrets === true ? [] : parts.flatMap(part => part.secrets)
  if (secrets.length === 0) return { parts, leftOut: [] }
  for (const line of secretLines(secrets, styleOf(terminal))) terminal.err(line)
  const keys = [
    ['y', 'give the model all of them, as they are'],
    ['l', 'leave these files out'],
    ['n', 'pack nothing'],
  ] as const
  const key = await askKey('Give them to the model? (y/l/n/?)', keys, config, terminal)
  if (key === 'y') return { parts, leftOut: [] }
  if (key === 'n') throw new RelayError('declined', 'Nothing was packed')
  if (key === undefined) {
    throw new RelayError('declined', `This needs an answer, but ${noAnswer(terminal)}: nothing was packed`, {
      hint: 'Leave the files out (`!path`), or add `--allow-secrets`.',
    })
  }
  const [clean, others] = [
    parts.filter(part => part.secrets.length === 0),
    parts.filter(part => part.secrets.length > 0),
  ]
  return { parts: clean, leftOut: others.map(({ path }) => ({ path, why: 'secrets' })) }
}

function tooLarge(
  what: string,
  unit: 'tokens' | 'bytes',
  files: readonly { readonly path: string; readonly tokens?: number; readonly bytes: unknown }[],
): RelayError {
  const sizes = files.map(({ path, tokens, bytes }) => ({
    path,
    size: unit === 'tokens' ? (tokens ?? 0) : Number(bytes),
  }))
  return new RelayError('usage', [`${what}. The largest:`, ...sizeRows(sizes)].join('\n'), {
    hint: "Name files or folders, leave some out with '!package-lock.json', or add `--limit 100k`.",
  })
}

function nothingLeft(leftOut: readonly LeftOut[], { words, only, errors = [] }: PackRequest): RelayError {
  const [first] = leftOut
  if (first === undefined && only !== undefined && words.length > 0) {
    const what = errors.length > 0 ? 'The linter finds no errors' : 'Nothing changed'
    return new RelayError('usage', `${what} in ${words.join(', ')}`)
  }
  const why = first === undefined ? '' : `: ${first.path} is left out (${first.why})`
  return new RelayError('usage', `Nothing to pack${why}`, {
    hint: 'Name files, folders or globs, such as `relay pack src`.',
  })
}
