import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findProgram } from '../../src/system/find-program.ts'
import { relay } from './program.ts'
import { everything } from './sample.ts'
import { answer, inWorld, layOut } from './world.ts'

const args = ['apply', '--yes', '--allow-sensitive', '-']
const long = 600_000

it.runIf(everything).each([
  ['new ones', false],
  ['changed ones', true],
] as const)('applies ten thousand files: %s', { timeout: long }, async (_name, there) => {
  await inWorld({}, async world => {
    const line = 'export const value = compute(1, 2, 3)\n'
    const files: Record<string, string> = {}
    for (let n = 0; n < 10_000; n += 1) files[`src/part-${n % 100}/file-${n}.ts`] = `// ${n}\n${line.repeat(40)}`
    if (there) {
      for (let n = 0; n < 100; n += 1) mkdirSync(join(world.root, `src/part-${n}`), { recursive: true })
      for (const path of Object.keys(files)) writeFileSync(join(world.root, path), 'old\n'.repeat(40))
    }
    const began = performance.now()
    const { code, stderr } = await relay(args, { cwd: world.root, stdin: answer(files) })
    const seconds = (performance.now() - began) / 1000
    console.log(`10,000 files, ${_name}: ${seconds.toFixed(1)} s`)
    expect(code, stderr.slice(-2000)).toBe(0)
    expect(world.read('src/part-99/file-9999.ts')).toBe(files['src/part-99/file-9999.ts'])
  })
})

it.runIf(everything)('applies one file of 50 MB', { timeout: long }, async () => {
  await inWorld({}, async world => {
    const text = `${'x'.repeat(99)}\n`.repeat(500_000)
    const began = performance.now()
    const { code, stderr } = await relay(args, { cwd: world.root, stdin: answer({ 'new.ts': text }) })
    console.log(`one file of 50 MB: ${((performance.now() - began) / 1000).toFixed(1)} s`)
    expect(code, stderr.slice(-2000)).toBe(0)
    expect(readFileSync(join(world.root, 'new.ts')).length).toBe(text.length)
    const again = await relay(['recover'], { cwd: world.root })
    expect(again.code).toBe(0)
  })
})

it.runIf(everything)(
  'says of more than fits into one entry that it is too much, and touches nothing',
  { timeout: long },
  async () => {
    await inWorld({}, async world => {
      const config = { projectId: 'demo', limits: { fileBytes: 1e9 } }
      writeFileSync(join(world.root, 'relaycode.config.json'), JSON.stringify(config))
      const big = join(world.root, 'big.bin')
      writeFileSync(big, '')
      truncateSync(big, 420 * 1024 * 1024)
      const { code, stderr } = await relay(args, { cwd: world.root, stdin: answer({ 'big.bin': null }) })
      expect({ code, size: statSync(big).size }, stderr.slice(-2000)).toEqual({ code: 8, size: 420 * 1024 * 1024 })
      expect(stderr.replace(/\s+/g, ' ')).toContain('more than fits into one entry (512 MB) no file had changed')
    })
  },
)

const strace = findProgram('strace')

// How long it takes is measured by `npm run bench`; here it is what is asked of the disk, which no busy machine changes.
it.runIf(strace !== null || process.env['CI'] !== undefined)(
  'looks at no more files because the journal is long',
  { timeout: long },
  async () => {
    const count = everything ? 10_000 : 2000
    const [empty, full] = [layOut(), layOut()]
    const folder = mkdtempSync(join(tmpdir(), 'relay-trace-'))
    try {
      const apply = async (world: typeof empty, n: number, before: readonly string[]) => {
        const stdin = answer({ 'new.ts': `${n}\n` }, randomUUID())
        const { code, stderr } = await relay(args, { cwd: world.root, stdin, before })
        expect(code, stderr).toBe(0)
      }
      await apply(empty, 0, [])
      await apply(full, 0, [])
      lengthen(join(full.root, '.relaycode'), count)

      const callsOf = async (world: typeof empty) => {
        const log = join(folder, 'log')
        await apply(world, 1, [strace ?? '', '-f', '-qq', '-e', 'trace=%file,getdents64,read,pread64', '-o', log])
        return readFileSync(log, 'utf8').split('\n').length
      }
      const [without, withAll] = [await callsOf(empty), await callsOf(full)]
      console.log(`a transaction: ${without} calls; with ${count} entries: ${withAll}`)
      expect(without).toBeGreaterThan(100)
      expect(withAll - without).toBeLessThan(count / 20)
    } finally {
      empty.remove()
      full.remove()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)

/** Gives a journal with one entry so many that are like it. */
function lengthen(folder: string, count: number): void {
  const [line = ''] = readFileSync(join(folder, 'history.jsonl'), 'utf8').split('\n')
  const first = JSON.parse(line) as { readonly uuid: string }
  const entry = readFileSync(join(folder, `${first.uuid}.yml`), 'utf8')
  let lines = ''
  for (let n = 2; n <= count; n += 1) {
    const uuid = randomUUID()
    writeFileSync(join(folder, `${uuid}.yml`), entry.replace(first.uuid, uuid).replace('number: 1', `number: ${n}`))
    lines += `${JSON.stringify({ ...first, number: n, uuid })}\n`
  }
  appendFileSync(join(folder, 'history.jsonl'), lines)
}
