import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { workSteps } from '../../../src/agents/work/work-parts.ts'
import { everything, tryEach } from '../../faults/sample.ts'
import { builtSource } from '../../support/built-source.ts'
import { type KillAt, WorkWorld } from './world.ts'

const folder = 'abcdef-demo'
const raf = `RAF/${folder}`
const built = builtSource()
const scripts = mkdtempSync(join(tmpdir(), 'relay-plan-kills-'))
const driver = planDriver(scripts, built.url)
afterAll(() => {
  built.remove()
  rmSync(scripts, { recursive: true, force: true })
})

/** Works through the plan, and is killed where that is given. */
function planDriver(at: string, url: (module: string) => string): string {
  const path = join(at, 'plan.mjs')
  writeFileSync(
    path,
    `import { readProject } from '${url('agents/raf/read-project.js')}'
import { rafBranchOf } from '${url('agents/raf/raf-branches.js')}'
import { openRafBook } from '${url('agents/raf/raf-work.js')}'
import { landHere } from '${url('agents/work/land-here.js')}'
import { landOnBranch } from '${url('agents/work/land-branch.js')}'
import { codex } from '${url('agents/backends/codex.js')}'
import { workThrough } from '${url('agents/work/work-through.js')}'
import { realSystem } from '${url('system/system.js')}'
const { attempts, kill, branch: folder, config } = JSON.parse(process.env.GIVEN)
const root = process.cwd()
const die = (step, when) => {
  if (kill !== undefined && kill.step === step && kill.when === when) process.kill(process.pid, 'SIGKILL')
}
const trace = {
  async span(name, work) {
    die(name, 'before')
    const result = await work()
    die(name, 'after')
    return result
  },
}
const system = { ...realSystem({ version: '0', noInput: true, trace: false, interruption: new AbortController() }), trace }
const branch = folder === undefined ? undefined : await rafBranchOf(root, folder, system)
const here = { folder: '${folder}', home: async () => root, branch: undefined }
const read = () => readProject(root + '/RAF', '${folder}', system.files)
const book = await openRafBook({ read, ...(branch ?? here), agent: 'codex', force: false }, 'any', system)
const landing = {
  system,
  talk: { present: false, report() {}, ask: async () => 'not-accepted' },
  settle: take => take({}),
  whyNot: async ({ kind }) => kind,
}
const limits = { attempts, timeout: 60, silence: 60, grace: 5, wait: 0 }
const options = { backend: codex, sandbox: 'workspace-write', model: undefined, allow: [], limits, depth: 1 }
const project = { root, config }
const place =
  branch === undefined
    ? landHere(project, { commits: true, patience: 10_000 }, landing)
    : landOnBranch(project, { branch: folder }, landing)
await workThrough(book, place, options, {
  system,
  tell: event => console.log(JSON.stringify(event)),
  takeUserNote: () => undefined,
})
`,
  )
  return path
}

const task = (needs = '') => `# Task: Do it\n\n## Dependencies\n${needs}\n`
const works = (outcome: string) =>
  `ID=$(sed -n 's/^This is task .*(abcdef): \\([0-9a-z]*\\), .*/\\1/p' "$HOME/calls/$N")\nmkdir -p ${raf}/outcomes\necho "$ID" >> a.txt\n${outcome}`
const writes = `printf '## Summary\\nMake it.\\n\\n<promise>COMPLETE</promise>\\n' > ${raf}/outcomes/$ID-x.md`

describe('a plan', () => {
  const kills: readonly KillAt[] = [
    ...workSteps.map(step => ({ step, when: 'before' }) as const),
    { step: 'run the turn', when: 'after' },
    { step: 'land', when: 'after' },
    { step: 'leave the book', when: 'after' },
  ]
  const points = kills.flatMap(kill => [
    { kill, branch: undefined, outcome: '' },
    { kill, branch: undefined, outcome: writes },
    { kill, branch: folder, outcome: '' },
    { kill, branch: folder, outcome: writes },
  ])
  // One way of the four for each step, and all with FAULTS=all.
  const tried = points.filter((_, at) => everything || at % 4 === Math.floor(at / 4) % 4)
  const parts = 4
  it.each(Array.from({ length: parts }, (_, part) => part))(
    'goes on after a kill at any step, and does no task twice (%#)',
    async part => {
      const some = tried.filter((_, at) => at % parts === part)
      const wrong = await tryEach('plan, killed', some, async ({ kill, branch, outcome }) => {
        const world = new WorkWorld(driver).commit({
          'a.txt': 'a\n',
          'relaycode.config.json': '{"projectId":"demo"}',
          '.gitignore': '/.relaycode/\n',
          [`${raf}/plans/01-x.md`]: task(),
          [`${raf}/plans/02-x.md`]: task('01'),
        })
        world.git('config', 'user.name', 'user')
        world.git('config', 'user.email', 'user@example.com')
        world.agent(works(outcome))
        try {
          const killed = await world.run({ kill, branch })
          // Only a failure has these steps.
          if (killed.signal === null) return 'over'
          const again = await world.run({ branch })
          expect({ err: again.err, stopped: again.end?.stopped }).toEqual({ err: '', stopped: { kind: 'all-done' } })
          const at = branch ?? 'main'
          const what = outcome === '' ? 'Do it' : 'Make it'
          expect(world.subjectsOf(at)).toEqual([`RAF[abcdef:02] ${what}`, `RAF[abcdef:01] ${what}`, 'first'])
          expect(world.git('status', '--short')).toBe('')
          expect(existsSync(join(world.top, `${raf}/outcomes`))).toBe(branch === undefined)
          for (const id of ['01', '02']) {
            const text = world.git('show', `${at}:${raf}/outcomes/${id}-x.md`)
            expect(text.match(/^## Details$/gm)).toHaveLength(1)
            expect(text).toMatch(/\n<promise>COMPLETE<\/promise>\n$/)
          }
          expect(readdirSync(join(world.home, '.local/state/relaycode/work'))).toEqual([])
          return []
        } finally {
          world.remove()
        }
      })
      expect(wrong).toEqual([])
    },
    600_000,
  )
})
