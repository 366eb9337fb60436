import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { digest } from '../../src/ground/bytes.ts'

const bun = fileURLToPath(new URL('../../node_modules/.bin/bun', import.meta.url))
const source = fileURLToPath(new URL('../../src/ground/bytes.ts', import.meta.url))

const parts = [['abc'], [''], ['wörld ✅ ', '\ud800'], [Buffer.from([0xff, 0, 1]), 'a'], [new Uint8Array(100_000)]]
const expected = parts.map(all => {
  const hash = createHash('sha256')
  for (const part of all) hash.update(part)
  return hash.digest('hex')
})

describe('a digest', () => {
  it('is what Node says', () => {
    expect(parts.map(all => digest('sha256', ...all))).toEqual(expected)
    expect(digest('sha1', 'blob 3\0', 'abc')).toBe('f2ba8f84ab5c1bce84a7b441cb1959cfc7093b7f')
  })

  it('is the same under bun', () => {
    const script = `import { digest } from ${JSON.stringify(source)}
      const parts = [['abc'], [''], ['wörld ✅ ', '\\ud800'], [Buffer.from([0xff, 0, 1]), 'a'], [new Uint8Array(100_000)]]
      console.log(JSON.stringify([...parts.map(all => digest('sha256', ...all)), digest('sha1', 'blob 3\\0', 'abc')]))`
    const { stdout, stderr } = spawnSync(bun, ['-e', script], { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual([...expected, digest('sha1', 'blob 3\0', 'abc')])
  })
})
