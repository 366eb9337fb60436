import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const templates = new Map<string, string>()
let folder: string | undefined
afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  folder = undefined
  templates.clear()
})

/**
 * Makes a repository in a folder: by `make` for the first test of a file that wants this one, by a copy for the others.
 * That takes one `git` in place of four or five, each of which starts more. Where something is already, nothing is copied.
 */
export function repositoryAt(path: string, what: unknown, make: () => void): void {
  if (existsSync(path) && readdirSync(path).length > 0) {
    make()
    return
  }
  const key = JSON.stringify(what)
  const template = templates.get(key)
  if (template !== undefined) {
    copy(template, path)
    // A copy has other inodes than the index knows.
    execFileSync('git', ['update-index', '-q', '--refresh'], { cwd: path })
    return
  }
  make()
  folder ??= mkdtempSync(join(tmpdir(), 'relay-templates-'))
  const kept = join(folder, String(templates.size))
  copy(path, kept)
  templates.set(key, kept)
}

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
}
