import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { relay } from './program.ts'
import { everything } from './sample.ts'
import { answer, layOut } from './world.ts'

const args = ['apply', '--yes', '--allow-sensitive', '-']
const long = 600_000

it.runIf(everything).each([
  ['new ones', false],
  ['changed ones', true],
] as const)('applies ten thousand files within 20 seconds: %s', { timeout: long }, async (_name, there) => {
  const world = layOut()
  try {
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
    expect(seconds).toBeLessThan(20)
  } finally {
    world.remove()
  }
})

it.runIf(everything)('applies one file of 50 MB', { timeout: long }, async () => {
  const world = layOut()
  try {
    const text = `${'x'.repeat(99)}\n`.repeat(500_000)
    const began = performance.now()
    const { code, stderr } = await relay(args, { cwd: world.root, stdin: answer({ 'new.ts': text }) })
    console.log(`one file of 50 MB: ${((performance.now() - began) / 1000).toFixed(1)} s`)
    expect(code, stderr.slice(-2000)).toBe(0)
    expect(readFileSync(join(world.root, 'new.ts')).length).toBe(text.length)
    const again = await relay(['recover'], { cwd: world.root })
    expect(again.code).toBe(0)
  } finally {
    world.remove()
  }
})

it('pays nothing for ten thousand entries in the journal', { timeout: long }, async () => {
  const count = everything ? 10_000 : 2000
  const [empty, full] = [layOut(), layOut()]
  try {
    const time = async (world: typeof empty, n: number) => {
      const stdin = answer({ 'new.ts': `${n}\n` }, randomUUID())
      const began = performance.now()
      const { code, stderr } = await relay(args, { cwd: world.root, stdin })
      expect(code, stderr).toBe(0)
      return performance.now() - began
    }
    await time(empty, 0)
    await time(full, 0)
    const folder = join(full.root, '.relaycode')
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
    // The quickest of several, in turns: whatever else the machine does meanwhile only makes some slower.
    let [without, withAll] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let round = 1; round <= (everything ? 12 : 5); round += 1) {
      without = Math.min(without, await time(empty, round))
      withAll = Math.min(withAll, await time(full, round))
    }
    console.log(`a transaction: ${Math.round(without)} ms; with ${count} entries: ${Math.round(withAll)} ms`)
    expect(withAll - without).toBeLessThan(100)
  } finally {
    empty.remove()
    full.remove()
  }
})
