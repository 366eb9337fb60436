import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerOf, filesOf } from './answers.js'
import { builtFile } from './built.js'
import { startDesktop } from './desktop.js'
import { bun, env, ms, once, project, scratch, spread, times, told } from './measure.js'
import { startWatching } from './watching.js'
import { wayland } from './wayland.js'

/**
 * What watching costs, and how soon a copy is noticed, read and applied: the binary on an X server of its own.
 *
 * @param idleSeconds how long nothing is copied; the cost of an hour is extrapolated from it
 */
export async function clipboard({ idleSeconds = once ? 1 : 60 } = {}) {
  const desktop = await startDesktop()
  // On a display of their own, where nothing is copied; what a runtime does in its first minute is over when they count.
  const quiet = await startDesktop()
  const waiting = await startWaiting(quiet)
  try {
    return [
      await firstLine(desktop),
      ...(await copies(desktop)),
      ...(await wayland()),
      await largeReads(desktop),
      await replay(desktop),
      ...(await idle(waiting, idleSeconds)),
    ]
  } finally {
    await waiting.stop()
    for (const each of [desktop, quiet]) await each.stop()
  }
}

async function watching(desktop, config) {
  const folder = project(config)
  const relay = startWatching(folder, desktop.more)
  await relay.until(({ event }) => event === 'watching', { what: 'that it watches' })
  return { ...relay, folder }
}

