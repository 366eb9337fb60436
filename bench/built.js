import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'

/** Builds one module of the source as it is now, as the package has it, and imports it. */
export async function built(module) {
  const folder = mkdtempSync(join(tmpdir(), 'relay-bench-'))
  try {
    const input = fileURLToPath(new URL(`../${module}`, import.meta.url))
    await build({
      input,
      platform: 'node',
      output: { file: join(folder, 'module.mjs'), minify: true },
      logLevel: 'warn',
    })
    return await import(pathToFileURL(join(folder, 'module.mjs')).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
