// `npm run soak`: relay watch for some minutes on a desktop of its own, among thousands of copies and hundreds of
// patches. It fails unless each patch was applied exactly once, in order, and nothing is left behind.
// `npm run soak -- --minutes 10 --changes 20000 --every 10 --bundle`
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { answerOf, filesOf } from './answers.js'
import { startDesktop } from './desktop.js'
import { binary, bundle, missing, project, spread } from './measure.js'
import { startWatching } from './watching.js'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '4' },
    changes: { type: 'string', default: '6000' },
    every: { type: 'string', default: '10' },
    bundle: { type: 'boolean', default: false },
    'keep-display': { type: 'boolean', default: false },
  },
})
const [minutes, changes, every] = [values.minutes, values.changes, values.every].map(Number)
const lacking = missing('Xvfb')
if (lacking.length > 0) throw new Error('Needs Xvfb (Debian: apt-get install xvfb).')

const desktop = await startDesktop()
const folder = realpathSync(project({ projectId: 'soak', linter: 'true' }))
const command = values.bundle ? [process.execPath, bundle] : [binary]
const relay = startWatching(folder, desktop.more, command)
await relay.until(({ event }) => event === 'watching', { what: 'that it watches' })

/** What was copied for relay, in order. */
const patches = []
const megabyte = 'a line of text that is nothing for us ✅\n'.repeat(25_000)

function patch() {
  const uuid = randomUUID()
  const text = answerOf(1 + (patches.length % 3), { uuid, projectId: 'soak', seed: uuid, bytes: 2048 })
  patches.push({ uuid, text })
  return text
}

/** One copy; ends when it has been read, since what nobody had the time to read may be missed. */
async function copyOne(number) {
  if (number % every === 0) return readWhole(patch())
  switch (number % 23) {
    case 1:
      return readWhole(megabyte + number)
    case 2:
      return readWhole(answerOf(1, { uuid: randomUUID(), projectId: 'another', bytes: 2048 }))
    case 3:
      return desktop.copyPicture()
    case 4:
      // A patch that was applied already.
      return patches.length > 5 ? readWhole(patches.at(-5).text) : undefined
    case 5:
      // In one go, as a script does it.
      for (let more = 0; more < 10; more++) await desktop.copy(`burst ${number} ${more}`)
      return undefined
    default:
      await desktop.copy(`${number}: ${'nothing for us. '.repeat(number % 100)}`)
  }
}

async function readWhole(text) {
  await desktop.copy(text)
  for (const end = performance.now() + 10_000; desktop.reads() === 0; await sleep(1)) {
    if (performance.now() > end) throw new Error('relay did not read what was copied within 10 s')
  }
}

function untilKept(patch) {
  const isKept = ({ event, uuid }) => event === 'kept' && uuid === patch.uuid
  return relay.until(isKept, { what: 'that it kept the last patch', patience: 60_000 })
}

const rss = []
const begun = performance.now()
const cpuBefore = relay.cpu()
for (let number = 0; number < changes; number++) {
  const due = begun + (number / changes) * minutes * 60_000
  if (performance.now() < due) await sleep(due - performance.now())
  await copyOne(number)
  if (number % 50 === 0) rss.push(relay.rss())
  if (number === Math.floor(changes / 2) && !values['keep-display']) {
    // What is copied while it goes away cannot be had any more.
    await untilKept(patches.at(-1))
    const from = relay.events.length
    await desktop.restart()
    const isBack = ({ event, state }) => event === 'clipboard' && state === 'back'
    await relay.until(isBack, { from, what: 'that the display is back', patience: 60_000 })
  }
}
await untilKept(patches.at(-1))
rss.push(relay.rss())
const seconds = (performance.now() - begun) / 1000
const cpu = relay.cpu() - cpuBefore

const faults = []
const expect = (isSo, words) => {
  if (!isSo) faults.push(words)
}
const end = await relay.stop()
await desktop.stop()

const kept = relay.events.filter(({ event }) => event === 'kept').map(({ uuid }) => uuid)
expect(
  kept.join() === patches.map(({ uuid }) => uuid).join(),
  `kept ${kept.length} (${new Set(kept).size} different) of ${patches.length} patches, or in another order`,
)
const files = new Map(patches.flatMap(({ text }) => filesOf(text)))
for (const [path, text] of files) {
  expect(readFileSync(join(folder, path), 'utf8') === text, `${path} does not hold what the last patch wrote`)
}
const entries = new Set(patches.map(({ uuid }) => `${uuid}.yml`))
const known = ['.gitignore', 'all-ended', 'history.jsonl', 'last-checks.json', 'lock', 'output', 'rescue', 'watch']
const names = readdirSync(join(folder, '.relaycode'))
for (const name of names) expect(entries.delete(name) || known.includes(name), `.relaycode/${name} is left over`)
expect(entries.size === 0, `${entries.size} entries are missing in .relaycode/`)
for (const name of ['lock', 'rescue', 'watch']) {
  const path = join(folder, '.relaycode', name)
  const left = existsSync(path) ? readdirSync(path) : []
  expect(left.length === 0, `.relaycode/${name} holds ${left.join(', ')}`)
}
const errors = relay.events.filter(({ event }) => event === 'error' || event === 'rolled-back' || event === 'refused')
expect(errors.length === 0, `told of ${errors.length} failures: ${JSON.stringify(errors[0])}`)
expect(end.code === 0, `relay ended with ${end.code ?? end.signal}: ${relay.said().slice(-500)}`)
const left = processesIn(folder)
expect(left.length === 0, `these processes are left: ${left.join(', ')}`)
const [start, middle, ending] = [0.1, 0.5, 1].map(share => {
  // A short run has fewer samples than tenths.
  const at = Math.max(1, Math.floor(rss.length * share))
  return spread(rss.slice(Math.max(0, at - Math.ceil(rss.length / 10)), at)).median
})
// At the beginning it grows to what it takes.
expect(rss.length < 20 || ending < middle * 1.2, 'memory grows')

const inMb = bytes => `${(bytes / 1e6).toFixed(1)} MB`
console.log(
  [
    `${changes} changes of the clipboard in ${Math.round(seconds)} s, ${patches.length} patches, each kept once: ${faults.length === 0}`,
    `resident: ${inMb(start)} in the first tenth, ${inMb(middle)} in the middle, ${inMb(ending)} in the last; at most ${inMb(Math.max(...rss))}`,
    `processor: ${cpu.toFixed(1)} s, its linter included`,
    ...faults.map(words => `✖ ${words}`),
  ].join('\n'),
)
process.exitCode = faults.length === 0 ? 0 : 1

function processesIn(folder) {
  return readdirSync('/proc').filter(pid => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder
    } catch {
      return false
    }
  })
}
