import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../support/until.ts'
import { DelegateWorld } from './delegate-world.ts'

let world: DelegateWorld
let note: string
beforeEach(async () => {
  world = new DelegateWorld()
  await world.withOrigin().withApi()
  note = join(world.home, 'journal.md')
})
afterEach(() => world.remove())

const read = () => readFileSync(note, 'utf8')
const done = (id: string) => `[Claude has finished. Click for PR](https://github.com/o/r/pull/7) (session ${id})`
const shortIds = () => world.sessions().map(({ id }) => `${id}`.slice(0, 8))

describe('relay delegate --note', () => {
  it('carries out each line, and loses nothing that an editor saves meanwhile', async () => {
    world.agent(`until [ -e '${world.home}/go' ]; do sleep 0.1; done; echo 2 > a.txt`)
    writeFileSync(note, '# Day\r\n- One /claude\r\n```\r\nTwo /claude\r\n```\r\n- Three /claude\r\n')
    const running = world.start('--note', note, '--yes')
    await until(() => read().split('Claude is working...').length === 3, 'both are under way')
    // In the way of editors that replace a file.
    writeFileSync(`${note}~`, read().replace('# Day', '# My day').concat('mine\r\n'))
    renameSync(`${note}~`, note)
    writeFileSync(join(world.home, 'go'), '')
    const { code, stderr } = await running.end
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const ids = /One.*session (\w+).*Three.*session (\w+)/s.exec(read())?.slice(1) ?? []
    expect(read()).toBe(
      `# My day\r\n- One — ${done(`${ids[0]}`)}\r\n\`\`\`\r\nTwo /claude\r\n\`\`\`\r\n- Three — ${done(`${ids[1]}`)}\r\nmine\r\n`,
    )
    expect(ids.toSorted()).toEqual(shortIds().toSorted())
    // What is finished stays so, and nothing is begun twice.
    const before = read()
    for (const id of ids) await world.relay('clean', `${id}`)
    expect((await world.program('--note', note, '--yes')).code).toBe(0)
    expect([read(), world.sessions(), world.seen.length]).toEqual([before, [], 2])
  })

  it('shows the lines first, and starts none where nobody can agree', async () => {
    world.agent('echo 2 > a.txt')
    const text = `${'\n'.repeat(300)}- Push it /claude\n`
    writeFileSync(note, text)
    const { code, stderr } = await world.relay('--note', note)
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringMatching(/Push it \/claude\n.*`--yes`/s) })
    expect([read(), world.sessions(), world.seen.length]).toEqual([text, [], 0])
  })

  it('starts what is written while it watches, but not what comes with another commit', async () => {
    world.agent('echo 2 > a.txt')
    note = join(world.cwd, 'TODO.md')
    writeFileSync(note, 'Old — Claude is working... (session 1a2b3c4d)\n')
    const git = (...args: readonly string[]) => world.git(...args)
    git('add', 'TODO.md')
    git('commit', '-q', '-m', 'note')
    git('checkout', '-q', '-b', 'theirs')
    writeFileSync(note, 'Push it /claude\n')
    git('commit', '-q', '-a', '-m', 'theirs')
    git('checkout', '-q', '-')
    const running = world.start('--note', note, '--watch')
    await until(() => read().includes('Session interrupted'), 'it has looked')
    writeFileSync(note, 'Mine /claude\n')
    await until(() => read().includes('has finished'), 'the line that was written is done')
    git('checkout', '-q', '-f', 'theirs')
    await running.says(/came with another commit.*Push it/s)
    writeFileSync(note, `${read()}Mine too /claude\n`)
    await until(() => read().includes('has finished'), 'another line is done')
    running.kill('SIGINT')
    await running.end
    expect(read()).toMatch(/^Push it \/claude\nMine too — .*has finished/)
  })

  it('goes on where it was stopped, and begins nothing twice', async () => {
    world.agent(`until [ -e '${world.home}/go' ]; do sleep 0.1; done; echo 2 > a.txt`)
    writeFileSync(note, 'One /claude\n')
    const first = world.start('--note', note, '--yes')
    await until(() => read().includes('is working'), 'it is under way')
    first.kill('SIGKILL')
    await first.end
    const second = world.start('--note', note, '--yes', '--watch')
    await second.says(/is working/)
    writeFileSync(note, `${read()}Two /claude\n`)
    writeFileSync(join(world.home, 'go'), '')
    await until(() => read().split('has finished').length === 3, 'both are done')
    second.kill('SIGINT')
    expect((await second.end).code).toBe(130)
    expect([world.sessions().length, world.seen.length]).toEqual([2, 2])
  })

  it('begins nothing twice where an editor saves a line again that it had read before', async () => {
    world.agent(`until [ -e '${world.home}/go' ]; do sleep 0.1; done; echo 2 > a.txt`)
    writeFileSync(note, 'One /claude\n')
    const running = world.start('--note', note, '--yes')
    await until(() => read().includes('is working'), 'it is under way')
    writeFileSync(note, 'One /claude\nmine\n')
    await until(() => read().includes('is working'), 'its line is back')
    writeFileSync(join(world.home, 'go'), '')
    expect((await running.end).code).toBe(0)
    expect([read(), world.seen.length]).toEqual([`One — ${done(`${shortIds()[0]}`)}\nmine\n`, 1])
  })

  it('says in its line why one failed, and what its retry comes to', async () => {
    world.agent('exit 3')
    writeFileSync(note, 'One /claude\n')
    expect((await world.program('--note', note, '--yes', '--attempts', '1')).code).toBe(9)
    const [id] = shortIds()
    expect(read()).toMatch(new RegExp(`^One — Error: .* \\(\`relay delegate retry ${id}\`\\) \\(session ${id}\\)\\n$`))
    world.agent('echo 2 > a.txt')
    expect((await world.relay('retry', `${id}`)).code).toBe(0)
    expect((await world.program('--note', note, '--yes')).code).toBe(0)
    expect(read()).toBe(`One — ${done(`${id}`)}\n`)
  })

  it('takes a line whose session is gone as interrupted', async () => {
    writeFileSync(note, 'One — Claude is working... (session 1a2b3c4d)\n')
    expect((await world.program('--note', note, '--yes')).code).toBe(0)
    expect(read()).toBe('One — Error: Session interrupted (session 1a2b3c4d)\n')
  })

  it('leaves the note alone where nothing can be begun', async () => {
    delete world.env['GITHUB_TOKEN']
    writeFileSync(note, 'One /claude\n')
    expect(await world.program('--note', note, '--yes')).toMatchObject({ code: 8 })
    expect([read(), existsSync(world.sessionsFolder)]).toEqual(['One /claude\n', false])
    expect((await world.program('--note', join(world.home, 'none.md'), '--yes')).code).toBe(2)
  })
})
