import { describe, expect, it } from 'vitest'
import { main } from '../../src/main.ts'
import { readSeen } from '../../src/pack/seen-versions.ts'
import { around } from '../support/around.ts'
import { type FakeSystemOptions, fakeSystem } from '../support/fake-system.ts'

const github = `ghp_${'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'}`

const files = {
  'relaycode.config.json': '{"projectId":"demo"}',
  'src/a.ts': 'export const a = 1\n',
  'src/b/c.ts': 'export const c = `x`\n',
  'README.md': '```sh\nnpm test\n```\n',
  'dist/out.js': 'made\n',
  '.gitignore': 'dist/\n',
}

async function relay(argv: readonly string[], options: FakeSystemOptions = {}, config: object = {}) {
  const own = { 'relaycode.config.json': JSON.stringify({ projectId: 'demo', ...config }) }
  const world = fakeSystem({ ...options, files: options.disk ? {} : { ...files, ...own, ...options.files } })
  const code = await main(['pack', ...argv], around(world.system))
  const { stdout, stderr } = world.terminal
  const seen = await readSeen({ folder: world.layout.seen, files: world.system.files })
  const known = async (path: string) => (await seen(path)) !== undefined
  const paths = [...stdout.matchAll(/^### (.*)$/gm)].map(([, path]) => path)
  return { ...world, code, stdout, stderr, paths, known, copied: world.clipboard.written.at(-1) }
}

/** The files in a pack of these words. */
const packed = async (words: readonly string[], options: FakeSystemOptions = {}) => {
  const { code, paths, stderr } = await relay([...words, '--stdout'], options)
  return code === 0 ? paths : stderr.split('\n')[0]
}

describe('relay pack', () => {
  it('copies what git does not ignore, and remembers it', async () => {
    const { code, stdout, stderr, copied, known } = await relay([])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatchInlineSnapshot(`
      "✔ copied 5 files                                            1.5 kB, 408 tokens
          24  relaycode.config.json
          19  README.md
          18  src/b/c.ts
          17  src/a.ts
          13  .gitignore
      "
    `)
    expect(copied?.slice(copied.indexOf('## Tree'))).toMatchInlineSnapshot(`
      "## Tree

      \`\`\`
      .gitignore
      README.md
      relaycode.config.json
      src/
        a.ts
        b/
          c.ts
      \`\`\`

      ## Files

      ### .gitignore

      \`\`\`gitignore
      dist/
      \`\`\`

      ### README.md

      \`\`\`\`md
      \`\`\`sh
      npm test
      \`\`\`
      \`\`\`\`

      ### relaycode.config.json (no line end at its end)

      \`\`\`json
      {"projectId":"demo"}
      \`\`\`

      ### src/a.ts

      \`\`\`ts
      export const a = 1
      \`\`\`

      ### src/b/c.ts

      \`\`\`ts
      export const c = \`x\`
      \`\`\`
      "
    `)
    expect(await Promise.all(['src/a.ts', 'README.md', 'dist/out.js'].map(known))).toEqual([true, true, false])
  })

  it.each([
    ['a file', ['src/a.ts'], ['src/a.ts']],
    ['a folder', ['src'], ['src/a.ts', 'src/b/c.ts']],
    ['a folder within', ['src/b/', './src/a.ts'], ['src/a.ts', 'src/b/c.ts']],
    ['a name in every folder', ['*.ts'], ['src/a.ts', 'src/b/c.ts']],
    ['a glob', ['src/*/*.ts'], ['src/b/c.ts']],
    ['all but', ['!*.ts', '!relaycode.config.json'], ['.gitignore', 'README.md']],
    ['a folder but', ['src', '!src/b'], ['src/a.ts']],
    ['a file that git ignores, by its own path', ['dist/out.js'], ['dist/out.js']],
    ['all of it', ['.', '!.*', '!*.json'], ['README.md', 'src/a.ts', 'src/b/c.ts']],
    ['nothing', ['src/x.ts'], 'Error: No such file: src/x.ts'],
    ['a folder that git ignores', ['dist'], 'Error: Nothing to pack at dist'],
    ['a glob for nothing', ['src', '*.py'], 'Error: Nothing to pack at *.py'],
    ['what is elsewhere', ['../x.ts'], 'Error: ../x.ts is not in the project'],
    ['what no pack gives', ['.git/config'], 'Error: Nothing to pack: .git/config is left out (in .git)'],
  ])('takes %s', async (_, words, expected) => {
    expect(await packed(words, { files: { ...files, '.git/config': 'x\n' } })).toEqual(expected)
  })

  it.each([
    [['a.ts'], ['src/a.ts']],
    [['b'], ['src/b/c.ts']],
    [['*.ts'], ['src/a.ts', 'src/b/c.ts']],
    [['../README.md'], ['README.md']],
    [['/project/src/a.ts'], ['src/a.ts']],
    [['!b', '../src'], ['src/a.ts']],
  ])('takes %j as it is meant in a folder of the project', async (words, expected) => {
    expect(await packed(words, { cwd: '/project/src' })).toEqual(expected)
  })

  it('names and leaves out what is no text, too large, denied, a pack, or a link that is named', async () => {
    const world = fakeSystem()
    world.disk.symlink('src/a.ts', 'link.ts')
    world.disk.symlink('/elsewhere', 'out')
    world.disk.write('/elsewhere/x.ts', 'x\n')
    const more = {
      'logo.png': new Uint8Array([137, 80, 0, 1]),
      'latin.txt': new Uint8Array([233, 10]),
      'large.json': 'x'.repeat(1_000_001),
      'db/schema.sql': 'create\n',
      'pack.md': '<!-- # relay-followup -->\n',
    }
    for (const [path, content] of Object.entries({ ...files, ...more })) world.disk.write(path, content)
    world.disk.write('relaycode.config.json', '{"projectId":"demo","policy":{"deny":["db/**"]}}')
    const { code, stderr, stdout } = await relay(['.', 'link.ts', 'out/x.ts', '--stdout'], { disk: world.disk })
    expect(code).toBe(0)
    expect(stderr.slice(stderr.indexOf('▲'))).toMatchInlineSnapshot(`
      "▲ left out: link.ts (a link), out/x.ts (outside of the project),
          db/schema.sql (policy.deny), large.json (over 1 MB), latin.txt (not
          UTF-8), logo.png (binary), pack.md (a prompt of relay)
      "
    `)
    expect(stdout).toContain('logo.png (not here: binary)')
    expect(stdout).not.toContain('create')
  })

  it('leaves out what programs made, unless it is named by its own path', async () => {
    const more = {
      'package-lock.json': '{}\n',
      'web/app.min.js': 'let a\n',
      'web/b.js': `${'x'.repeat(9000)}\n`,
      'src/api_pb2.py': 'x = 1\n',
      'src/gen.go': '// Code generated by stringer; DO NOT EDIT.\npackage main\n',
    }
    const { stderr, paths } = await relay(['--stdout'], { files: more })
    expect(stderr.slice(stderr.indexOf('▲')).replaceAll(/\s+/g, ' ')).toBe(
      '▲ left out: package-lock.json (a lock file), src/api_pb2.py (generated), web/app.min.js (minified), src/gen.go (generated), web/b.js (minified) ',
    )
    expect(paths).toHaveLength(5)
    expect(await packed(Object.keys(more), { files: more })).toEqual(Object.keys(more).sort())
  })

  it('lists the largest where nothing was named and everything is too much', async () => {
    const large = { 'large.txt': 'word '.repeat(90_000), 'src/large.ts': 'word '.repeat(20_000) }
    const { code, stderr, copied } = await relay([], { files: large })
    expect({ code, copied }).toEqual({ code: 2, copied: undefined })
    expect(stderr).toMatchInlineSnapshot(`
      "Error: Everything here has 110,451 tokens, more than 100,000. The largest:
               90,017  large.txt
               20,019  src/large.ts
                   24  relaycode.config.json
                   19  README.md
                   18  src/b/c.ts
      Hint: Name files or folders, leave some out with '!package-lock.json', or add \`--limit 100k\`.
      "
    `)
    expect((await relay(['.'], { files: large })).code).toBe(0)
    expect((await relay(['!large.txt'], { files: large })).code).toBe(0)
  })

  it('asks for edits where the configuration wishes them', async () => {
    expect((await relay(['src'])).copied).not.toContain('SEARCH')
    expect((await relay(['src'], {}, { instructions: 'edits' })).copied).toContain('<<<<<<< SEARCH')
  })

  it('counts no more of everything than tells that it is too much, and no file that is left out', async () => {
    const large = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`${n}.txt`, 'x\n'.repeat(490_000)]))
    const { code, stderr } = await relay([], { files: large })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^Error: These texts have more than 10\.0 MB\. The largest:\n {9}980,000 {2}0\.txt\n/)
    expect((await relay([], { files: { 'film.mp4': new Uint8Array(70_000_000) } })).code).toBe(0)
  })

  it('leaves the largest out until the rest fits', async () => {
    const large = { 'large.txt': `${'word '.repeat(2_000)}\n`, 'larger.txt': 'word '.repeat(3_000) }
    const { code, stderr, paths } = await relay(['--limit', '4k', '--stdout'], { files: large })
    expect(code).toBe(0)
    expect(paths).toContain('large.txt')
    expect(stderr).toContain('▲ left out: larger.txt (--limit: 3,0')
    expect((await relay(['--limit', '20', '--stdout'])).stderr).toMatchInlineSnapshot(`
      "Error: --limit 20 leaves room for no file: with the instructions, the tree and the smallest file it has 370 tokens
      Hint: Raise the limit, or name fewer files.
      "
    `)
    expect((await relay(['--limit', 'much'])).stderr).toContain(
      '--limit takes a number of tokens such as 100k, not "much"',
    )
  })
})

