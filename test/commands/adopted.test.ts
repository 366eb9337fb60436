import { describe, expect, it } from 'vitest'
import { FakeDisk } from '../support/fake-disk.ts'
import { fakeTalk } from '../support/fake-project.ts'
import { fakeSystem } from '../support/fake-system.ts'
import { journalWorld } from '../support/journal-world.ts'
import { adoptIn, change, linkTo, program } from '../support/made.ts'

const binary = (byte: number) => Uint8Array.of(0, 255, byte)

/** A project in which a change of each kind was adopted as #1. */
async function world(yes = true) {
  const disk = new FakeDisk()
  disk.write('src/a.ts', 'one\ntwo\n')
  disk.write('src/b.ts', 'b\n')
  disk.write('src/old.ts', 'an old name\n')
  disk.write('logo.png', binary(1))
  disk.write('run.sh', 'echo 1\n', 0o755)
  disk.symlink('src/a.ts', 'link.ts')
  disk.symlink('src/b.ts', 'other.ts')
  const made = journalWorld({}, { disk })
  const before = disk.tree({ journal: false })
  const outcome = await adoptIn(
    fakeSystem({ disk }),
    [
      change('src/a.ts', 'one\ntwo\n', 'one\n2\n'),
      change('src/b.ts', 'b\n', linkTo('a.ts')),
      change('src/old.ts', 'an old name\n', null),
      change('src/deep/new.ts', null, 'an old name\n'),
      change('src/lib', null, linkTo('deep')),
      change('logo.png', binary(1), binary(2)),
      change('run.sh', program('echo 1\n'), 'echo 1\n'),
      change('bin/run', null, program('echo 2\n')),
      change('link.ts', linkTo('src/a.ts'), 'text\n'),
      change('other.ts', linkTo('src/b.ts'), linkTo('src/a.ts')),
    ],
    { talk: fakeTalk([yes ? 'yes' : 'no']) },
  )
  return { ...made, before, after: disk.tree({ journal: false }), outcome }
}

