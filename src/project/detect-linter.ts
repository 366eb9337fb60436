import { join } from 'node:path'
import { scriptsUnder } from '../ground/package-scripts.ts'
import { foldersFrom } from '../ground/paths.ts'
import type { Files, Shell } from '../ports.ts'

export interface DetectedLinter {
  /** Empty when nothing fits. */
  readonly command: string
  /** One line for people. */
  readonly why: string
  /** The other checkers that fit. */
  readonly others?: readonly { readonly command: string; readonly why: string }[]
  /** A linter that the project is set up for, but that is not installed. */
  readonly missing?: { readonly file: string; readonly program: string }
}

/**
 * Finds the command that checks a project: the first row of the table whose files and programs all exist; and the others.
 *
 * It installs nothing and runs nothing. A missing program would fail at every patch, so its row does not fit.
 */
export async function detectLinter(
  root: string,
  files: Pick<Files, 'list' | 'read' | 'realPath'>,
  shell: Pick<Shell, 'find'>,
): Promise<DetectedLinter> {
  const names = (await files.list(root)) ?? []
  let missing: DetectedLinter['missing']
  const fitting: { readonly command: string; readonly why: string }[] = []
  const known = new Set<string | undefined>()
  for (const row of table) {
    const { oneOf, program, special = false } = row
    const found = names.filter(name => oneOf.some(pattern => fits(pattern, name))).sort()[0]
    // Another row checks by the same file already.
    if (found === undefined || known.has(oneOf[0])) continue
    const lacking = await lackingFor(row, root, files, shell)
    if (lacking === undefined) {
      known.add(oneOf[0])
      fitting.push({ command: await commandOf(row, join(root, found), files), why: `found ${found} and ${program}` })
    } else if (!special) missing ??= { file: found, program: lacking }
  }
  const [first, ...others] = fitting
  if (first !== undefined) return others.length === 0 ? first : { ...first, others }
  return (
    (await scriptOf(root, names, files, shell)) ?? {
      command: '',
      why: 'none found, so nothing will be checked; set it in relaycode.config.json',
      ...(missing === undefined ? {} : { missing }),
    }
  )
}

interface Row {
  readonly command: string
  /** Names in the root; `*` at the start stands for anything. */
  readonly oneOf: readonly string[]
  readonly program: string
  /** The program is in `node_modules/.bin`, here or above, and npx runs it; otherwise it is on the PATH. */
  readonly local?: true
  /** The command for a tsconfig.json that names no files and only refers to others: without `-b` nothing is checked. */
  readonly solution?: string
  /** Another row is the usual one for these files: a missing program of this row is not worth a note. */
  readonly special?: boolean
}

