import { spawn } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { treeOf } from '../faults/world.ts'
import { drawn } from '../support/drawn.ts'
import { runRelay } from '../support/real-relay.ts'
import { respond } from '../support/respond.ts'
import { scratchProject } from '../support/scratch-project.ts'

const flip = fileURLToPath(new URL('../fixtures/flip.mjs', import.meta.url))
const rounds = 6
const names = Array.from({ length: 12 }, (_, index) => `src/file-${index}.ts`)

const folders = drawn('raced', [
  { flipped: 'src', what: 'a folder of the project' },
  { flipped: 'src/deep', what: 'a folder in one' },
  { flipped: '.relaycode', what: 'relay’s own' },
  { flipped: '.relaycode/lock', what: 'a folder in relay’s own' },
])

/** What is in the project in a round: all of it is of that round, or of an earlier one. */
function filesOf(round: number): Record<string, string | null> {
  const files = Object.fromEntries([...names, 'src/deep/file.ts'].map(path => [path, `round ${round}\n`]))
  return { ...files, [`src/new-${round}.ts`]: 'new\n', [`src/deep/fresh/new-${round}.ts`]: 'new\n' }
}

/**
 * Exchanges a folder for a link to `outside`, and back, until it is told to stop; then the folder is there again. Answers
 * whether it was never away for so long that it had to be taken for removed.
 */
async function flipping(folder: string, outside: string): Promise<() => Promise<boolean>> {
  const flipper = spawn(process.execPath, [flip, folder, outside], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise(resolve => flipper.stdout?.once('data', resolve))
  return async () => {
    const end = new Promise(resolve => flipper.once('exit', resolve))
    flipper.kill('SIGKILL')
    await end
    const isReal = existsSync(folder) && lstatSync(folder).isDirectory()
    if (isReal) rmSync(`${folder}.real`, { recursive: true, force: true })
    else {
      rmSync(folder, { force: true })
      renameSync(`${folder}.real`, folder)
    }
    rmSync(`${folder}.link`, { recursive: true, force: true })
    const isLate = existsSync(`${folder}.late`)
    rmSync(`${folder}.late`, { force: true })
    return !isLate
  }
}

describe.concurrent('a folder that becomes a link while a patch is applied', () => {
  it.for(folders)('lets nothing out: $what', { timeout: 240_000 }, async ({ flipped }, { onTestFinished }) => {
    const start = Object.fromEntries(Object.entries(filesOf(0)).map(([path, text]) => [path, text ?? '']))
    const project = scratchProject(start, { postCommand: 'sleep 0.05' })
    // What an attacker would like to be changed: the same names with the same content, so that nothing looks odd.
    const outside = mkdtempSync(join(tmpdir(), 'relay-outside-'))
    onTestFinished(() => {
      project.remove()
      rmSync(outside, { recursive: true, force: true })
    })
    for (const folder of ['deep', 'deep/fresh', 'lock', 'rescue']) mkdirSync(join(outside, folder))
    for (const path of [...names, 'src/deep/file.ts']) {
      writeFileSync(join(outside, path.slice(flipped === 'src/deep' ? 9 : 4)), 'round 0\n')
    }
    expect((await runRelay(['recover'], { cwd: project.root })).code).toBe(0)
    const before = treeOf(outside)

    const ends: { code: number | null; stderr: string }[] = []
    for (let round = 1; round <= rounds; round++) {
      const uuid = `0b8f4f62-7d5e-4f5c-9a0e-${String(round).padStart(12, '0')}`
      const stop = await flipping(join(project.root, flipped), outside)
      const { code, stderr } = await runRelay(['apply'], {
        cwd: project.root,
        stdin: respond(filesOf(round), { uuid }),
      })
      ends.push({ code, stderr })
      const isInTime = await stop()
      expect(treeOf(outside)).toEqual(before)

      // Where relay's own was exchanged, what it knows may be gone with it.
      if (flipped === '.relaycode') continue
      // On a machine that was busy elsewhere the folder was removed, and relay's is another one.
      if (!isInTime) break
      // Else what is in the project is whole, once the folder is back.
      const recovered = await runRelay(['recover'], { cwd: project.root })
      expect(recovered).toMatchObject({ code: 0 })
      const texts = new Set([...names, 'src/deep/file.ts'].map(path => project.read(path)))
      expect([...texts], `${code} ${recovered.stderr}`).toHaveLength(1)
    }
    // 3: when the commands had ended the folder was away, and what is gone cannot be kept unasked.
    expect(ends.filter(({ code }) => code === null || ![0, 1, 3, 5, 6, 7, 8].includes(code))).toEqual([])
  })
})