describe('what was adopted', () => {
  it('goes back and comes again, byte for byte', async () => {
    const { run, disk, before, after, outcome } = await world()
    expect(outcome.kind).toBe('committed')
    for (const [word, expected] of [
      ['undo', before],
      ['redo', after],
      ['undo', before],
      ['redo', after],
    ] as const) {
      expect(await run([word, '--yes', '--allow-sensitive'])).toMatchObject({ code: 0 })
      expect(disk.tree({ journal: false })).toEqual(expected)
    }
  })

  it('is shown as what it is', async () => {
    const { run } = await world()
    expect((await run(['show'])).stdout).toMatchInlineSnapshot(`
      "#1  I added the switch                                               kept auto
        uuid      00000000-0000-4000-8000-000000000003
        from      agent:codex, at 14:02
        why       I added the switch. It works.
        lint      not checked

        ~ src/a.ts                +1  -1
        ~ src/b.ts                +0  -1
        ~ src/deep/new.ts         renamed from src/old.ts
        + src/lib                 a link to deep
        ~ logo.png                binary: 3 bytes -> 3 bytes
        ~ run.sh                  mode 0755 -> 0644
        + bin/run                 +1
        ~ link.ts                 +1  -0
        ~ other.ts                was a link to src/b.ts, now a link to src/a.ts

        ~ src/a.ts                                                             +1 -1
         1   1    one
         2      - two
             2  + 2

        ~ src/b.ts                                                             +0 -1
                a link to a.ts
         1      - b

        ~ src/deep/new.ts
                renamed from src/old.ts, nothing else changed

        + src/lib
                a link to deep

        ~ logo.png
                binary: 3 bytes -> 3 bytes

        ~ run.sh
                mode 0755 -> 0644

        ⋯ 3 more files: relay diff 1 shows all

        relay diff 1   relay show 1 --patch   relay revert 1
      "
    `)
    expect((await run(['show', '--patch'])).stdout).toMatchInlineSnapshot(`
      "diff --git a/src/a.ts b/src/a.ts
      index 814f4a422927b82f5f8a43f8fab6d3839e3983f2..99b356dcd03dde0755c749bcd4cae4b2b73a8fa8 100644
      --- a/src/a.ts
      +++ b/src/a.ts
      @@ -1,2 +1,2 @@
       one
      -two
      +2
      diff --git a/src/b.ts b/src/b.ts
      deleted file mode 100644
      index 61780798228d17af2d34fce4cfbdf35556832472..0000000000000000000000000000000000000000
      --- a/src/b.ts
      +++ /dev/null
      @@ -1 +0,0 @@
      -b
      diff --git a/src/b.ts b/src/b.ts
      new file mode 120000
      index 0000000000000000000000000000000000000000..417ce6bd4ee0c0b5363301c19328c6ea3a3005ee
      --- /dev/null
      +++ b/src/b.ts
      @@ -0,0 +1 @@
      +a.ts
      \\ No newline at end of file
      diff --git a/src/old.ts b/src/old.ts
      deleted file mode 100644
      index 0e10514172cd9a31c6a587980c9ace802ca9af5e..0000000000000000000000000000000000000000
      --- a/src/old.ts
      +++ /dev/null
      @@ -1 +0,0 @@
      -an old name
      diff --git a/src/deep/new.ts b/src/deep/new.ts
      new file mode 100644
      index 0000000000000000000000000000000000000000..0e10514172cd9a31c6a587980c9ace802ca9af5e
      --- /dev/null
      +++ b/src/deep/new.ts
      @@ -0,0 +1 @@
      +an old name
      diff --git a/src/lib b/src/lib
      new file mode 120000
      index 0000000000000000000000000000000000000000..d1f857b3cc128d202d3547d90541d78e7761853e
      --- /dev/null
      +++ b/src/lib
      @@ -0,0 +1 @@
      +deep
      \\ No newline at end of file
      diff --git a/logo.png b/logo.png
      index 046f393ee9d8a6a0754b8ddadce727b4ce35f272..66a993e5ad357d65d5b30fd4e7c0f6a649ab1442 100644
      GIT binary patch
      literal 3
      Kc\${PS&jbJh0|5d6

      literal 3
      Kc\${PS&j<hl0s#R4

      diff --git a/run.sh b/run.sh
      old mode 100755
      new mode 100644
      diff --git a/bin/run b/bin/run
      new file mode 100755
      index 0000000000000000000000000000000000000000..3b5545e7ade7b2ce518c938132b759e0780589cf
      --- /dev/null
      +++ b/bin/run
      @@ -0,0 +1 @@
      +echo 2
      diff --git a/link.ts b/link.ts
      deleted file mode 120000
      index 37ccdad6c3888bbd4aa31bfb7bb119468d527c2b..0000000000000000000000000000000000000000
      --- a/link.ts
      +++ /dev/null
      @@ -1 +0,0 @@
      -src/a.ts
      \\ No newline at end of file
      diff --git a/link.ts b/link.ts
      new file mode 100644
      index 0000000000000000000000000000000000000000..8e27be7d6154a1f68ea9160ef0e18691d20560dc
      --- /dev/null
      +++ b/link.ts
      @@ -0,0 +1 @@
      +text
      diff --git a/other.ts b/other.ts
      index 59476289c5b0249f14983609d81f0b47b393d722..37ccdad6c3888bbd4aa31bfb7bb119468d527c2b 120000
      --- a/other.ts
      +++ b/other.ts
      @@ -1 +1 @@
      -src/b.ts
      \\ No newline at end of file
      +src/a.ts
      \\ No newline at end of file
      "
    `)
    expect((await run(['log'])).stdout).toContain('  I added the switch ')
    expect((await run(['diff', '1'])).stdout).toBe((await run(['show', '--patch'])).stdout)
    const { source, files, reasoning } = JSON.parse((await run(['show', '--json'])).stdout)
    expect({ source, reasoning }).toEqual({ source: 'agent:codex', reasoning: ['I added the switch. It works.'] })
    expect(files.every((file: { readonly since: string }) => file.since === 'as-kept')).toBe(true)
  })

  it('leaves the newest answer to `apply --last` after a no', async () => {
    const made = journalWorld({ 'src/a.ts': 'a\n' })
    await made.patch({ 'src/a.ts': 'answered\n' }, { config: { approval: 'no' }, answer: 'no' })
    const there = fakeSystem({ disk: made.disk })
    await there.clock.advance(60_000)
    const config = { approval: 'no' } as const
    const outcome = await adoptIn(there, [change('src/a.ts', 'a\n', 'made\n')], { talk: fakeTalk(['no']), config })
    expect(outcome).toMatchObject({ kind: 'rolled-back', number: 2 })
    expect(await made.run(['apply', '--last', '--yes'])).toMatchObject({ code: 0 })
    expect(made.disk.readText('src/a.ts')).toBe('answered\n')
  })
})
