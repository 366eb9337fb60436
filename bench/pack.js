import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, ms, once, project, scratch, sideBySide, spread, timed, times, told } from './measure.js'

/** How long a pack takes with tokens and secrets on, beside repomix with the same, and whether it is linear. */
export async function pack() {
  return [growth(), ...(await besideRepomix())]
}

const node = process.execPath
const out = join(scratch(), 'out.md')

function growth() {
  const sizes = once ? [1, 2, 3, 4] : [1250, 2500, 5000, 10_000]
  const took = sizes.map(files => {
    const folder = filled(files)
    return spread(Array.from({ length: once ? 1 : 5 }, () => packed(folder))).median
  })
  const perFile = (took[3] - took[2]) / 5000 / ((took[2] - took[1]) / 2500)
  return {
    what: 'pack 1,250, 2,500, 5,000, 10,000 files of 500 bytes',
    goal: 'linear',
    seen: took.map(ms).join(', '),
    floor: 'a file more: from 5,000 to 10,000 over from 2,500 to 5,000',
    ratio: times(perFile),
    met: perFile <= 1.3,
  }
}

async function besideRepomix() {
  const repomix = once ? undefined : findRepomix()
  if (repomix === undefined) return []
  const folder = filled(10_000)
  const t = await sideBySide(
    {
      relay: () => packed(folder),
      repomix: () => timed([node, repomix, '--style', 'markdown', '-o', out, '--quiet'], { cwd: folder }),
    },
    5,
  )
  const ratio = t.relay.median / t.repomix.median
  return [
    {
      what: 'pack 10,000 files, 5 MB; tokens and secrets on',
      goal: '≤ 1 ×',
      seen: told(t.relay),
      floor: `repomix: ${told(t.repomix)}`,
      ratio: times(ratio),
      met: ratio <= 1,
    },
  ]
}

/** Each time as the first time: nothing is remembered of an earlier one. */
function packed(folder) {
  for (const path of [out, join(folder, '.relaycode')]) rmSync(path, { recursive: true, force: true })
  return timed([node, bundle, 'pack', '.', '-o', out], { cwd: folder })
}

/** A project of so many files of code, a hundred in a folder, each its own. */
function filled(files) {
  const folder = project()
  for (let at = 0; at < files; at++) {
    const place = join(folder, `src/part-${Math.floor(at / 100)}`)
    if (at % 100 === 0) mkdirSync(place, { recursive: true })
    writeFileSync(join(place, `file-${at}.ts`), textOf(at))
  }
  return folder
}

function textOf(at) {
  const lines = [`import { other${at} } from './file-${at + 1}.ts'`, '']
  for (let line = 0; lines.join('\n').length < 470; line++) {
    lines.push(`export const value${at}x${line} = other${at}('${(at * 7919 + line * 104729).toString(36)}', ${line})`)
  }
  return `${lines.join('\n').slice(0, 499)}\n`
}

/** Where npx has put it, which itself takes a second that is not repomix's; nothing where it cannot be fetched. */
function findRepomix() {
  const { status, stdout } = spawnSync('npx', ['--yes', '-p', 'repomix', '-c', 'command -v repomix'], {
    encoding: 'utf8',
  })
  return status === 0 ? stdout.trim() : undefined
}
