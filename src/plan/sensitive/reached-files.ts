import { type ConfiguredCommand, commandsOf, type WithCommands } from '../../commands-of.ts'
import { importsOf, placesIn } from './imports-of.ts'
import { HOLDS_SCRIPTS, mayRunScripts, ownScripts } from './own-scripts.ts'
import { namesPlugins, pluginsOf } from './plugins-of.ts'
import { type Program, programsOf } from './programs-of.ts'
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
 * patch (`paths`). The app's own code is left out, but for what a settings file itself names: tests and builds import that,
 * and a question about each patch would be answered unread.
 */
export async function reachedFiles(config: WithCommands, paths: readonly string[], look: Look): Promise<Program[]> {
  const commands = commandsOf(config)
  let programs: Program[] = []
  let settings: string[] = []
  let scripts: readonly ConfiguredCommand[] = []
  let length = 0
  const parts = await partsAbove(paths, look)
  for (const folder of ['', ...parts]) {
    const at = folder === '' ? '' : `${folder}/`
    const names = await look.list(folder)
    settings = [...settings, ...names.filter(isSettings).map(name => at + name)]
    const run = [...commands, ...scripts]
    if (!mayRunScripts(run)) continue
    const holders = names.filter(name => HOLDS_SCRIPTS.has(name))
    const texts = (await Promise.all(holders.map(name => look.read(at + name)))).flat()
    for (const text of texts) length += text.length
    if (folder !== '' && length > MOST_TEXT) break
    const found = ownScripts(run, texts)
    programs = [...programs, ...programsOf(found, true, folder)]
    // `"lint": "turbo run lint"`: what the root's scripts run stands in the parts.
    if (folder === '') scripts = found
  }
  const named = [...programsOf(commands, false), ...programs].filter(mayLoad).map(({ word }) => word)
  return [...programs, ...(await loadedBy(settings, named, parts, look))]
}

/** Of the folders above the paths those that are parts with settings of their own, the outermost first. */
async function partsAbove(paths: readonly string[], look: Look): Promise<string[]> {
  const all = new Set<string>()
  for (const path of paths) {
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) all.add(path.slice(0, at))
  }
  const depth = (path: string) => path.split('/').length
  const outermost = [...all].sort((one, other) => depth(one) - depth(other)).slice(0, MOST_FOLDERS)
  const isPart = async (folder: string) =>
    (await look.has(`${folder}/package.json`)) || (await look.has(`${folder}/Makefile`))
  const areParts = await Promise.all(outermost.map(isPart))
  return outermost.filter((_, at) => areParts[at])
}

async function loadedBy(
  settings: readonly string[],
  programs: readonly string[],
  parts: readonly string[],
  look: Look,
): Promise<Program[]> {
  /** `apps/web/tools/rule.js` is one of the part `apps/web`. In the root lies what a shell runs, and the app that scripts import. */
  const isTool = (path: string, isRunByShell: boolean) => {
    const part = parts.findLast(part => path.startsWith(`${part}/`))
    const own = part === undefined ? path : path.slice(part.length + 1)
    return (isRunByShell || path.includes('/')) && !APP.test(`/${own}`)
  }
  const found: Program[] = []
  const seen = new Set<string>()
  const queue = [
    ...settings.map(path => ({ path, origin: path, isSettings: true })),
    ...programs.map(path => ({ path, origin: path, isSettings: false })),
  ]
  for (const { path, origin, isSettings } of queue) {
    if (seen.has(path)) continue
    if (seen.size === MOST_FILES) break
    seen.add(path)
    const texts = await readScript(path, look)
    const isRunByShell = texts.some(text => isShell(path, text))
    for (const imported of texts.flatMap(text => namedIn(text, path, isSettings))) {
      const isFollowed = isTool(imported, isRunByShell)
      if (!isFollowed && !isSettings) continue
      const why = `is loaded by ${origin}`
      found.push({ word: imported, why }, { word: imported.replace(SCRIPT, ''), why, isStem: true })
      found.push({ word: `${imported}/index`, why, isStem: true })
      if (isFollowed) queue.push({ path: imported, origin, isSettings: false })
    }
  }
  return found
}

function namedIn(text: string, path: string, isSettings: boolean): readonly string[] {
  if (isShell(path, text)) {
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
    // `cd "$(dirname "$0")"` is what many begin with.
    return ['', folder]
      .flatMap(from => programsOf([{ key: 'linter', command: text }], true, from))
      .map(({ word }) => word)
  }
  const imported = importsOf(text, path)
  if (!isSettings) return [...imported]
  // `'@': './src'`, `tailwindStylesheet: './styles/app.css'`
  const isPlugin = (place: string) => {
    const isFile = endingOf(place) !== undefined
    return !isLookedAt(place) && ((isFile && mayRun(place)) || !APP.test(`/${place}/`))
  }
  const named = LINTS.test(path) ? [...placesIn(text, path)].filter(isPlugin) : []
  return [...imported, ...named, ...pluginsOf(text, path)]
}

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
  /(?:^|\/)\.?(?:eslint|stylelint|prettier|oxlint|markdownlint|textlint|remark|babel|postcss|rubocop|cspell)(?:rc|[.-])[^/]*$/i

/** Folders of an app's own code. */
const APP =
  /\/(?:src|sources?|apps?|libs?|client|server|components|pages|views|routes|tests?|__tests__|specs?|e2e|fixtures)\//

const MOST_FILES = 200
const MOST_FOLDERS = 100
/** Of all that hold scripts: a hundred of them made for it would take minutes. */
const MOST_TEXT = 2_000_000
