import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Compiles `src` as it is now, for tests that run a part of it in a process of its own (as another user, with few
 * open files, in a terminal). Every user may read it.
 */
export function builtSource(): { url(module: string): string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'relay-built-'))
  chmodSync(folder, 0o755)
  const tsc = resolve('node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noCheck', '--outDir', folder], { stdio: 'pipe' })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  return {
    url: module => pathToFileURL(join(folder, module)).href,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
