import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import { isRecord, parseJson } from './json.ts'

/**
 * What stands below these keys of a package.json, or of a file like it, by its name; nothing where that cannot be read: then
 * no runner can read it either.
 */
export function scriptsUnder(
  keys: readonly string[],
  text: string,
): readonly (readonly [name: string, script: unknown])[] {
  const data = parseJson(text.replace(/^\ufeff/, ''))
  return isRecord(data) ? keys.flatMap(key => (isRecord(data[key]) ? Object.entries(data[key]) : [])) : []
}

/** A script of package.json, and the command line that it stands for. */
export type PackageScript = readonly [name: string, text: string]

/** What is needed of a file system for reading a package.json. */
interface Reading {
  realPath(path: string): Promise<string | null>
  stat(path: string): Promise<{ readonly kind: string; readonly size: number } | null>
  read(path: string): Promise<Uint8Array | null>
}

/**
 * The scripts of a project's package.json, as far as it can be read: of a pipe or a file of megabytes nothing is. It is not
 * even looked at where none of the commands names a script.
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
 * The scripts of a package.json that a command line may run, by name: `npm run --silent lint && yarn test`. A name that is
 * no script is told as well: `yarn tsc` runs a program where there is no script of that name.
 */
export function scriptsNamed(command: string): readonly string[] {
  return command.split(/[;&|\n]+/).flatMap(part => {
    const [runner = '', first, second] = part.split(/\s+/).filter(word => word !== '' && !word.startsWith('-'))
    if (!/^(?:npm|pnpm|yarn|bun)$/.test(runner) || first === undefined) return []
    if (/^run(?:-script)?$/.test(first)) return second ?? []
    return runner !== 'npm' || /^(?:test|start)$/.test(first) ? first : []
  })
}

/** Those of a package.json's scripts that a command line runs; what these run in turn is not followed. */
export function scriptsRunBy(command: string, scripts: readonly PackageScript[]): readonly PackageScript[] {
  const names = scriptsNamed(command)
  return scripts.filter(([name]) => names.includes(name))
}