describe('a file that cannot be read', () => {
  it('is named and left out', async () => {
    const { disk, system, terminal } = fakeSystem({ files })
    disk.onCall = (name, path) => {
      if (name === 'read' && path.endsWith('src/a.ts')) throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
    }
    expect(await main(['pack', 'src', '--stdout'], around(system))).toBe(0)
    expect(terminal.stderr).toContain('▲ left out: src/a.ts (cannot be read)')
  })
})

describe('the limit of a pack', () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`src/f${n}.ts`, 'word '.repeat(60 + n)]))

  it.each([1300, 1500, 2000, 3000])('counts all that the model gets: %i', async limit => {
    const { stderr, paths } = await relay(['--limit', String(limit), '--stdout'], { files: many })
    const [, tokens = ''] = /([\d,]+) tokens\n/.exec(stderr) ?? []
    expect(Number(tokens.replace(',', ''))).toBeLessThanOrEqual(limit)
    expect(Number(tokens.replace(',', ''))).toBeGreaterThan(limit - 150)
    expect(paths.length).toBeGreaterThan(0)
  })
})

describe('secrets in a pack', () => {
  const secret = { files: { 'src/key.ts': `\nconst key = '${github}'\n`, '.env': 'A=1\n' } }

  it('are asked about, by place and kind', async () => {
    const { code, stderr, copied } = await relay([], { ...secret, answers: ['y'] })
    expect(code).toBe(0)
    expect(stderr.slice(0, stderr.indexOf('✔'))).toMatchInlineSnapshot(`
      "▲ these files seem to hold secrets:
          .env          a file for secrets
          src/key.ts:2  GITHUB_TOKEN
      Give them to the model? (y/l/n/?) y
      "
    `)
    expect(stderr).not.toContain(github)
    expect(copied).toContain(github)
  })

  it('stay here with their files', async () => {
    const { code, stderr, copied, known } = await relay([], { ...secret, answers: ['l'] })
    expect(code).toBe(0)
    expect(stderr).toContain('▲ left out: .env (secrets), src/key.ts (secrets)')
    expect(copied).not.toContain(github)
    expect(await known('src/key.ts')).toBe(false)
  })

  it.each([
    ['a no', { answers: ['n'] }, 'Error: Nothing was packed\n'],
    [
      'nobody',
      {},
      'Error: This needs an answer, but nobody could be asked: nothing was packed\nHint: Leave the files out (`!path`), or add `--allow-secrets`.\n',
    ],
  ])('are given to nobody after %s', async (_, options, said) => {
    const { code, stderr, copied, known } = await relay([], { ...secret, ...options })
    expect({ code, copied }).toEqual({ code: 3, copied: undefined })
    expect(stderr.slice(stderr.indexOf('Error'))).toBe(said)
    expect(await known('src/a.ts')).toBe(false)
  })

  it('are no question where a script allows them', async () => {
    const { code, stderr, copied } = await relay(['--allow-secrets'], secret)
    expect(code).toBe(0)
    expect(stderr).not.toContain('secret')
    expect(copied).toContain(github)
  })
})