/** A program of the bench under the binary's runtime, line by line. */
async function startPart(desktop, module, ...args) {
  const begun = performance.now()
  const child = spawn(bun, [await builtFile(module, scratch()), ...args], {
    env: { ...env, ...desktop.more },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => (await lines.next()).value
  return { child, begun, next }
}

async function firstLine(desktop) {
  const [relay, floor] = [[], []]
  const folder = project()
  const bare = await builtFile('bench/bare-reader.js', scratch())
  for (let round = once ? 0 : -1; round < (once ? 1 : 12); round++) {
    const watch = startWatching(folder, desktop.more)
    await watch.until(({ event }) => event === 'watching', { what: 'that it watches' })
    await watch.stop()
    const begun = performance.now()
    const child = spawn(bun, [bare], { env: { ...env, ...desktop.more }, stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise(resolve => child.stdout.once('data', resolve))
    const took = performance.now() - begun
    child.kill()
    if (round < 0) continue
    relay.push(watch.firstLine())
    floor.push(took)
  }
  const [seen, least] = [spread(relay), spread(floor)]
  return {
    what: 'first “watching” line of the binary',
    goal: '≤ 40 ms',
    seen: told(seen),
    floor: `an X client under bun that is ready to hear: ${told(least)}`,
    ratio: times(seen.median / least.median),
    met: seen.median <= 40,
  }
}

/** From the copy to the event that the patch is recognised, and to the one that it is kept; each once all is quiet. */
async function copies(desktop) {
  const relay = await watching(desktop)
  const bare = await startPart(desktop, 'bench/bare-reader.js')
  if ((await bare.next()) !== 'ready') throw new Error('the bare reader did not start')
  const seen = { detected: [], kept: [], bare: [], disk: [] }
  for (let round = once ? 0 : -5; round < (once ? 1 : 60); round++) {
    const uuid = randomUUID()
    const text = answerOf(1, { uuid, seed: uuid })
    const heard = bare.next().then(line => [Number(line), performance.now()])
    const from = relay.events.length
    const at = await desktop.copy(text)
    const detected = await relay.until(each => each.event === 'detected' && each.uuid === uuid, { from })
    const kept = await relay.until(each => each.event === 'kept' && each.uuid === uuid, { from })
    const [length, bareAt] = await heard
    if (length !== text.length) throw new Error('the bare reader read another text')
    const [[path, content]] = filesOf(text)
    if (readFileSync(join(relay.folder, path), 'utf8') !== content) throw new Error('the file is not what was copied')
    const disk = writeSynced(relay.folder, content)
    if (round < 0) continue
    seen.detected.push(detected.came - at)
    seen.kept.push(kept.came - at)
    seen.bare.push(bareAt - at)
    seen.disk.push(disk)
    await sleep(20)
  }
  await relay.stop()
  bare.child.kill()
  const [detected, kept, least, disk] = [seen.detected, seen.kept, seen.bare, seen.disk].map(spread)
  return [
    {
      what: 'copy → patch recognised, X11 events',
      goal: '≤ 4 ms, p95 ≤ 15 ms',
      seen: `${told(detected)}, p95 ${ms(detected.p95)}`,
      floor: `the bare event and read: ${told(least)}, p95 ${ms(least.p95)}`,
      ratio: times(detected.median / least.median),
      met: detected.median <= 4 && detected.p95 <= 15,
    },
    {
      what: 'copy → kept, one file of 4 KB, no linter, `full`',
      goal: '≤ 100 ms',
      seen: `${told(kept)}, p95 ${ms(kept.p95)}`,
      floor: `fsync and rename of the same bytes: ${told(disk)}`,
      ratio: times(kept.median / disk.median),
      met: kept.median <= 100,
    },
  ]
}

function writeSynced(folder, content) {
  const begun = performance.now()
  const [path, temporary] = [join(folder, 'floor.txt'), join(folder, 'floor.tmp')]
  const file = openSync(temporary, 'w')
  writeSync(file, content)
  fsyncSync(file)
  closeSync(file)
  renameSync(temporary, path)
  const place = openSync(folder, 'r')
  fsyncSync(place)
  closeSync(place)
  return performance.now() - begun
}

async function largeReads(desktop) {
  const rounds = once ? 1 : 100
  const text = 'x'.repeat(5_000_000)
  const owner = spawn('xclip', ['-quiet', '-selection', 'clipboard', '-i'], {
    env: { ...env, ...desktop.more },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  owner.stdin.end(text)
  await sleep(500)
  const reader = await startPart(desktop, 'bench/read-often.js', String(rounds))
  const [reads, floor] = [[], []]
  let failures = 0
  for (let round = 0; round < rounds; round++) {
    const [took, length] = (await reader.next()).split(' ').map(Number)
    if (length !== text.length) failures += 1
    reads.push(took)
  }
  for (let round = 0; round < (once ? 1 : 20); round++) floor.push(await xclipReads(desktop, text.length))
  owner.kill()
  const [seen, least] = [spread(reads), spread(floor)]
  return {
    what: `reading 5 MB, ${rounds} times`,
    goal: '≤ 50 ms, 0 failures',
    seen: `${told(seen)}, ${failures} failures`,
    floor: `\`xclip -o\`: ${told(least)}`,
    ratio: times(seen.median / least.median),
    met: seen.median <= 50 && failures === 0,
  }
}

function xclipReads(desktop, expected) {
  return new Promise((resolve, reject) => {
    const begun = performance.now()
    const child = spawn('xclip', ['-selection', 'clipboard', '-o'], { env: { ...env, ...desktop.more } })
    let length = 0
    child.stdout.on('data', piece => {
      length += piece.length
    })
    child.once('close', () => {
      if (length === expected) resolve(performance.now() - begun)
      else reject(new Error(`xclip read ${length} bytes`))
    })
  })
}

/** One that hears, one that looks, and an empty process that waits. */
async function startWaiting(desktop) {
  await desktop.copy('nothing of interest')
  const hearing = await watching(desktop)
  // In the system's ticks: the threads that clear up in this time have ended when it is over.
  const started = hearing.cpu()
  const firstMinutes = sleep(once ? 1000 : 120_000).then(() => (hearing.cpu() - started) * 30)
  const looking = await watching(desktop, { clipboard: 'poll' })
  const empty = spawn(bun, ['-e', 'setInterval(() => {}, 1e9)'], { env, stdio: 'ignore' })
  return {
    pids: [hearing.pid, looking.pid, empty.pid],
    firstMinutes,
    async stop() {
      empty.kill()
      await hearing.stop()
      await looking.stop()
    },
  }
}

/** All at the same time. */
async function idle({ pids, firstMinutes }, seconds) {
  const before = pids.map(cpuOf)
  await sleep(seconds * 1000)
  const [hears, looks, floor] = pids.map((pid, at) => (cpuSince(before[at], cpuOf(pid)) * 3600) / seconds)
  const [hearing, looking, empty] = pids.map(residentOf)
  const early = await firstMinutes
  const inSeconds = value => `${value.toFixed(2)} s`
  const inMb = bytes => `${(bytes / 1e6).toFixed(0)} MB`
  return [
    {
      what: `idle watch: processor time in an hour, extrapolated from ${seconds} s`,
      goal: '≤ 1 s',
      seen: `${inSeconds(hears)}, by its first two minutes ${inSeconds(early)}; looking every 2 s with xclip: ${inSeconds(looks)}`,
      floor: `an empty process under bun that waits: ${inSeconds(floor)}`,
      ratio: times(hears / Math.max(floor, 0.01)),
      met: hears <= 1,
    },
    {
      what: 'idle watch: resident',
      goal: '≤ 60 MB',
      seen: `${inMb(hearing.all)}, ${inMb(hearing.files)} of them pages of files; looking: ${inMb(looking.all)}`,
      floor: `an empty process under bun: ${inMb(empty.all)}, ${inMb(empty.files)}`,
      ratio: times(hearing.all / empty.all),
      met: hearing.all <= 60e6,
    },
  ]
}

/** Nanoseconds of each of its threads, and seconds of its children that have ended. */
function cpuOf(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`).map(task => [
    task,
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'latin1').split(' ')[0]),
  ])
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ')
  return { tasks: new Map(tasks), children: (Number(fields[13]) + Number(fields[14])) / 100 }
}

/** Seconds; threads come and go. */
function cpuSince(before, after) {
  const own = [...after.tasks].reduce((sum, [task, took]) => sum + took - (before.tasks.get(task) ?? 0), 0)
  return own / 1e9 + after.children - before.children
}

/** How much of the memory a process has, and how much of that is read from files: the system has those pages once. */
function residentOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  const [all, files] = ['VmRSS', 'RssFile'].map(key => Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)?.[1]) * 1024)
  return { all, files }
}

/**
 * 50 patches with a linter that takes 4 s, the next copied as soon as the one before is kept: how many are on the disk
 * 150 ms after their copy. In five projects at once, since they mostly sleep; each has a first patch without a check
 * before it that could count.
 */
async function replay(desktop) {
  const [projects, each, linter] = once ? [2, 1, 'true'] : [5, 10, 'sleep 4']
  const relays = []
  for (let number = 0; number < projects; number++) {
    const projectId = `bench-${number}`
    relays.push({ projectId, relay: await watching(desktop, { projectId, linter }) })
  }
  const written = []
  const checked = []
  // One clipboard for all: a copy has to be read before the next one takes its place.
  let turn = Promise.resolve()
  const copyInTurn = text => {
    const copied = turn.then(async () => {
      const at = await desktop.copy(text)
      while (desktop.reads() < projects) await sleep(1)
      return at
    })
    turn = copied
    return copied
  }
  await Promise.all(
    relays.map(async ({ projectId, relay }) => {
      for (let number = 0; number < each; number++) {
        const uuid = randomUUID()
        const from = relay.events.length
        const at = await copyInTurn(answerOf(1, { uuid, projectId, seed: uuid }))
        const done = await relay.until(({ event }) => event === 'written', { from })
        written.push(done.came - at)
        const kept = await relay.until(event => event.event === 'kept' && event.uuid === uuid, { from })
        checked.push(kept.came - at)
      }
      await relay.stop()
    }),
  )
  const soon = written.filter(took => took <= 150).length
  const share = soon / written.length
  return {
    what: `replay of ${written.length} patches with a linter of 4 s, in ${projects} projects at once: written ≤ 150 ms after the copy`,
    goal: '≥ 80 %',
    seen: `${Math.round(share * 100)} %; written after ${told(spread(written))}, kept after ${told(spread(checked))}`,
    floor: 'the linter alone: 4.0 s',
    ratio: `${(spread(checked).median / 4000).toFixed(2)} ×`,
    met: share >= 0.8,
  }
}