const table: readonly Row[] = [
  {
    command: 'bun tsc --noEmit',
    solution: 'bun tsc -b --noEmit',
    oneOf: ['tsconfig.json'],
    program: 'bun',
    special: true,
  },
  {
    command: 'npx --no-install vue-tsc --noEmit',
    solution: 'npx --no-install vue-tsc -b --noEmit',
    oneOf: ['tsconfig.json'],
    program: 'vue-tsc',
    local: true,
    special: true,
  },
  {
    command: 'npx --no-install tsc --noEmit',
    solution: 'npx --no-install tsc -b --noEmit',
    oneOf: ['tsconfig.json'],
    program: 'tsc',
    local: true,
  },
  { command: 'deno check .', oneOf: ['deno.json', 'deno.jsonc'], program: 'deno' },
  {
    // Without the option it shows 20 errors and only counts the others.
    command: 'npx --no-install biome lint --max-diagnostics=none .',
    oneOf: ['biome.json', 'biome.jsonc'],
    program: 'biome',
    local: true,
  },
  {
    command: 'npx --no-install eslint .',
    oneOf: [
      ...['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map(ending => `eslint.config.${ending}`),
      ...['', '.js', '.cjs', '.json', '.yml', '.yaml'].map(ending => `.eslintrc${ending}`),
    ],
    program: 'eslint',
    local: true,
  },
  {
    command: 'npx --no-install oxlint',
    oneOf: ['.oxlintrc.json', 'oxlint.config.ts'],
    program: 'oxlint',
    local: true,
  },
  { command: 'cargo check', oneOf: ['Cargo.toml'], program: 'cargo' },
  { command: 'go vet ./...', oneOf: ['go.mod'], program: 'go' },
  {
    command: 'ruff check .',
    oneOf: ['ruff.toml', '.ruff.toml', 'pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', '*.py'],
    program: 'ruff',
  },
  {
    command: 'mypy .',
    oneOf: ['mypy.ini', '.mypy.ini', 'pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', '*.py'],
    program: 'mypy',
  },
]

async function commandOf({ command, solution }: Row, path: string, files: Pick<Files, 'read'>): Promise<string> {
  return solution !== undefined && (await isSolution(path, files)) ? solution : command
}

/** The program that a row needs and that is missing. */
async function lackingFor(
  { program, local }: Row,
  root: string,
  files: Pick<Files, 'realPath'>,
  shell: Pick<Shell, 'find'>,
): Promise<string | undefined> {
  const onPath = local ? 'npx' : program
  if ((await shell.find(onPath)) === null) return onPath
  return local && !(await isLocal(root, program, files)) ? program : undefined
}

/** A script of package.json that checks without changing files, if its packages are installed. */
async function scriptOf(
  root: string,
  names: readonly string[],
  files: Pick<Files, 'read'>,
  shell: Pick<Shell, 'find'>,
): Promise<DetectedLinter | undefined> {
  if (!names.includes('package.json') || !names.includes('node_modules')) return undefined
  if ((await shell.find('npm')) === null) return undefined
  const scripts = new Map(scriptsUnder(['scripts'], await textOf(join(root, 'package.json'), files)))
  const name = ['typecheck', 'type-check', 'check-types', 'lint'].find(name => {
    const script = scripts.get(name)
    return typeof script === 'string' && !/(?:^|\s)--(?:fix|write|apply|watch)\b/.test(script)
  })
  return name === undefined
    ? undefined
    : { command: `npm run --silent ${name}`, why: `found the script "${name}" in package.json` }
}

/** Such a file may hold comments, so it is searched and not parsed. */
async function isSolution(path: string, files: Pick<Files, 'read'>): Promise<boolean> {
  const text = await textOf(path, files)
  return /"files"\s*:\s*\[\s*\]/.test(text) && /"references"\s*:/.test(text)
}

async function isLocal(root: string, program: string, files: Pick<Files, 'realPath'>): Promise<boolean> {
  for (const folder of foldersFrom(root)) {
    if ((await files.realPath(join(folder, 'node_modules', '.bin', program))) !== null) return true
  }
  return false
}

/** Empty for a file that cannot be read: it says nothing about the linter, and is no reason to stop. */
async function textOf(path: string, files: Pick<Files, 'read'>): Promise<string> {
  try {
    return new TextDecoder().decode((await files.read(path)) ?? undefined)
  } catch {
    return ''
  }
}

function fits(pattern: string, name: string): boolean {
  return pattern.startsWith('*') ? name.length >= pattern.length && name.endsWith(pattern.slice(1)) : name === pattern
}

/**
 * A command may run code in the project, so that a patch can run code through it: configuration that is code, plugins,
 * build scripts, the tests themselves. `false` only for commands that are known to run nothing.
 */
export function mayRunProjectCode(command: string): boolean {
  if (command.trim() === '') return false
  return /[;&|`$<>]/.test(command) || !ONLY_LOOKS.test(command.trim())
}

const ONLY_LOOKS =
  /^(?:(?:npx(?: --no-install)?|bunx?|pnpm exec|yarn) )?(?:tsc|vue-tsc|biome|pyright|basedpyright|ruff|shellcheck|gofmt|actionlint|hadolint)(?: |$)|^deno (?:check|lint)(?: |$)|^go vet(?: |$)/
