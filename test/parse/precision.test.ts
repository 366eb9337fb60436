import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseResponse } from '../../src/parse/parse-response.ts'
import { control, write } from '../support/answer.ts'

const root = new URL('../../', import.meta.url)

/** Every text of this repository, each as the one file of an instructed answer. */
const own = ['src', 'test', 'docs', 'bench', 'bin', 'README.md', 'CHANGELOG.md', 'package.json', 'biome.json']
  .flatMap(filesIn)
  .map(path => ({ path, content: readFileSync(new URL(path, root), 'utf8') }))
  .filter(({ content }) => content.trim() !== '' && !content.includes('\u0000') && !content.includes('\r'))

function filesIn(path: string): readonly string[] {
  try {
    return readdirSync(new URL(`${path}/`, root), { withFileTypes: true })
      .filter(entry => !entry.isSymbolicLink())
      .flatMap(entry => (entry.isDirectory() ? filesIn(`${path}/${entry.name}`) : [`${path}/${entry.name}`]))
  } catch {
    return [path]
  }
}

/** A fence that is longer than each one inside, as the format's description advises. */
function answerOf(path: string, content: string): string {
  const longest = Math.max(2, ...[...content.matchAll(/`{3,}/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `I changed it.\n\n${fence}ts // ${path}\n// START\n\n${content}\n// END\n${fence}\n\n${control(`edit: ${path}`)}`
}

/** Files about placeholders and citations hold some. */
const holdDamage = /^test\/fixtures\/|placeholder|residue|rules\.test/

describe('precision: at most 2 of 100 sound answers raise a doubt without cause', () => {
  const sound = own.filter(({ path }) => !holdDamage.test(path))

  it(`holds for this project's own files, each of which comes back byte for byte`, () => {
    const doubted: string[] = []
    for (const { path, content } of sound) {
      const parsed = parseResponse(answerOf(path, content), 'demo')
      const closed = content.endsWith('\n') ? content : `${content}\n`
      if (parsed.kind !== 'patch') throw new Error(`${path} is ${parsed.kind}`)
      expect(parsed.patch.operations).toEqual([write(path, closed)])
      for (const flag of parsed.patch.flags) doubted.push(`${basename(path)}: ${flag.flag} ${flag.text ?? flag.reason}`)
    }
    expect(sound.length).toBeGreaterThan(200)
    expect(doubted.length / sound.length, doubted.join('\n')).toBeLessThanOrEqual(0.02)
  })

  it('holds for the answers among the fixtures', () => {
    const folder = new URL('../fixtures/', import.meta.url)
    const answers = readdirSync(new URL('responses/', folder)).filter(name => name.endsWith('.md'))
    const doubted = answers.filter(name => {
      const parsed = parseResponse(readFileSync(new URL(`responses/${name}`, folder), 'utf8'), 'demo')
      return parsed.kind !== 'patch' || parsed.patch.flags.length > 0
    })
    expect(answers.length).toBeGreaterThanOrEqual(90)
    expect(doubted.length / answers.length, doubted.join('\n')).toBeLessThanOrEqual(0.02)
  })
})
