import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerOf } from './answers.js'
import { env, missing, ms, once, project, scratch, spread, times, told } from './measure.js'
import { startWatching } from './watching.js'

const nobody = 65534

/** From the start of wl-copy to the event that the patch is recognised, on sway without a screen; none without sway. */
export async function wayland() {
  if (missing('sway', 'wl-copy', 'wl-paste', 'setpriv').length > 0) return []
  const sway = await startSway()
  const relay = startWatching(project(), sway.more)
  await relay.until(({ event }) => event === 'watching', { what: 'that it watches' })
  const bare = spawn('wl-paste', ['--watch', 'wc', '-c'], {
    env: { ...env, ...sway.more },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let hear = () => {}
  createInterface({ input: bare.stdout }).on('line', line => hear(Number(line)))
  const seen = { detected: [], bare: [] }
  let owner
  for (let round = once ? 0 : -3; round < (once ? 1 : 30); round++) {
    const uuid = randomUUID()
    const text = answerOf(1, { uuid, seed: uuid })
    const heard = new Promise(resolve => {
      hear = length => length === text.length && resolve(performance.now())
    })
    const from = relay.events.length
    const at = performance.now()
    const before = owner
    owner = spawn('wl-copy', ['--foreground', '--type', 'text/plain'], {
      env: { ...env, ...sway.more },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    owner.stdin.end(text)
    const isSeen = event => event.event === 'detected' && event.uuid === uuid
    const detected = await relay.until(isSeen, { from, what: `patch ${round}` })
    const bareAt = await heard
    await relay.until(({ event }) => event === 'kept', { from })
    before?.kill()
    if (round < 0) continue
    seen.detected.push(detected.came - at)
    seen.bare.push(bareAt - at)
    await sleep(20)
  }
  await relay.stop()
  for (const child of [bare, owner, sway.server]) child.kill('SIGKILL')
  const [detected, floor] = [spread(seen.detected), spread(seen.bare)]
  return [
    {
      what: 'copy → patch recognised, Wayland, the start of `wl-copy` included',
      goal: '≤ 40 ms',
      seen: `${told(detected)}, p95 ${ms(detected.p95)}`,
      floor: `\`wl-paste --watch\` alone: ${told(floor)}`,
      ratio: times(detected.median / floor.median),
      met: detected.median <= 40,
    },
  ]
}

/** sway does not run as root. */
async function startSway() {
  const folder = scratch()
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, nobody, nobody)
  const words = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : []
  const [program, ...args] = [...words, 'sway', '-c', '/dev/null']
  const own = { WLR_BACKENDS: 'headless', WLR_LIBINPUT_NO_DEVICES: '1', WLR_RENDERER: 'pixman', HOME: folder }
  const server = spawn(program, args, { env: { ...env, XDG_RUNTIME_DIR: folder, ...own }, stdio: 'ignore' })
  process.once('exit', () => server.kill('SIGKILL'))
  for (const end = performance.now() + 10_000; !existsSync(join(folder, 'wayland-1')); await sleep(50)) {
    if (performance.now() > end) throw new Error('sway did not start')
  }
  return { server, more: { XDG_RUNTIME_DIR: folder, WAYLAND_DISPLAY: 'wayland-1' } }
}
