import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'
import config from '../rolldown.config.js'

/** Builds one module of the source as it is now, as the package has it, and imports it. */
export async function built(module) {
  const folder = mkdtempSync(join(tmpdir(), 'relay-bench-'))
  try {
    return await import(pathToFileURL(await builtFile(module, folder)).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The same for another process; answers the file. */
export async function builtFile(module, folder) {
  const file = join(folder, `${basename(module, '.js')}.mjs`)
  const input = fileURLToPath(new URL(`../${module}`, import.meta.url))
  await build({
    input,
    platform: 'node',
    resolve: config.resolve,
    output: { file, minify: true, codeSplitting: false },
    logLevel: 'warn',
  })
  return file
}
