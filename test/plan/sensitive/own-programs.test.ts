import { describe, expect, it } from 'vitest'
import { ownPrograms } from '../../../src/plan/sensitive/own-programs.ts'

describe('ownPrograms', () => {
  it.each([
    ['./bin/lint', 'bin/lint'],
    ['bin//x/../lint --all', 'bin/lint'],
    ['.\\bin\\lint.cmd', 'bin/lint.cmd'],
    ['node scripts/check.mjs', 'scripts/check.mjs'],
    ['node "scripts/check.mjs" src', 'scripts/check.mjs'],
    ['bash -c "cd . && scripts/check.sh; true"', 'scripts/check.sh'],
    ['tsc|tools/count', 'tools/count'],
    ['tsc && (./count.v2 --all)', 'count.v2'],
    ['NODE_OPTIONS=--require=./hook.cjs tsc', 'hook.cjs'],
    ['tsc 2>&1 >out.log; tools/count <in.json', 'in.json'],
    ['eslint --config=tools/eslint.json src', 'tools/eslint.json'],
    ['./BIN/Lint', 'bin/lint'],
    ['./bin/lint', 'Bin/LINT'],
    ['./pru\u0308fen', 'pr\u00fcfen'],
  ])('takes a word of a command for a path: %j names %s', (linter, path) => {
    expect(ownPrograms({ linter })(path)).toBe('is named by `linter`')
  })

  it.each([
    ['eslint src', 'src/a.js'],
    ['markdownlint README.md', 'README.md'],
    ['cd tools && ./lint', 'tools/lint'],
    ['echo x >> log.js; ls >out.js 2>err.js', 'log.js'],
    ['echo x >> log.js; ls >out.js 2>err.js', 'err.js'],
    ['', 'a.js'],
  ])('knows nothing else: %j does not name %s', (linter, path) => {
    expect(ownPrograms({ linter })(path)).toBeUndefined()
  })

  it('names an agent of the project’s own by its command and its words', () => {
    const of = ownPrograms({ agents: { mine: { like: 'claude', command: './bin/mine', args: ['--mcp', 'x.json'] } } })
    expect(['bin/mine', 'x.json', 'a'].map(of)).toEqual([
      'is named by `agents.mine`',
      'is named by `agents.mine`',
      undefined,
    ])
  })

  it('names the command', () => {
    const of = ownPrograms({ preCommand: './a', postCommand: 'sh ./b.sh', notify: './c' })
    expect(['a', 'b.sh', 'c', 'd'].map(of)).toEqual([
      'is named by `preCommand`',
      'is named by `postCommand`',
      'is named by `notify`',
      undefined,
    ])
  })

  it('follows a command to the scripts of package.json that it runs, one step deep', () => {
    const of = ownPrograms({ linter: 'npm run --silent lint' }, [
      ['lint', 'node tools/check.js && npm run deeper'],
      ['deeper', 'node tools/deeper.js'],
      ['other', 'node tools/other.js'],
    ])
    expect(['tools/check.js', 'tools/deeper.js', 'tools/other.js'].map(of)).toEqual([
      'is named by the script "lint" that `linter` runs',
      undefined,
      undefined,
    ])
  })
})
