import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { keepWork } from '../../src/agents/work/kept-work.ts'
import { systemFiles } from '../../src/system/files/files.ts'
import { change, linkTo, program } from '../support/made.ts'
import { runRelay } from '../support/real-relay.ts'
import { scratchProject } from '../support/scratch-project.ts'
import { stateHome } from '../support/state-home.ts'

it('lands what was kept in the real state folder, and undoes it', async () => {
  const project = scratchProject({ 'a.ts': 'one\ntwo\nthree\n' })
  try {
    const stateFolder = join(stateHome(), 'relaycode')
    const doors = { files: systemFiles(project.root), stateFolder, clock: { now: () => new Date() } } as never
    const about = { agent: 'claude', title: 'Add a switch', why: 'the checks failed', reasoning: 'I added it.' }
    const changes = [
      change('a.ts', 'one\ntwo\nthree\n', 'one\ntwo\n3\n'),
      change('run.sh', null, program('echo 1\n')),
      change('logo.png', null, Uint8Array.of(0, 255)),
      change('link', null, linkTo('a.ts')),
    ]
    const before = project.tree()
    expect(await keepWork(realpathSync(project.root), about, changes, doors)).toBe(1)
    expect(project.tree()).toEqual(before)
    const run = (...args: string[]) => runRelay(args, { cwd: project.root })
    expect((await run('status')).stdout).toContain('To land it:\n         `relay apply --kept 1`')
    const { code, stderr } = await run('apply', '--kept', '1', '--yes', '--allow-sensitive')
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('kept #1') })
    expect(project.read('a.ts')).toBe('one\ntwo\n3\n')
    expect(lstatSync(join(project.root, 'run.sh')).mode & 0o111).toBe(0o111)
    expect(readlinkSync(join(project.root, 'link'))).toBe('a.ts')
    expect(await run('apply', '--kept')).toMatchObject({ code: 0, stdout: '' })
    expect((await run('undo', '--yes', '--allow-sensitive')).code).toBe(0)
    expect(project.read('a.ts')).toBe('one\ntwo\nthree\n')
  } finally {
    project.remove()
  }
})
