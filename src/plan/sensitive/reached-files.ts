import { type ConfiguredCommand, commandsOf, type WithCommands } from '../../commands-of.ts'
import { HOLDS_SCRIPTS, mayRunScripts, ownScripts } from '../../ground/own-scripts.ts'
import { APP } from './app-folders.ts'
import { importsOf, placesIn } from './imports-of.ts'
import { foldersAbove } from './place-of.ts'
import { namesPlugins, pluginsOf } from './plugins-of.ts'
import { IS_LOOKED_FOR, MOST_COMMAND, type Program, programsOf } from './programs-of.ts'
import { endingOf, isLookedAt, mayRun } from './word-endings.ts'

/** A look at the project, with what the patch makes of it. */
export interface Look {
  /** What a file holds, and what it will hold; nothing where there is none. */
  read(path: string): Promise<readonly string[]>
  has(path: string): Promise<boolean>
  /** The names in a folder, as it is and as it will be. */
  list(folder: string): Promise<readonly string[]>
}

/**
 * Tells what runs without being named by a command itself: what a script of package.json or of a Makefile names that a
 * command runs, what a settings file loads, and what all these import in turn.
 *
 * Settings and scripts are looked for in the root and in each folder with a package.json or a Makefile above a file of the
 * patch (`paths`). The app's own code is left out, but for what a settings file itself names or a shell script runs: tests
 * and builds import that, and a question about each patch would be answered unread. What lies below the folder of a
 * program is the program's: `scripts/lib/words.js` of `scripts/check.js`.
 *
 * Of a patch that reaches more than anybody would look through, what was not looked at counts as what runs: else the first
 * files of a patch could hide the last.
 */
export async function reachedFiles(config: WithCommands, paths: readonly string[], look: Look): Promise<Program[]> {
  const { parts, unknown } = await partsAbove(paths, look)
  const found: Program[] = []
  const isLookedInto = looker(config, parts, look, found)
  if (!(await isLookedInto(''))) return [...found, ...paths.map(word => ({ word, why: NOT_FOLLOWED }))]
  for (const [at, part] of parts.entries()) {
    if (!(await isLookedInto(part))) return [...found, ...notLooked([...unknown, ...parts.slice(at)])]
  }
  return [...found, ...notLooked(unknown)]
}

function notLooked(folders: readonly string[]): Program[] {
  return folders.map(word => ({ word, why: NOT_LOOKED, isFolder: true }))
}

const NOT_LOOKED = 'is in a part of the project that was not looked at: the patch reaches too many'
const NOT_FOLLOWED = 'may be what a command runs: its scripts and settings load too many files to look at'

/**
 * Of the folders above the paths those that are parts with settings of their own, the outermost first; and those of which
 * nobody knows, since there are too many.
 */
async function partsAbove(
  paths: readonly string[],
  look: Look,
): Promise<{ readonly parts: readonly string[]; readonly unknown: readonly string[] }> {
  const folders = new Set<string>()
  const unknown = new Set<string>()
  for (const path of paths) {
    for (const folder of foldersAbove(path)) {
      const isFull = folders.size === MOST_FOLDERS && !folders.has(folder)
      ;(isFull ? unknown : folders).add(folder)
      if (isFull) break
    }
  }
  const depth = (path: string) => path.split('/').length
  const all = [...folders].sort((one, other) => depth(one) - depth(other))
  const isPart = async (folder: string) =>
    (await look.has(`${folder}/package.json`)) || (await look.has(`${folder}/Makefile`))
  const areParts = await Promise.all(all.map(isPart))
  return { parts: all.filter((_, at) => areParts[at]), unknown: [...unknown] }
}

/** Looks into one folder after the other, the root first, and finds what runs there; tells whether it could look at all. */
function looker(config: WithCommands, parts: readonly string[], look: Look, found: Program[]) {
  const commands = commandsOf(config)
  const walk: Walk = { seen: new Set(), files: 0, cost: 0, loaded: 0, parts: new Set(parts), found }
  let scripts: readonly ConfiguredCommand[] = []
  let length = 0
  return async (folder: string): Promise<boolean> => {
    const at = folder === '' ? '' : `${folder}/`
    const names = await look.list(folder)
    const run = [...commands, ...scripts]
    const holders = mayRunScripts(run) ? names.filter(name => HOLDS_SCRIPTS.has(name)) : []
    const texts = (await Promise.all(holders.map(name => look.read(at + name)))).flat()
    for (const text of texts) length += text.length
    if (folder !== '' && length > MOST_TEXT) return false
    const own = ownScripts(run, texts)
    const programs = programsOf(own, true, folder)
    for (const program of programs) found.push(program)
    // `"lint": "turbo run lint"`: what the root's scripts run stands in the parts.
    if (folder === '') scripts = own
    const named = [...(folder === '' ? programsOf(commands, false) : []), ...programs].filter(mayLoad)
    const queue = [
      ...names.filter(isSettings).map(name => ({ path: at + name, origin: at + name, isSettings: true, home: '' })),
      ...named.map(({ word }) => {
        const home = homeOf(word, walk.parts)
        return { path: word, origin: word, isSettings: false, home: home === folder ? '' : home }
      }),
    ]
    return follow(queue, look, walk)
  }
}

