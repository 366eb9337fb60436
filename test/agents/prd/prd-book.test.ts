import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loopPaths } from '../../../src/agents/prd/loop-files.ts'
import { prdBook } from '../../../src/agents/prd/prd-book.ts'
import type { Files } from '../../../src/ports.ts'
import { realSystem } from '../../../src/system/system.ts'
import { prdText, story } from './prd-world.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'relay-book-'))
  for (const folder of ['checkout', 'own']) mkdirSync(join(root, folder))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const system = realSystem({ version: '0', noInput: true, trace: false, interruption: new AbortController() })
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const turn = {
  marker: 'COMPLETE',
  status: 'ok',
  text: '',
  usage: {},
  sessionId: undefined,
  why: '',
  log: undefined,
} as const

/** Somebody saves both files of the loop when relay is about to replace one of them. */
function savedBeside(save: () => void): Files {
  return new Proxy(system.files, {
    get(target, name: keyof Files) {
      if (name !== 'rename') return target[name]
      return async (from: string, to: string) => {
        if (from.endsWith('.new')) save()
        return target.rename(from, to)
      }
    },
  })
}

it('keeps what the user saves while relay writes down that a story passes', async () => {
  const text = prdText([story('US-1'), story('US-2')])
  const header = '# Ralph Progress Log\nStarted: now\n---\n'
  writeFileSync(join(root, 'prd.json'), text)
  writeFileSync(join(root, 'progress.txt'), header)
  let isSaved = false
  const files = savedBeside(() => {
    if (isSaved) return
    isSaved = true
    writeFileSync(join(root, 'prd.json'), text.replace('Priorities of tasks', 'Mine'))
    writeFileSync(join(root, 'progress.txt'), `${header}## mine\n---\n`)
  })
  const place = { root, paths: loopPaths('prd.json'), folder: join(root, 'own'), lastPrd: join(root, 'own/last') }
  const how = { branch: 'ralph/priority', isHere: true, ignored: new Set<string>(), allow: 'any' } as const
  const book = prdBook({ ...place, ...how }, { ...system, files })
  const task = { id: 'US-1', title: 'One' }
  const facts = { cwd: join(root, 'checkout'), attempt: 1, before: [], isResumed: false, ms: 0 }
  await book.envelope(task, facts)
  writeFileSync(join(root, 'checkout/progress.txt'), `${header}## the agent's\n---\n`)
  expect(await book.settle(task, turn, [], facts)).toMatchObject({ kind: 'done' })
  expect(isSaved).toBe(false)
  await book.write({ task, attempts: 1, ms: 0, usage: {}, result: { kind: 'done' } })
  expect(isSaved).toBe(true)
  const prd = JSON.parse(read('prd.json')) as { description: string; userStories: { passes: boolean }[] }
  expect([prd.description, prd.userStories.map(({ passes }) => passes)]).toEqual(['Mine', [true, false]])
  expect(read('progress.txt')).toBe(`${header}## mine\n---\n## the agent's\n---\n`)
})
