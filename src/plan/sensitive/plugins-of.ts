import { isRecord } from '../../ground/is-record.ts'
import { parseJson } from '../../ground/parse-json.ts'
import { placesIn } from './imports-of.ts'
import { pathOf } from './place-of.ts'
import { placesOfModule } from './python-runs.ts'

/** Settings in which a tool's own code is named by a key: whether a name is of such. */
export function namesPlugins(name: string): boolean {
  return READERS.some(([settings]) => settings.test(name))
}

/**
 * What such settings have their tool run, as paths in the project: a plugin of mypy, of flake8 or of pylint by its module, the
 * settings of linters in package.json, what a Makefile includes, Cargo's build script, what PHPStan begins with, and what
 * Prettier, markdownlint, Redocly, Deno, Bun, Nx, Psalm and PHP_CodeSniffer are given as code of the project.
 */
export function pluginsOf(text: string, path: string): readonly string[] {
  const [, folder = '', name = ''] = /^(?:(.*)\/)?([^/]*)$/.exec(path) ?? []
  const read = READERS.find(([settings]) => settings.test(name))?.[1]
  return (read?.(text) ?? []).slice(0, MOST_FILES).map(found => pathOf(`${folder}/./${found}`).replace(/^\//, ''))
}

const MOST_FILES = 2000

const READERS: readonly (readonly [settings: RegExp, read: (text: string) => readonly string[]])[] = [
  [/^package\.json$/, ofPackage],
  [/^(?:\.?mypy\.ini|\.?pylintrc(?:\.toml)?|setup\.cfg|tox\.ini|\.flake8|pyproject\.toml)$/, ofPython],
  [/^(?:GNU)?makefile$/i, text => wordsBehind(/^(?:-|s)?include[ \t]([^\n#]*)/gm, text)],
  [/^Cargo\.toml$/, text => wordsBehind(/^[ \t]{0,99}build[ \t]{0,99}=[ \t]{0,99}["']([^"'\n]*)/gm, text)],
  [/^(?:\.prettierrc|prettier\.config\.|\.markdownlint-cli2\.|redocly\.ya?ml$|deno\.jsonc?$|bunfig\.toml$)/, ofLists],
  [/^nx\.json$/, text => [...placesIn(text, '')]],
  [/^psalm\.xml(?:\.dist)?$/, text => wordsBehind(/\b(?:filename|autoloader)="([^"\n]*\.php)"/g, text)],
  [/^\.?phpcs\.xml(?:\.dist)?$/, text => wordsBehind(/(?:\bref="|<autoload>)([^"<\n]*\.php)/g, text)],
  [/^phpstan.*\.neon(?:\.dist)?$/, text => wordsBehind(/\bbootstrapFiles:((?:\s{1,99}-[^\n]*)*)/g, text)],
]

function ofPackage(text: string): readonly string[] {
  const found = parseJson(text)
  if (!isRecord(found)) return []
  const texts = OF_LINTERS.map(key => JSON.stringify(found[key] ?? null))
  return texts.flatMap(own => [...placesIn(own, ''), ...ofLists(own)])
}

/** These take a file also where nothing stands in front of its path: `"plugins": ["tools/sort.mjs"]` */
function ofLists(text: string): readonly string[] {
  return wordsBehind(LISTS, text).filter(word => /\.[cm]?[jt]s$/.test(word))
}

const LISTS =
  /\b(?:plugins|customRules|markdownItPlugins|outputFormatters|preload)["']?\s{0,9}[:=]\s{0,9}(\[[^\]]{0,2000}\]|"[^"\n]*|(?:-[^\n]*\s{0,99})*)/g

const OF_LINTERS = ['prettier', 'eslintConfig', 'stylelint', 'babel', 'postcss', 'remarkConfig', 'cspell', 'xo']

/** By its file, or by a module; flake8 looks for these in `paths` as well. */
function ofPython(text: string): readonly string[] {
  const named = wordsBehind(PLUGINS, text).slice(0, MOST)
  const [, local = ''] = /\[flake8:local-plugins\]([^[]*)/.exec(text) ?? []
  const words = wordsIn(local)
  // No harm is done where `extension` is taken for a folder.
  const folders = words.filter(word => !word.includes(':')).slice(0, MOST)
  const modules = words.filter(word => word.includes(':')).slice(0, MOST)
  return [
    ...named.flatMap(filesOf),
    ...modules.flatMap(filesOf).flatMap(file => ['', ...folders].map(folder => `${folder}/./${file}`)),
  ].map(place => place.replace(/^\//, ''))
}

const PLUGINS = /^(?:load-)?plugins[ \t]{0,99}=[ \t]{0,99}(\[[^\]]{0,2000}\]|[^\n]*(?:\n[ \t]+[^\n]*)*)/gm

/** Nobody has more of each. */
const MOST = 50

function filesOf(word: string): readonly string[] {
  return word.endsWith('.py') ? [word] : placesOfModule(word.split(':')[0] ?? '')
}

function wordsBehind(key: RegExp, text: string): readonly string[] {
  return Array.from(text.matchAll(key), ([, value = '']) => value).flatMap(wordsIn)
}

/** What holds a variable or a pattern is followed by nobody. */
function wordsIn(value: string): readonly string[] {
  return value.split(/[\s,"'[\]=]+/).filter(word => /[\w/]/.test(word) && !/[$*%]/.test(word))
}