describe('what git names', () => {
  const git = 'git -c core.fsmonitor=false -c core.hooksPath=/dev/null'
  const names =
    '--name-only --relative --no-ext-diff --no-textconv --ignore-submodules=dirty --submodule=short --diff-filter=d -z'
  const diff = `${git} diff ${names}`
  const cached = `${git} diff --cached ${names} --`
  const others = `${git} ls-files --others --exclude-standard -z`
  const where = `${git} rev-parse --git-dir`
  const changed = {
    commands: {
      [`${diff} "HEAD" --`]: { output: 'warning: LF will be replaced by CRLF\nsrc/a.ts\0gone.ts\0' },
      [`${diff} "main~2" --`]: { output: 'README.md\0' },
      [others]: { output: 'new file.ts\0' },
      [cached]: { output: 'src/b/c.ts\0' },
    },
    files: { 'new file.ts': 'new\n' },
  }

  it.each([
    ['since the last commit, new files too', ['--changed'], ['new file.ts', 'src/a.ts']],
    ['since another one', ['--changed', 'main~2'], ['README.md', 'new file.ts']],
    ['in a folder', ['src', '--changed'], ['src/a.ts']],
    ['for the next commit', ['--staged'], ['src/b/c.ts']],
    ['both', ['--staged', '--changed'], ['new file.ts', 'src/a.ts', 'src/b/c.ts']],
  ])('is packed: %s', async (_, argv, expected) => {
    expect(await packed(argv, changed)).toEqual(expected)
  })

  it.each([
    ['no git', {}, 8, 'Error: git was not found\nHint: Name the files instead.\n'],
    [
      'no repository',
      { [`${diff} "HEAD" --`]: { exit: 129, output: 'warning: Not a git repository. Use --no-index\n' } },
      2,
      'Error: This folder is not in a git repository\nHint: Name the files instead.\n',
    ],
    [
      'no commit yet',
      { [`${diff} "HEAD" --`]: { exit: 128, output: "fatal: bad revision 'HEAD'\n" }, [where]: { output: '.git\n' } },
      2,
      'Error: There is no commit yet\nHint: Name the files instead.\n',
    ],
    ['nothing', { [`${diff} "HEAD" --`]: {}, [others]: {} }, 0, 'No changes: nothing to pack.\n'],
  ])('is told where there is %s', async (_, commands, code, stderr) => {
    expect(await relay(['--changed'], { commands })).toMatchObject({ code, stderr })
  })

  it('is told where a path stands behind --changed', async () => {
    const commands = { [`${diff} "src" --`]: { exit: 128, output: "fatal: bad revision 'src'\n" }, [where]: {} }
    expect(await relay(['--changed', 'src'], { commands })).toMatchObject({
      code: 2,
      stderr: 'Error: src is no commit\nHint: Paths come first: `relay pack src --changed`\n',
    })
  })

  it('is told where nothing of it is meant', async () => {
    expect(await packed(['README.md', '--changed'], changed)).toBe('Error: Nothing changed in README.md')
  })

  it.each(['--output=x', 'a"; rm b; "', '$(rm b)', '%PATH%'])(
    'is no option, and no word for a shell: %s',
    async ref => {
      expect(await relay([`--changed=${ref}`])).toMatchObject({ code: 2, shell: { ran: [] } })
    },
  )
})

