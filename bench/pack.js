// `npm run bench:pack`: `relay pack` of 10,000 files and 5 MB, tokens and secrets on, beside repomix with the same in the
// same run, and over sizes. repomix is fetched by npx; without it relay is measured alone.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const relay = fileURLToPath(new URL('../dist/relay.cjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'relay-bench-pack-'))
const out = join(folder, 'out.md')
const turns = 5

/** A project of so many files of 500 bytes of code, a hundred in a folder, each its own. */
function project(files) {
  const root = join(folder, String(files))
  for (let at = 0; at < files; at++) {
    const place = join(root, `src/part-${Math.floor(at / 100)}`)
    if (at % 100 === 0) mkdirSync(place, { recursive: true })
    writeFileSync(join(place, `file-${at}.ts`), textOf(at))
  }
  writeFileSync(join(root, 'relaycode.config.json'), '{"projectId": "bench"}\n')
  return root
}

function textOf(at) {
  const lines = [`import { other${at} } from './file-${at + 1}.ts'`, '']
  for (let line = 0; lines.join('\n').length < 470; line++) {
    lines.push(`export const value${at}x${line} = other${at}('${(at * 7919 + line * 104729).toString(36)}', ${line})`)
  }
  return `${lines.join('\n').slice(0, 499)}\n`
}

function seconds(argv, cwd) {
  // Each time the first: nothing is remembered of an earlier one.
  for (const path of [out, join(cwd, '.relaycode')]) rmSync(path, { recursive: true, force: true })
  const before = performance.now()
  const { status, stderr } = spawnSync(argv[0], argv.slice(1), { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}: ${stderr}`)
  return (performance.now() - before) / 1000
}

function inTurns(ways, cwd) {
  const all = ways.map(() => [])
  for (let turn = 0; turn < turns; turn++) for (const [at, argv] of ways.entries()) all[at].push(seconds(argv, cwd))
  return all.map(times => times.toSorted((a, b) => a - b)[Math.floor(turns / 2)])
}

const byRelay = [process.execPath, relay, 'pack', '.', '-o', out]

/** Where npx has put it: npx itself takes a second that is not repomix's. */
function findRepomix() {
  const { status, stdout } = spawnSync('npx', ['--yes', '-p', 'repomix', '-c', 'command -v repomix'], {
    encoding: 'utf8',
  })
  return status === 0 ? stdout.trim() : undefined
}

try {
  for (const files of [1250, 2500, 5000, 10_000]) {
    const [time] = inTurns([byRelay], project(files))
    console.log(
      `${String(files).padStart(6)} files  ${time.toFixed(2)} s  ${((time / files) * 1e6).toFixed(0)} µs a file`,
    )
  }
  const repomix = findRepomix()
  if (repomix === undefined) console.log('repomix cannot be fetched here')
  else {
    const byRepomix = [process.execPath, repomix, '--style', 'markdown', '-o', out, '--quiet']
    const [own, other] = inTurns([byRelay, byRepomix], join(folder, '10000'))
    console.log(`relay ${own.toFixed(2)} s, repomix ${other.toFixed(2)} s: ${(own / other).toFixed(2)}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
