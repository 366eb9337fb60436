import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { renderGitDiff } from '../../../src/report/diff/render-git-diff.ts'
import { change, file, numbered } from '../samples.ts'

const look = { colour: false }
const long = numbered(1, 90)
const text = change('a b.ts', long, long.replace('line 4\n', 'four\n').replace('line 60\n', ''))

it('looks as git diff does, with what git would not say above it', () => {
  const changes = [
    text,
    change('src/old.ts', numbered(1, 30), null),
    change('src/ä.ts', null, file(numbered(1, 30).replace('30\n', '30'), 0o755)),
    change('dos.txt', 'a\r\nb\r\n', 'a\nb\n'),
    change('logo.png', file(new Uint8Array([0])), file(new Uint8Array([0, 1]))),
    change('gone', { kind: 'link', to: 'a' }, null),
    change('same', 'a', 'a', 'b'),
  ]
  expect(`\n${renderGitDiff(changes, look)}`).toMatchInlineSnapshot(`
    "
    src/ä.ts: line end at the end of the file removed
    src/ä.ts: mode 0644 -> 0755
    dos.txt: line ends CRLF -> LF
    logo.png: binary: 1 byte -> 2 bytes
    gone: was a link to a

    diff --git a/a b.ts b/a b.ts
    --- a/a b.ts
    +++ b/a b.ts
    @@ -1,7 +1,7 @@
     line 1
     line 2
     line 3
    -line 4
    +four
     line 5
     line 6
     line 7
    @@ -57,7 +57,6 @@
     line 57
     line 58
     line 59
    -line 60
     line 61
     line 62
     line 63
    diff --git a/src/old.ts b/src/ä.ts
    old mode 100644
    new mode 100755
    similarity index 100%
    rename from src/old.ts
    rename to src/ä.ts
    diff --git a/dos.txt b/dos.txt
    diff --git a/logo.png b/logo.png
    Binary files a/logo.png and b/logo.png differ
    diff --git a/gone b/gone
    deleted file mode 120000
    diff --git a/same b/same
    "
  `)
})

it('has git’s own colours', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relay-git-'))
  try {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
    writeFileSync(join(folder, 'old'), 'a\nb\nc\n')
    writeFileSync(join(folder, 'new'), 'a\nB\nc\n')
    let theirs = ''
    try {
      execFileSync('git', ['diff', '--no-index', '--color=always', 'old', 'new'], { cwd: folder, env, stdio: 'pipe' })
    } catch (error) {
      theirs = (error as { stdout: Buffer }).stdout.toString()
    }
    const lines = theirs.split('\n').filter(line => !line.includes('index '))
    const ours = renderGitDiff([change('x', 'a\nb\nc\n', 'a\nB\nc\n')], { colour: true })
    expect(ours).toBe(lines.join('\n').replaceAll(/\b(a\/old|b\/new)\b/g, name => `${name[0]}/x`))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

it('steers no terminal, and leaves nothing out', () => {
  const evil = change('\x1b]0;x\x07\n".ts', 'a\n', `\x1b[2J\u202eb\r\n${'x'.repeat(1e6)}\n`)
  const shown = renderGitDiff([evil], look)
  expect(shown).not.toMatch(/[\x00-\x09\x0b-\x1f\u202e]/)
  expect(shown).toContain('"b/\\033]0;x\\a\\n\\".ts"')
  expect(shown).toContain('+\\x1b[2J\\u202eb')
  expect(shown).toContain(`+${'x'.repeat(1e6)}\n`)
})
