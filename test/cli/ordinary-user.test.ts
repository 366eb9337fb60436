import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type OrdinaryUser, ordinaryUser, ordinaryUserMissing } from '../support/ordinary-user.ts'
import { type RelayEnd, runRelay } from '../support/real-relay.ts'
import { respond, uuid } from '../support/respond.ts'
import { type ScratchProject, scratchProject } from '../support/scratch-project.ts'

const missing = ordinaryUserMissing()

/** In CI an ordinary user that cannot be had is a failure. */
describe.runIf(missing === undefined || process.env['CI'])(
  `an ordinary user${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let user: OrdinaryUser
    let project: ScratchProject
    const closed: string[] = []
    beforeAll(() => {
      user = ordinaryUser()
    })
    afterAll(() => user?.remove())
    afterEach(() => {
      for (const path of closed.splice(0)) chmodSync(path, 0o755)
      project.remove()
    })

    /** A project of this user's; `modes` are set after everything is in its place. */
    function owned(
      files: Readonly<Record<string, string>>,
      modes: Readonly<Record<string, number>> = {},
      config: Readonly<Record<string, unknown>> | null = {},
    ): void {
      project = scratchProject(files, config)
      user.own(project.root)
      for (const [path, mode] of Object.entries(modes)) close(path, mode)
    }

    function close(path: string, mode: number): void {
      chmodSync(join(project.root, path), mode)
      closed.push(join(project.root, path))
    }

    function run(args: readonly string[], files?: Readonly<Record<string, string | null>>): Promise<RelayEnd> {
      const stdin = files === undefined ? {} : { stdin: respond(files) }
      // The tests' own state folder is closed to this user.
      const { env } = user
      return runRelay(args, { cwd: project.root, command: user.command, env, ...stdin })
    }

    it('applies a patch in a folder of their own', async () => {
      owned({ 'app.js': '1\n' })
      expect(await run(['apply'], { 'app.js': '2\n' })).toMatchObject({ code: 0 })
      expect(project.read('app.js')).toBe('2\n')
    })

    it.runIf(process.getuid?.() === 0)('needs neither a home nor an entry in /etc/passwd', async () => {
      owned({ 'app.js': '1\n' }, { '.': 0o755 })
      const [program, ...rest] = user.command.map(part => part.replace('id=65534', 'id=54321'))
      const env = { HOME: undefined, XDG_STATE_HOME: undefined }
      const told = await runRelay(['status'], { cwd: project.root, command: [program ?? '', ...rest], env })
      expect(told).toMatchObject({ code: 0, stderr: '' })
      expect(told.stdout).toContain('project')
    })

    it('gets no half-made project where nothing may be written', async () => {
      owned({ 'package.json': '{"name":"my-app"}' }, { '.': 0o555 }, null)
      const { code, stdout, stderr } = await run(['--init'])
      expect({ code, stdout }).toEqual({ code: 8, stdout: '' })
      expect(stderr).toMatch(/^Error: Cannot .*: permission denied\nHint: /)
      expect(project.tree()).toEqual({ 'package.json': '{"name":"my-app"}' })
    })

    it('is told that the project cannot be written', async () => {
      owned({ 'app.js': '1\n' }, { '.': 0o555 })
      const before = project.tree()
      const { code, stdout, stderr } = await run(['apply'], { 'app.js': '2\n' })
      expect({ code, stdout }).toEqual({ code: 8, stdout: '' })
      expect(stderr).toBe(
        `Error: Cannot make folder .relaycode: permission denied\nHint: Look at the folder's owner and mode: \`ls -ld -- ${project.root}\`\n`,
      )
      expect(project.tree()).toEqual(before)
    })

    it('is told by doctor that the project cannot be written, where .relaycode/ can', async () => {
      owned({ 'app.js': '1\n' })
      await run(['apply'], { 'app.js': '2\n' })
      close('.', 0o555)
      const before = project.tree()
      const { code, stdout, stderr } = await run(['doctor'])
      expect({ code, stderr }).toEqual({ code: 8, stderr: '' })
      expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
        /✖ project nothing can be written into \S+: Cannot .* permission denied/,
      )
      expect(project.tree()).toEqual(before)
    })

    it('is told by doctor that nothing can be written, and that .relaycode/ is closed', async () => {
      owned({ 'app.js': '1\n' }, { '.': 0o555 })
      const before = project.tree()
      const { code, stdout, stderr } = await run(['doctor'])
      expect({ code, stderr }).toEqual({ code: 8, stderr: '' })
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain('.relaycode cannot be made: Cannot write .relaycode: permission')
      expect(project.tree()).toEqual(before)
      chmodSync(project.root, 0o755)

      project.write('.relaycode/lock/x', '')
      user.own(project.root)
      close('.relaycode', 0o000)
      const closed = await run(['doctor', '--json'])
      expect({ code: closed.code, stderr: closed.stderr }).toEqual({ code: 8, stderr: '' })
      const { ok, findings } = JSON.parse(closed.stdout) as { ok: boolean; findings: { subject: string }[] }
      expect(ok).toBe(false)
      expect(findings).toContainEqual({
        subject: 'state',
        state: 'problem',
        says: expect.stringMatching(/\.relaycode cannot be looked into: Cannot list \.relaycode: permission denied$/),
        remedy: 'Look at its owner and mode: `ls -ld -- .relaycode`',
      })
      expect(findings.map(({ subject }) => subject)).toEqual(
        expect.arrayContaining(['clipboard', 'terminal', 'notices']),
      )
    })

    it('is told of a file that cannot be read, in the project or on the command line', async () => {
      owned({ 'app.js': '1\n', 'secret.js': '2\n', 'answer.md': 'x' }, { 'secret.js': 0o000, 'answer.md': 0o000 })
      const patched = await run(['apply'], { 'app.js': '2\n', 'secret.js': '3\n' })
      expect(patched.code).toBe(8)
      expect(patched.stderr).toMatch(/Error: Cannot read secret\.js: permission denied\nHint: /)
      const named = await run(['apply', 'answer.md'])
      expect(named.code).toBe(8)
      expect(named.stderr).toMatch(/^Error: Cannot read answer\.md: permission denied\nHint: /)
      expect(project.tree()).toMatchObject({ 'app.js': '1\n', 'secret.js': '2\n' })
      expect(project.journal()).toEqual([])
    })

    it('gets nothing of a patch when one folder in the middle of it cannot be written', async () => {
      owned({ 'a/a.js': '1\n', 'm/m.js': '1\n', 'z/z.js': '1\n' }, { m: 0o555 })
      const before = project.tree()
      const patch = { 'a/a.js': '2\n', 'a/new/b.js': '2\n', 'm/m.js': '2\n', 'z/z.js': null }
      const { code, stderr } = await run(['apply'], patch)
      expect(code).toBe(8)
      expect(stderr).toMatch(/↩ rolled back #1/)
      expect(stderr).toMatch(/permission denied/)
      expect(project.tree()).toEqual(before)
      expect(project.journal()).toEqual([])

      chmodSync(join(project.root, 'm'), 0o755)
      expect((await run(['apply'], patch)).code).toBe(0)
      expect(project.tree()).toMatchObject({ 'a/new/b.js': '2\n', 'm/m.js': '2\n', 'z/': '' })
    })

    it('is told exactly what could not be restored, and gets it back once the cause is gone: exit 7', async () => {
      owned({ 'a/a.js': '1\n', 'm/m.js': '1\n' }, {}, { postCommand: 'chmod 555 m; exit 1' })
      closed.push(join(project.root, 'm'))
      const before = project.tree()
      const { code, stderr } = await run(['apply', '--trust'], { 'a/a.js': '2\n', 'm/m.js': '2\n' })
      expect(code).toBe(7)
      expect(stderr).toMatch(/Error: Could not restore 1 of 2 files of #1:\n {9}m\/m\.js: .*permission denied\nHint: /)
      expect(stderr).not.toContain('rolled back')
      expect(project.tree()).toMatchObject({ 'a/a.js': '1\n', 'm/m.js': '2\n' })
      expect(project.journal()).toEqual([`${uuid}.pending.yml`, `${uuid}.stage`])

      expect((await run(['recover'])).code).toBe(7)
      chmodSync(join(project.root, 'm'), 0o755)
      const recovered = await run(['recover'])
      expect(recovered.code).toBe(0)
      expect(recovered.stderr).toMatch(/^↩ rolled back #1 /)
      expect(project.tree()).toEqual(before)
      expect(project.journal()).toEqual([])
    })
  },
)
