import { execFileSync } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, type TestContext } from 'vitest'
import { runRelay } from '../support/real-relay.ts'
import { respond } from '../support/respond.ts'
import { scratchProject } from '../support/scratch-project.ts'

/** A project of one test's own: they run side by side. */
function projectOf(
  { onTestFinished }: TestContext,
  config: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string>> = {},
) {
  const project = scratchProject(files, config)
  onTestFinished(project.remove)
  const apply = (stdin: string, ...args: string[]) => runRelay(['apply', ...args], { cwd: project.root, stdin })
  return { ...project, apply }
}

/** An ordinary file, and one that makes commands run. */
const families = [
  { family: 'JavaScript', source: 'src/app.js', file: 'package.json', text: '{"scripts":{"postinstall":"x"}}\n' },
  { family: 'shell', source: 'docs/notes.txt', file: 'scripts/deploy.sh', text: 'echo deploy\n' },
  { family: 'a pipeline', source: 'src/app.js', file: '.github/workflows/ci.yml', text: 'on: push\n' },
]

describe.concurrent('a patch with a file that makes commands run', () => {
  it.for(families)('$family: $file is asked about before anything runs', async ({ source, file, text }, context) => {
    const { apply, tree } = projectOf(context, { preCommand: 'touch ran', linter: 'touch ran' })
    const before = tree()
    const response = respond({ [source]: 'an ordinary file\n', [file]: text })

    const asked = await apply(response, '--yes')
    expect(asked.code).toBe(3)
    expect(asked.stderr).toMatch(/nobody could be asked/)
    expect(asked.stderr).toContain(`    ${file}: `)
    expect(asked.stderr).toContain('To apply it: `relay apply --last --allow-sensitive`')
    expect(asked.stderr).not.toContain(`    ${source}: `)
    expect(tree()).toEqual(before)

    const allowed = await apply(response, '--allow-sensitive')
    expect(allowed.code).toBe(0)
    expect(allowed.stderr).toMatch(/kept #2 {2}auto/)
    expect(tree()).toMatchObject({ ran: '', [source]: 'an ordinary file\n', [file]: text })
  })

  /** A link that came with the project, where it leads, and a file that a patch names. */
  const linked: readonly (readonly [link: string, to: string, file: string, why: string])[] = [
    ['package.json', 'pkg.txt', 'pkg.txt', 'package.json leads to it: decides what npm installs and runs'],
    ['relaycode.config.json', 'conf/relay.txt', 'conf/relay.txt', 'relaycode.config.json leads to it: decides which'],
    ['.github/workflows', '../notes', 'notes/ci.yml', '.github/workflows/ci.yml leads to it: runs on git push'],
    ['.husky', 'notes/deep', 'notes/deep/new/x', '.husky/new/x leads to it: runs on git commit or git push'],
    [
      'apps/web/package.json',
      '../../pkg.txt',
      'pkg.txt',
      'apps/web/package.json leads to it: decides what npm installs and runs',
    ],
    ['alias.txt', 'package.json', 'alias.txt', 'leads to package.json: decides what npm installs and runs'],
    ['plain', '.github', 'plain/workflows/ci.yml', 'leads to .github/workflows/ci.yml: runs on git push'],
  ]

  it.for(linked)('is asked about by another name: %s -> %s, and %s', async ([link, to, file, why], context) => {
    const start = { 'pkg.txt': '{}\n', 'notes/deep/a.md': 'a\n', '.github/a.md': 'a\n', 'apps/web/a.js': 'a\n' }
    const { apply, root, tree, write } = projectOf(
      context,
      {},
      to === 'package.json' ? { ...start, [to]: '{}\n' } : start,
    )
    if (link === 'relaycode.config.json') {
      write(file, '{"projectId":"demo"}')
      rmSync(join(root, link))
    }
    symlinkSync(to, join(root, link))
    const before = tree()
    const asked = await apply(respond({ [file]: 'evil\n' }), '--yes')
    expect(asked.code).toBe(3)
    expect(asked.stderr.replaceAll(/\s+/g, ' ')).toContain(`${file}: ${why}`)
    expect(tree()).toEqual(before)
  })

  it('is asked about through two links, in whatever order they lead', async context => {
    const { apply, root } = projectOf(context, {}, { 'gh/a.md': 'a\n', 'notes/a.md': 'a\n' })
    symlinkSync('gh', join(root, '.github'))
    symlinkSync('../notes', join(root, 'gh/workflows'))
    const asked = await apply(respond({ 'notes/ci.yml': 'on: push\n' }), '--yes')
    expect(asked.code).toBe(3)
    expect(asked.stderr).toContain('.github/workflows/ci.yml leads to it: runs on git push')
  })

  it('is none because of a link in a folder that tools fill, or one that leads in a circle', async context => {
    const { apply, root } = projectOf(context, {}, { 'packages/ui/a.js': 'a\n', 'node_modules/@acme/x': '' })
    symlinkSync('../../packages/ui', join(root, 'node_modules/@acme/ui'))
    symlinkSync('..', join(root, 'packages/up'))
    expect((await apply(respond({ 'packages/ui/a.js': 'b\n' }))).code).toBe(0)
  })

  it('is asked about the program that a command of the configuration names', async context => {
    const { apply, tree } = projectOf(context, { linter: 'sh -e ./bin/lint' })
    const response = respond({ 'bin/lint': 'touch ran\n' })
    const asked = await apply(response, '--yes')
    expect(asked.code).toBe(3)
    expect(asked.stderr).toContain('    bin/lint: is named by `linter`')
    expect(tree()).not.toHaveProperty('ran')
    expect((await apply(response, '--allow-sensitive', '--yes')).code).toBe(0)
    expect(tree()).toHaveProperty('ran')
  })

  it('is asked about the program of a package.json that is a link out of the project, and waits for no pipe', async context => {
    const { apply, root } = projectOf(context, { linter: 'npm run --silent lint', approval: 'no' })
    const outside = scratchProject({ 'shared.json': '{"scripts":{"lint":"node scripts/lint.js"}}' })
    context.onTestFinished(outside.remove)
    symlinkSync(join(outside.root, 'shared.json'), join(root, 'package.json'))
    if (process.platform !== 'win32') execFileSync('mkfifo', [join(root, 'Makefile')])
    const asked = await apply(respond({ 'scripts/lint.js': 'process.exit()\n' }), '--yes')
    expect(asked.code).toBe(3)
    expect(asked.stderr).toContain('    scripts/lint.js: is named by the script "lint" that `linter` runs')

    const piped = projectOf(context, { linter: 'true', approval: 'no' })
    if (process.platform !== 'win32') execFileSync('mkfifo', [join(piped.root, 'package.json')])
    expect((await piped.apply(respond({ 'a.js': 'a\n' }))).code).toBe(3)
  })

  it('names what of it is not on the screen: behind many lines, or far into one', async context => {
    const { apply } = projectOf(context, {})
    const lock = Array.from({ length: 900 }, (_, n) => `"pkg-${n}": "1.0.0",`).join('\n')
    const response = respond({
      'package-lock.json': `${lock}\n`,
      '.eslintrc.js': `${'var a=1;'.repeat(900)}payload()\n`,
      '.husky/pre-commit': 'last\n',
    })
    const { code, stderr } = await apply(response, '--allow-sensitive')
    expect(code).toBe(0)
    expect(stderr).toContain('   1  + last\n')
    expect(stderr).not.toContain('payload')
    expect(stderr).toMatch(
      / {2}The diff above is not complete\. Left out:\n {4}package-lock\.json: \d+ more lines\n {4}\.eslintrc\.js: 1 line cut\n/,
    )
  })

  it('is refused whatever is allowed where the configuration denies it, or nothing may ever be written', async context => {
    const { apply, tree } = projectOf(context, { policy: { deny: ['infra/**'], allowDeletes: false } })
    for (const files of [
      { 'infra/main.tf': 'x\n' },
      { 'relaycode.config.json': null },
      { '.git/hooks/pre-commit': 'x\n' },
      { '.relaycode/x': 'x\n' },
      { '/etc/passwd': 'x\n' },
      { '../outside.js': 'x\n' },
    ]) {
      const { code, stderr } = await apply(respond(files), '--allow-sensitive', '--yes')
      expect(stderr).toMatch(/^✖ refused/)
      expect(code).toBe(6)
    }
    expect(Object.keys(tree())).toEqual(['relaycode.config.json'])
  })
})
