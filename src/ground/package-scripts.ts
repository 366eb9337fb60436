import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import { isRecord, parseJson } from './json.ts'

/**
 * The members below these keys of a package.json, or of a similar file. None where the file cannot be read: then no
 * runner can read it either.
 */
export function scriptsUnder(
  keys: readonly string[],
  text: string,
): readonly (readonly [name: string, script: unknown])[] {
  const data = parseJson(text.replace(/^\ufeff/, ''))
  return isRecord(data) ? keys.flatMap(key => (isRecord(data[key]) ? Object.entries(data[key]) : [])) : []
}

export type PackageScript = readonly [name: string, text: string]

interface Reading {
  realPath(path: string): Promise<string | null>
  stat(path: string): Promise<{ readonly kind: string; readonly size: number } | null>
  read(path: string): Promise<Uint8Array | null>
}

/**
 * The scripts of a project's package.json, as far as it can be read; none from a pipe or a file of megabytes. It
 * reads nothing where no command names a script.
 */
export async function scriptsFor(
  commands: readonly string[],
  root: string,
  files: Reading,
): Promise<readonly PackageScript[]> {
  if (commands.every(command => scriptsNamed(command).length === 0)) return []
  const scripts = scriptsUnder(['scripts'], await textIn(join(root, 'package.json'), files).catch(() => ''))
  return scripts.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : []))
}

async function textIn(path: string, files: Reading): Promise<string> {
  const real = await files.realPath(path)
  const stat = real === null ? null : await files.stat(real)
  if (real === null || stat?.kind !== 'file' || stat.size > MOST_BYTES) return ''
  return Buffer.from((await files.read(real)) ?? []).toString('utf8')
}

/** Nobody writes a longer package.json. */
const MOST_BYTES = 1_048_576

/**
 * The names of the scripts that a command line may run: `npm run --silent lint && yarn test`. A name without a script
 * counts as well: `yarn tsc` runs a program where there is no script of that name.
 */
export function scriptsNamed(command: string): readonly string[] {
  return command.split(/[;&|\n]+/).flatMap(part => {
    const [runner = '', first, second] = part.split(/\s+/).filter(word => word !== '' && !word.startsWith('-'))
    if (!/^(?:npm|pnpm|yarn|bun)$/.test(runner) || first === undefined) return []
    if (/^run(?:-script)?$/.test(first)) return second ?? []
    return runner !== 'npm' || /^(?:test|start)$/.test(first) ? first : []
  })
}

/** The scripts that a command line runs itself. It does not follow what these scripts run. */
export function scriptsRunBy(command: string, scripts: readonly PackageScript[]): readonly PackageScript[] {
  const names = scriptsNamed(command)
  return scripts.filter(([name]) => names.includes(name))
}