describe('what the linter finds', () => {
  const lint = 'src/a.ts(3,7): error TS1005: wrong\nsrc/a.ts(4,7): error TS1006: wrong\n'
  const failing = { commands: { lint: { exit: 1, output: lint } } }

  it('is packed with the errors', async () => {
    const { code, stdout, paths } = await relay(['--errors', '--trust', '--stdout'], failing, { linter: 'lint' })
    expect(code).toBe(0)
    expect(paths).toEqual(['src/a.ts'])
    expect(stdout.slice(stdout.indexOf('## Errors'), stdout.indexOf('## Tree'))).toMatchInlineSnapshot(`
      "## Errors that the linter finds

      \`\`\`
      src/a.ts:3:7 TS1005 wrong
      src/a.ts:4:7 TS1006 wrong
      \`\`\`

      "
    `)
  })

  it.each([
    ['there is no linter', {}, {}, 2, 'Error: No linter is configured\n'],
    ['there are none', { lint: {} }, { linter: 'lint' }, 0, 'No errors: nothing to pack.\n'],
    [
      'it does not run',
      {},
      { linter: 'lint' },
      2,
      'Error: The linter gives no result: exit 127: "lint" was not found\n',
    ],
  ])('is told where %s', async (_, commands, config, code, said) => {
    const { stderr, ...ran } = await relay(['--errors', '--trust'], { commands }, config)
    expect(ran.code).toBe(code)
    expect(stderr).toContain(said)
  })

  it('is told where it finds nothing in the files that are named', async () => {
    const { stderr, code } = await relay(['README.md', '--errors', '--trust'], failing, { linter: 'lint' })
    expect(code).toBe(2)
    expect(stderr).toContain('Error: The linter finds no errors in README.md\n')
  })

  it('is not looked for before the user has agreed to its command', async () => {
    expect(await relay(['--errors'], failing, { linter: 'lint' })).toMatchObject({ code: 3, shell: { ran: [] } })
  })
})