interface Followed {
  readonly path: string
  readonly origin: string
  readonly isSettings: boolean
  /** The folder below which all that it loads is no app's, whatever it is called; empty where that could be the app itself. */
  readonly home: string
}

/** What was followed so far. */
interface Walk {
  readonly seen: Set<string>
  files: number
  cost: number
  loaded: number
  readonly parts: ReadonlySet<string>
  readonly found: Program[]
}

/** Follows what settings and programs load, each file once; tells whether it came to an end. */
async function follow(queue: Followed[], look: Look, walk: Walk): Promise<boolean> {
  for (const each of queue) {
    const { path, origin } = each
    if (walk.seen.has(path)) continue
    if (isFull(walk)) return false
    walk.seen.add(path)
    const texts = await readScript(path, look)
    walk.files += Math.min(texts.length, 1)
    walk.cost += costOf(path, texts)
    const loaded = loadedBy(each, texts, walk.parts)
    walk.loaded += loaded.length
    for (const { imported, standsIn, isFollowed, home } of loaded) {
      if (standsIn !== undefined) {
        walk.found.push({ word: imported, why: `${IS_LOOKED_FOR} ${origin}`, standsIn })
        continue
      }
      const why = `is loaded by ${origin}`
      walk.found.push({ word: imported, why }, { word: imported.replace(SCRIPT, ''), why, isStem: true })
      walk.found.push({ word: `${imported}/index`, why, isStem: true })
      if (isFollowed) queue.push({ path: imported, origin, isSettings: false, home })
    }
  }
  return walk.loaded <= MOST_LOADED
}

function isFull({ files, cost, loaded }: Walk): boolean {
  return files === MOST_FILES || cost > MOST_FOLLOWED || loaded > MOST_LOADED
}

function loadedBy({ path, isSettings, home }: Followed, texts: readonly string[], parts: ReadonlySet<string>) {
  const isRunByShell = texts.some(text => isShell(path, text))
  return texts
    .flatMap(text => namedIn(text, path, isSettings))
    .map(({ word: imported, standsIn }) => {
      if (home !== '' && imported.startsWith(`${home}/`)) return { imported, standsIn, isFollowed: true, home }
      const own = homeOf(imported, parts)
      // A package's own entry loads the app; a program that a shell starts from elsewhere is one.
      const isEntry = parts.has(own) && (!isRunByShell || path.startsWith(`${own}/`))
      const isFollowed = isRunByShell ? !TESTS.test(imported) : isTool(imported, parts)
      return { imported, standsIn, isFollowed, home: isEntry ? '' : own }
    })
    .filter(({ isFollowed }) => isFollowed || isSettings || isRunByShell)
}

/** `scripts` of `scripts/check.js`, and of `scripts/src/check.js`, which is no app's; of `src/check.js` the root. */
function homeOf(path: string, parts: ReadonlySet<string>): string {
  const own = ownPlace(path, parts)
  const app = `/${own}`.search(APP)
  const end = app === -1 ? own.lastIndexOf('/') : app - 1
  return path.slice(0, Math.max(0, path.length - own.length + end))
}

/** In the root lies the app that scripts import. */
function isTool(path: string, parts: ReadonlySet<string>): boolean {
  return path.includes('/') && !APP.test(`/${ownPlace(path, parts)}`)
}

/** Where a path lies in its part: `apps/web/tools/rule.js` is one of the part `apps/web`. */
function ownPlace(path: string, parts: ReadonlySet<string>): string {
  const part = foldersAbove(path).findLast(folder => parts.has(folder))
  return part === undefined ? path : path.slice(part.length + 1)
}

