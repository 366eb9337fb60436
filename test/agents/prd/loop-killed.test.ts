import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { workSteps } from '../../../src/agents/work/work-parts.ts'
import { everything, tryEach } from '../../faults/sample.ts'
import { builtSource } from '../../support/built-source.ts'
import { prdText, story } from './prd-world.ts'

const built = builtSource()
const folder = mkdtempSync(join(tmpdir(), 'relay-killed-'))
const driver = join(folder, 'loop.mjs')
/** `relay loop` in a process that dies at a step of the flow. */
writeFileSync(
  driver,
  `import { loop } from '${built.url('commands/loop.js')}'
import { realSystem } from '${built.url('system/system.js')}'
const { step, when, after } = JSON.parse(process.env.GIVEN)
const die = (name, at) => {
  if (name === step && at === when && --turn === 0) process.kill(process.pid, 'SIGKILL')
}
// The second story: the first is there.
let turn = ['take the book', 'end left agents', 'look for work left', 'open the checkout', 'ship', 'remove the checkout', 'leave the book'].includes(step) ? 1 : 2
const trace = {
  async span(name, work) {
    die(name, 'before')
    const result = await work()
    die(name, 'after')
    return result
  },
}
const system = realSystem({ version: '0', noInput: true, trace: false, interruption: new AbortController() })
process.exitCode = await loop({ ...system, trace }, undefined, { trust: true, ...(after && { after }) })
`,
)
afterAll(() => {
  built.remove()
  rmSync(folder, { recursive: true, force: true })
})

const run = promisify(execFile)

interface Kill {
  readonly step: string
  readonly when: 'before' | 'after'
  readonly isHere: boolean
  readonly after?: 'merge'
}

async function killedAt(kill: Kill): Promise<readonly string[] | 'over'> {
  const home = mkdtempSync(join(tmpdir(), 'relay-loop-'))
  const cwd = join(home, 'project')
  for (const each of [cwd, join(home, 'bin'), join(home, 'calls')]) mkdirSync(each)
  const env = { PATH: `${join(home, 'bin')}:${process.env['PATH']}`, HOME: home, GIVEN: '{}' }
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd, env, encoding: 'utf8' })
  const said = { type: 'item.completed', item: { type: 'agent_message', text: '<promise>COMPLETE</promise>' } }
  const lines = [
    `N=$(($(ls '${home}/calls' | wc -l) + 1)); cat > '${home}/calls/'$N`,
    `ID=$(sed -n 's/^\\*\\*\\(US-[0-9]*\\): .*/\\1/p' '${home}/calls/'$N)`,
    `echo $ID > $ID; printf '## now - %s\\n- done\\n---\\n' $ID >> progress.txt`,
    `cat <<'EOT'\n${JSON.stringify(said)}\n{"type":"turn.completed"}\nEOT`,
  ]
  writeFileSync(join(home, 'bin/codex'), `#!/bin/sh\n${lines.join('\n')}\n`, { mode: 0o755 })
  try {
    git('init', '-q', '-b', kill.isHere ? 'ralph/priority' : 'main')
    git('config', 'user.name', 'user')
    git('config', 'user.email', 'user@example.com')
    writeFileSync(join(cwd, 'relaycode.config.json'), '{"projectId":"demo","agent":"codex"}')
    writeFileSync(join(cwd, '.gitignore'), '/.relaycode/\n/.last-branch\n')
    const text = prdText([story('US-001'), story('US-002')])
    writeFileSync(join(cwd, 'prd.json'), text)
    git('add', '-A')
    git('commit', '-qm', 'first')
    const first = spawnSync(process.execPath, [driver], { cwd, env: { ...env, GIVEN: JSON.stringify(kill) } })
    if (first.signal === null) return 'over'
    const given = JSON.stringify(kill.after === undefined ? {} : { after: kill.after })
    const second = await run(process.execPath, [driver], { cwd, env: { ...env, GIVEN: given } })
    expect(second.stdout).toBe('')
    const subjects = ['feat: US-002 - Add US-002 to the list', 'feat: US-001 - Add US-001 to the list', 'first']
    const branch = kill.after === 'merge' ? 'main' : 'ralph/priority'
    expect(git('log', '--format=%s', branch).trim().split('\n')).toEqual(subjects)
    const progress = readFileSync(join(cwd, 'progress.txt'), 'utf8')
    expect(readFileSync(join(cwd, 'prd.json'), 'utf8')).toBe(text.replaceAll('"passes": false', '"passes": true'))
    expect(git('show', 'ralph/priority:prd.json')).toBe(readFileSync(join(cwd, 'prd.json'), 'utf8'))
    expect(git('show', 'ralph/priority:progress.txt')).toBe(progress)
    // A turn that was not noted is run again, on what it left.
    const isAgain = kill.step === 'note the turn' || (kill.step === 'run the turn' && kill.when === 'after')
    expect(progress.match(/^## .*/gm)).toEqual(['## now - US-001', ...Array(isAgain ? 2 : 1).fill('## now - US-002')])
    expect(readdirSync(join(home, 'calls'))).toHaveLength(isAgain ? 3 : 2)
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1)
    const work = join(home, '.local/state/relaycode/work')
    expect(existsSync(work) ? readdirSync(work) : []).toEqual([])
    return []
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const kills: readonly Kill[] = [
  ...workSteps.flatMap(step => [
    { step, when: 'before', isHere: false } as const,
    { step, when: 'before', isHere: true } as const,
  ]),
  { step: 'run the turn', when: 'after', isHere: false },
  { step: 'write down', when: 'after', isHere: false },
  { step: 'ship', when: 'before', isHere: false, after: 'merge' },
  { step: 'ship', when: 'after', isHere: false, after: 'merge' },
]

const some = kills.filter((_, at) => everything || at % 5 === 4)

it('does no story twice and loses none after a kill at any step', async () => {
  expect(await tryEach('a loop, killed', some, killedAt)).toEqual([])
}, 600_000)
