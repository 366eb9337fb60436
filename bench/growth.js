import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answerOf } from './answers.js'
import { binary, ms, once, project, spread, timed, times } from './measure.js'

/** Whether twice as much takes twice as long, and whether a long journal costs a new transaction anything. */
export async function growth() {
  return [files(), bytes(), journal()]
}

function applied(folder, answer) {
  writeFileSync(join(folder, 'answer.md'), answer)
  // What the run before left for the disk to write is not this one's.
  spawnSync('sync')
  return timed([binary, 'apply', 'answer.md'], { cwd: folder })
}

function files() {
  const sizes = once ? [1, 2, 3, 4] : [10, 100, 1000, 10_000]
  const took = sizes.map(count => {
    const all = Array.from({ length: once || count > 1000 ? 1 : 3 }, () =>
      applied(project(), answerOf(count, { uuid: randomUUID() })),
    )
    return spread(all).median
  })
  const perFile = (took[3] - took[2]) / 9000 / ((took[2] - took[1]) / 900)
  return {
    what: 'apply 10, 100, 1,000, 10,000 files of 4 KB',
    goal: 'linear; 10,000 in ≤ 20 s',
    seen: took.map(ms).join(', '),
    floor: 'a file more: from 1,000 to 10,000 over from 100 to 1,000',
    ratio: times(perFile),
    met: perFile <= 1.3 && took[3] <= 20_000,
  }
}

function bytes() {
  const sizes = once ? [1000, 2000, 3000, 4000, 5000] : [10_000, 100_000, 1_000_000, 10_000_000, 50_000_000]
  const took = sizes.map(size => {
    const all = Array.from({ length: once ? 1 : 3 }, () =>
      applied(project(), answerOf(1, { uuid: randomUUID(), bytes: size })),
    )
    return spread(all).median
  })
  const perByte = (took[4] - took[3]) / 40 / ((took[3] - took[2]) / 9)
  return {
    what: 'apply one file of 10 KB, 100 KB, 1 MB, 10 MB, 50 MB',
    goal: 'linear',
    seen: took.map(ms).join(', '),
    floor: 'a byte more: from 10 to 50 MB over from 1 to 10 MB',
    ratio: times(perByte),
    met: perByte <= 1.3,
  }
}

function journal() {
  const [short, long] = [project(), project()]
  for (const folder of [short, long]) applied(folder, answerOf(1, { uuid: randomUUID(), seed: 'first' }))
  fill(long, once ? 100 : 10_000)
  const took = { short: [], long: [] }
  for (let round = 0; round < (once ? 2 : 30); round++) {
    for (const [name, folder] of Object.entries({ short, long })) {
      const ms = applied(folder, answerOf(1, { uuid: randomUUID(), folder: `round-${round}` }))
      if (round > 0) took[name].push(ms)
    }
  }
  const [few, many] = [spread(took.short), spread(took.long)]
  return {
    what: 'apply one file after 10,000 entries',
    goal: 'costs nothing',
    seen: ms(many.median),
    floor: `after ${readdirSync(join(short, '.relaycode')).length} entries: ${ms(few.median)}`,
    ratio: times(many.median / few.median),
    met: many.median <= few.median * 1.15,
  }
}

/** Entries as relay writes them, copied with other numbers and uuids. */
function fill(folder, count) {
  const state = join(folder, '.relaycode')
  mkdirSync(state, { recursive: true })
  const lines = []
  for (let number = 2; number <= count; number++) {
    const uuid = randomUUID()
    const at = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString()
    const head = `version: 1\nnumber: ${number}\nuuid: ${uuid}\nprojectId: bench\ncreatedAt: ${at}\nsource: stdin\nchangeSummary: []\nreasoning: []\nflags: []\n`
    const operations =
      'operations:\n  - op: delete\n    path: gone.js\nsnapshot:\n  gone.js: null\ncreatedFolders: []\n'
    const end = `checks:\n  before: { errors: null }\n  after: { errors: null }\nwritten: {}\noutcome:\n  kind: committed\n  by: auto\n  at: ${at}\n`
    writeFileSync(join(state, `${uuid}.yml`), head + operations + end)
    lines.push(JSON.stringify({ number, uuid, at, outcome: 'committed', operations: 'x', paths: {} }))
  }
  writeFileSync(join(state, 'history.jsonl'), `${lines.join('\n')}\n`, { flag: 'a' })
}