describe('where a pack goes', () => {
  it('into a file, and over nothing but an earlier pack', async () => {
    const first = await relay(['src', '-o', 'pack.md'])
    expect(first).toMatchObject({ code: 0, stdout: '', copied: undefined })
    expect(first.stderr).toMatch(/^✔ wrote 2 files /)
    const text = first.disk.text()['pack.md']
    expect((await relay(['README.md', '-o', 'pack.md'], { disk: first.disk })).code).toBe(0)
    expect(first.disk.text()['pack.md']).not.toBe(text)
    const third = await relay(['src', '-o', 'README.md'], { disk: first.disk })
    expect(third.code).toBe(2)
    expect(third.stderr).toContain('Error: /project/README.md already exists, and is not a pack\n')
    expect(first.disk.text()['README.md']).toBe(files['README.md'])
  })

  it.each(['none', 'README.md'])('into no folder that is none: %s', async folder => {
    const { code, stderr } = await relay(['src', '-o', `${folder}/pack.md`])
    expect(code).toBe(2)
    expect(stderr).toContain(
      `Error: There is no folder /project/${folder}\nHint: Create it first, or name another file.\n`,
    )
  })

  it('to the terminal where no clipboard is, and then relay does not say that it arrived', async () => {
    const world = fakeSystem({ files, terminal: { takesCopies: true } })
    world.clipboard.failure = new Error('none')
    expect(await main(['pack', 'src'], around(world.system))).toBe(0)
    expect(world.terminal.stderr).toMatchInlineSnapshot(`
      "✔ sent 2 files                                              1.3 kB, 341 tokens
          18  src/b/c.ts
          17  src/a.ts
          To your terminal's clipboard. Nothing there? \`relay pack --stdout\`
            prints it, \`-o <path>\` writes it.
      "
    `)
  })

  it('nowhere else: what was not handed over is not remembered', async () => {
    const world = fakeSystem({ files })
    world.clipboard.failure = new Error('no clipboard')
    expect(await main(['pack', 'src'], around(world.system))).toBe(8)
    expect(world.terminal.stderr).toMatchInlineSnapshot(`
      "▲ not copied: no clipboard. \`relay pack --stdout\` prints it, \`-o <path>\`
          writes it.
      "
    `)
    expect(world.disk.exists('.relaycode/seen')).toBe(false)
  })

  it('to a terminal with what would steer it written out', async () => {
    const more = { 'a.txt': 'a\x1b[2Jb\n' }
    expect((await relay(['a.txt', '--stdout'], { files: more, terminal: { isRead: true } })).stdout).toContain(
      'a\\x1b[2Jb',
    )
    expect((await relay(['a.txt', '--stdout'], { files: more })).stdout).toContain('a\x1b[2Jb')
  })

  it('to stdout for a dash as well', async () => {
    expect((await relay(['src', '-o', '-'])).paths).toEqual(['src/a.ts', 'src/b/c.ts'])
  })

  it('to one place alone', async () => {
    expect(await relay(['--stdout', '-o', 'x'])).toMatchObject({ code: 2 })
  })

  it('nowhere that a folder of a clone leads to', async () => {
    const world = fakeSystem({ files })
    world.disk.folder('/elsewhere')
    world.disk.folder('.relaycode', 0o700)
    world.disk.symlink('/elsewhere', '.relaycode/seen')
    expect(await main(['pack', 'src'], around(world.system))).toBe(0)
    expect(world.terminal.stderr).toContain('▲ relay cannot remember what you gave the model: ')
    expect(await world.system.files.list('/elsewhere')).toEqual([])
  })

  it('also where what it gave cannot be remembered', async () => {
    const world = fakeSystem({ files })
    world.disk.write('.relaycode', 'a file')
    expect(await main(['pack', 'src'], around(world.system))).toBe(0)
    expect(world.terminal.stderr).toContain('▲ relay cannot remember what you gave the model: ')
  })
})