function namedIn(text: string, path: string, isSettings: boolean): readonly Pick<Program, 'word' | 'standsIn'>[] {
  if (isShell(path, text)) return runByShell(text, path)
  const imported = [...importsOf(text, path)]
  if (!isSettings) return imported.map(word => ({ word }))
  // `'@': './src'`, `tailwindStylesheet: './styles/app.css'`
  const isPlugin = (place: string) => {
    const isFile = endingOf(place) !== undefined
    return !isLookedAt(place) && ((isFile && mayRun(place)) || !APP.test(`/${place}/`))
  }
  const named = LINTS.test(path) ? [...placesIn(text, path)].filter(isPlugin) : []
  return [...imported, ...named, ...pluginsOf(text, path)].map(word => ({ word }))
}

/** Past as many as anybody would look through, the rest is not read. */
function runByShell(text: string, path: string): readonly Program[] {
  // `cd "$(dirname "$0")"` is what many begin with.
  const folders = new Set(['', path.slice(0, Math.max(0, path.lastIndexOf('/')))])
  const found: (readonly Program[])[] = []
  let count = 0
  for (const command of piecesOf(text)) {
    if (count > MOST_LOADED) break
    const programs = [...folders].flatMap(from => programsOf([{ key: 'linter', command }], true, from))
    count += programs.length
    found.push(programs)
  }
  return found.flat()
}

/** Whole lines, few enough to be read like one command. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = []
  let piece = ''
  for (const line of text.split('\n')) {
    if (piece.length + line.length >= MOST_COMMAND) {
      pieces.push(piece)
      piece = ''
    }
    piece += `${line}\n`
  }
  return [...pieces, piece]
}

/** In characters: a shell's script takes longer to read than imports do, and most words of it are no files. */
function costOf(path: string, texts: readonly string[]): number {
  const costs = texts.map(text => text.length * (isShell(path, text) ? 10 : 1))
  return costs.reduce((sum, cost) => sum + cost, MISSING)
}

const MISSING = 2000

function isShell(path: string, text: string): boolean {
  return SHELL_SCRIPT.test(path) || /^#!\S*\/(?:env )?\w*sh\b/.test(text)
}

const SHELL_SCRIPT = /\.(?:ba|z|k)?sh$/

/** A file whose ending may be left out, or is that of what it is compiled to. */
async function readScript(path: string, look: Look): Promise<readonly string[]> {
  const stem = path.replace(/\.[cm]?js$/, '')
  const others = SCRIPT.test(path) && stem === path ? [] : ENDINGS.map(ending => stem + ending)
  for (const each of [path, ...others]) {
    const texts = await look.read(each)
    if (texts.length > 0) return texts
  }
  return []
}

const ENDINGS = ['.ts', '.js', '.mjs', '.cjs', '.mts', '.cts', '/index.ts', '/index.js', '/index.mjs']

/** What the runtimes of JavaScript look for where a file's name has no ending: `node scripts/check`. */
const SCRIPT = /\.[cm]?[jt]sx?$/

function mayLoad({ word, isStem }: Program): boolean {
  return (
    (isStem === true || SCRIPT.test(word) || SHELL_SCRIPT.test(word)) && /^[^/$%~.]/.test(word) && !TESTS.test(word)
  )
}

/** They import the app, whose folders may have any name: `node --test test/user.js`. */
const TESTS = /(?:^|\/)(?:tests?|__tests__|specs?|e2e)(?:\/|\.)|\.(?:test|spec)\./

/** By its name alone: each patch asks it of all that is in the root. */
function isSettings(name: string): boolean {
  return (SCRIPT.test(name) && SETTINGS.test(name)) || LINTS.test(name) || namesPlugins(name)
}

const SETTINGS = /^\.|[.-]conf(?:ig)?[.-]|^(?:gulp|grunt)file\.|^(?:webpack|rollup|vite|vitest|jest|karma)\./i

/** These take plugins by their paths alone; bundlers and test runners what they work on as well. */
const LINTS =
  /(?:^|\/)\.?(?:eslint|stylelint|prettier|oxlint|markdownlint|textlint|htmlvalidate|remark|babel|postcss|rubocop|cspell)(?:rc|[.-])[^/]*$/i

const MOST_FOLDERS = 5000
const MOST_FILES = 2000
/** A line of a shell's script can name hundreds: `PYTHONPATH=a:b:c python -m a.b.c`. */
const MOST_LOADED = 250_000
/** Of all that hold scripts: a hundred of them made for it would take minutes. */
const MOST_TEXT = 2_000_000
const MOST_FOLLOWED = 20_000_000
