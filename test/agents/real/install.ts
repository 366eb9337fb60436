import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { RealProgram } from './programs.ts'

/** A program of npm's in a folder of its own. */
export interface Installed {
  /** A PATH on which it comes first. */
  readonly path: string
  readonly version: string
  remove(): void
}

const run = promisify(execFile)

/** Installs what npm takes for this version of Node, or tells in one line why it cannot be had. */
export async function install({ backend, package: name, besides = [] }: RealProgram): Promise<Installed | string> {
  const folder = mkdtempSync(join(tmpdir(), 'relay-agent-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const path = `${join(folder, 'node_modules/.bin')}${delimiter}${process.env['PATH']}`
  const quietly = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1']
  try {
    await run('npm', ['install', '--prefix', folder, ...quietly, name, ...besides], { cwd: folder, timeout: 240_000 })
    const env = { PATH: path, HOME: folder }
    const { stdout } = await run(backend.program, [...backend.versionArgs], { cwd: folder, env, timeout: 60_000 })
    return { path, version: /\d+(?:\.\w+)*/.exec(stdout)?.[0] ?? stdout.trim(), remove }
  } catch (error) {
    remove()
    const { stderr, message } = error as Error & { readonly stderr?: string }
    const [first = ''] = (stderr || message).trim().split('\n')
    return `${backend.name} is skipped, because ${name} cannot be installed and started: ${first}`
  }
}
