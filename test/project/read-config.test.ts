import { describe, expect, it } from 'vitest'
import { readConfig, readUserConfig } from '../../src/project/read-config.ts'
import { fakeConfig } from '../support/fake-project.ts'

// The defaults, spelled out there by hand.
const defaults = fakeConfig({ projectId: 'my-app' })

const agents =
  'agents by new names in small letters: {"command": "…"}, with "env", or with "like", "model" and "args" too'

describe('readConfig', () => {
  it('fills in every default', () => {
    expect(readConfig('{"projectId": "my-app"}')).toEqual({ kind: 'config', config: defaults, notes: [] })
  })

  it('fills in the defaults of an object that is there in part', () => {
    expect(readConfig('{"projectId": "my-app", "limits": {"files": 3}, "policy": {"deny": ["*.sql"]}}')).toEqual({
      kind: 'config',
      config: {
        ...defaults,
        limits: { responseBytes: 67_108_864, files: 3, fileBytes: 67_108_864, pathLength: 1024 },
        policy: { ask: [], deny: ['*.sql'], allowDeletes: true },
      },
      notes: [],
    })
  })

  it('takes every key as it is, and leaves $schema behind', () => {
    const all = {
      projectId: '@acme/app',
      clipboardPollInterval: 100,
      approval: 'no',
      approvalOnErrorCount: 3,
      linter: 'tsc',
      preCommand: 'a && b',
      postCommand: 'c\nd',
      commandTimeout: 0.5,
      durability: 'fast',
      clipboard: 'poll',
      commit: true,
      singleKey: true,
      notify: 'say "done"',
      instructions: 'edits',
      limits: { responseBytes: 1, files: 1, fileBytes: 1, pathLength: 1 },
      policy: { ask: ['a'], deny: ['b'], allowDeletes: false },
      agent: 'my-claude',
      agents: {
        local: { command: 'llm -m x' },
        'my-claude': { like: 'claude', command: 'npx my-claude', model: 'opus', args: ['--effort', 'high'] },
      },
      allow: ['make test'],
      attempts: 1,
      turnTimeout: 0.5,
      agentGrace: 0.5,
      agentSilence: 60,
      checkout: {
        setup: 'npm ci',
        link: ['data/raw'],
        copy: ['.env', 'packages/*/.env.local'],
        env: ['DB_PASSWORD'],
        fresh: true,
      },
    }
    const config = { ...all, user: {} }
    expect(readConfig(JSON.stringify({ $schema: 'x', ...all }))).toEqual({ kind: 'config', config, notes: [] })
  })

  it('refuses a key that stands twice in one object, however it is written, with all else that is wrong', () => {
    const text = `{
  "projectId": "my-app", "approval": "no",
  "policy": { "deny": ["a\\"{", "approval"], "approval": 1, "projectId": 2 },
  "\\u0061pproval"
    : "yes",
  "policy": { "deny": [], "deny": [] }, "limits": { "files": 0 }
}`
    expect(readConfig(text)).toEqual({
      kind: 'broken',
      problems: [
        'line 4: the key "approval" stands on line 2 already',
        'line 6: the key "policy" stands on line 3 already',
        'line 6: the key "deny" stands on line 6 already',
        'limits.files: found 0, allowed: a whole number from 1',
      ],
    })
  })

  it('does not mind a byte order mark', () => {
    expect(readConfig('\ufeff{"projectId": "my-app"}')).toMatchObject({ kind: 'config', config: defaults })
  })

  it.each([
    ['clipboardPollInterval', '99', 'found 99, allowed: a whole number from 100 to 3600000'],
    ['clipboardPollInterval', '100.5', 'found 100.5, allowed: a whole number from 100 to 3600000'],
    ['approval', 'true', 'found true, allowed: "yes", "no" or "never"'],
    ['approvalOnErrorCount', '-1', 'found -1, allowed: a whole number from 0'],
    ['approvalOnErrorCount', '1e400', 'found Infinity, allowed: a whole number from 0'],
    ['linter', 'null', 'found null, allowed: a shell command as text, a list of commands, or "" for none'],
    ['preCommand', '"a\\u0000"', 'found "a\\u{0}", allowed: a shell command as text, or "" for none'],
    ['postCommand', '{}', 'found an object, allowed: a shell command as text, or "" for none'],
    ['commandTimeout', '0', 'found 0, allowed: a number above 0, at most 86400'],
    ['clipboard', '""', 'found "", allowed: "auto" or "poll"'],
    ['singleKey', '1', 'found 1, allowed: true or false'],
    ['notify', '" "', 'found " ", allowed: "auto", "osc", "bell", "off", or a shell command as text'],
    [
      'limits',
      '[]',
      'found an empty list, allowed: an object with "responseBytes", "files", "fileBytes" and "pathLength"',
    ],
    ['agents', '[]', `found an empty list, allowed: ${agents}`],
    ['agents', '"llm"', `found "llm", allowed: ${agents}`],
    ['agentGrace', '0', 'found 0, allowed: a number above 0, at most 86400'],
    ['agent', '"My Claude"', 'found "My Claude", allowed: the name of an agent, or "" for none'],
    ['policy', 'null', 'found null, allowed: an object with "ask", "deny" and "allowDeletes"'],
    ['$schema', '1', 'found 1, allowed: a text'],
    ['approval', '"\\u001b[31mred"', 'found "\\u{1b}[31mred", allowed: "yes", "no" or "never"'],
  ])('says of %s: %s what was found and what is allowed', (key, value, problem) => {
    expect(readConfig(`{"projectId": "my-app", "${key}": ${value}}`)).toEqual({
      kind: 'broken',
      problems: [`${key}: ${problem}`],
    })
  })

  it.each([
    ['{}', 'projectId is missing'],
    ['{"projectId": ""}', 'projectId: found ""'],
    ['{"projectId": " \\t "}', 'projectId: found " \\u{9} "'],
    ['{"projectId": "a\\nb"}', 'projectId: found "a\\u{a}b"'],
    ['{"projectId": "a\\u202eb"}', 'projectId: found "a\\u{202e}b"'],
    ['{"projectId": 12}', 'projectId: found 12'],
  ])('wants a projectId that survives: %s', (text, problem) => {
    const read = readConfig(text)
    expect(read.kind).toBe('broken')
    expect(read.kind === 'broken' && read.problems.join('\n').replace(/[,;] allowed: .*/, '')).toBe(problem)
  })

  it.each([
    '/etc',
    '~/x',
    '..',
    'a/../../x',
    'a/..',
    '.',
    './a',
    '.git',
    'a/.GIT/hooks',
    '.relaycode/x',
    '!a',
    'a\\\\b',
    '',
  ])('wants what a checkout gets to lie in the project: %s', place => {
    const keys = ['link', 'copy'] as const
    expect(readConfig(`{"projectId": "my-app", "checkout": {"link": ["${place}"], "copy": ["${place}"]}}`)).toEqual({
      kind: 'broken',
      problems: keys.map(
        (key, at) =>
          `checkout.${key}[0]: found "${place.replace('\\\\', '\\')}", allowed: a list of ${['paths', 'globs'][at]} inside the project`,
      ),
    })
  })

  it.each([
    ['{"claude": {"command": "x"}}', 'agents.claude: found an object'],
    ['{"My Agent": {"command": "x"}}', 'agents.My Agent: found an object'],
    ['{"-x": {"command": "x"}}', 'agents.-x: found an object'],
    ['{"x": "llm"}', 'agents.x: found "llm"'],
    ['{"x": {}}', 'agents.x: found an object'],
    ['{"x": {"command": " "}}', 'agents.x.command: found " "'],
    ['{"x": {"command": "x", "model": "y"}}', 'agents.x: found an object'],
    ['{"x": {"command": "x", "like": "llm"}}', 'agents.x: found an object'],
    ['{"x": {"command": "x", "like": "claude", "model": "--y"}}', 'agents.x.model: found "--y"'],
    ['{"x": {"command": "x", "like": "claude", "args": "y"}}', 'agents.x: found an object'],
  ])('wants agents that can be started: %s', (text, problem) => {
    expect(readConfig(`{"projectId": "my-app", "agents": ${text}}`)).toEqual({
      kind: 'broken',
      problems: [`${problem}, allowed: ${agents}`],
    })
  })

  it('cuts what was found', () => {
    expect(readConfig(`{"projectId": "${'x'.repeat(201)}"}`)).toMatchObject({
      kind: 'broken',
      problems: [expect.stringContaining(`projectId: found "${'x'.repeat(57)}...", allowed`)],
    })
  })

  it('names everything that is wrong at once, nested keys and list items too', () => {
    const text = JSON.stringify({
      projectID: 'my-app',
      approval: 'maybe',
      limits: { files: 0, responseBytes: 'much' },
      policy: { ask: ['a', '', 3], deny: 'b', allow: true },
    })
    expect(readConfig(text)).toEqual({
      kind: 'broken',
      problems: [
        'projectId is missing; allowed: a text on one line, not blank, without control or invisible characters, at most 200 long',
        'approval: found "maybe", allowed: "yes", "no" or "never"',
        'limits.responseBytes: found "much", allowed: a whole number from 1',
        'limits.files: found 0, allowed: a whole number from 1',
        'policy.ask[1]: found "", allowed: a list of globs, each a text of 1 to 1000 characters',
        'policy.ask[2]: found 3, allowed: a list of globs, each a text of 1 to 1000 characters',
        'policy.deny: found "b", allowed: a list of globs, each a text of 1 to 1000 characters',
        'unknown key "projectID"; did you mean "projectId"?',
        'unknown key "policy.allow"; did you mean "allow"?',
      ],
    })
  })

  it('points out unknown keys and goes on', () => {
    const text = '{"projectId": "my-app", "aproval": "no", "theme": 1, "limits": {"file": 1}, "allowDeletes": false}'
    expect(readConfig(text)).toEqual({
      kind: 'config',
      config: defaults,
      notes: [
        'unknown key "aproval"; did you mean "approval"?',
        'unknown key "theme"',
        'unknown key "limits.file"; did you mean "limits.files"?',
        'unknown key "allowDeletes"; did you mean "policy.allowDeletes"?',
      ],
    })
  })

  it("fills in what the user has set for all projects, but what is the user's alone", () => {
    const user = { editor: 'vim', singleKey: true, notify: 'bell', instructions: 'Be brief.' } as const
    expect(readConfig('{"projectId": "my-app", "notify": "off", "editor": "evil"}', user)).toEqual({
      kind: 'config',
      config: { ...defaults, singleKey: true, notify: 'off', user },
      notes: ['unknown key "editor": it is yours, not the project\'s: `relay config --user editor …`'],
    })
  })

  it('takes from the user nothing that decides about changes', () => {
    expect(readUserConfig('{"agent": "codex", "approval": "yes", "them": 1}')).toEqual({
      kind: 'config',
      config: { agent: 'codex' },
      notes: [
        'unknown key "approval": it is a project\'s, not yours: it counts in relaycode.config.json alone',
        'unknown key "them"',
      ],
    })
  })

  it('is not moved by __proto__ and its like', () => {
    const text =
      '{"projectId": "my-app", "__proto__": {"approval": "no"}, "constructor": 1, "limits": {"__proto__": {"files": 1}}}'
    expect(readConfig(text)).toEqual({
      kind: 'config',
      config: defaults,
      notes: ['unknown key "__proto__"', 'unknown key "constructor"', 'unknown key "limits.__proto__"'],
    })
    expect(readConfig('{"__proto__": {"projectId": "my-app"}}')).toMatchObject({ kind: 'broken' })
  })

  it.each([
    ['[]', 'found an empty list, allowed: an object, { … }'],
    ['null', 'found null, allowed: an object, { … }'],
    ['"my-app"', 'found "my-app", allowed: an object, { … }'],
    ['{\n  "projectId": "my-app",\n}', 'line 3, column 1: property name expected'],
    ['\ufeff{', 'line 1, column 2: close brace expected'],
    ['', 'line 1, column 1: value expected'],
  ])('says why %j is no configuration', (text, problem) => {
    expect(readConfig(text)).toEqual({ kind: 'broken', problems: [problem] })
  })

  it('stays short and quick with a hostile file', () => {
    const keys = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`linter${i}`, i]))
    const notes = readConfig(JSON.stringify({ projectId: 'my-app', ...keys }))
    expect(notes).toMatchObject({ kind: 'config', notes: { length: 21, 20: 'and 49980 more' } })

    const globs = readConfig(JSON.stringify({ projectId: 'my-app', policy: { ask: Array(100_000).fill(0) } }))
    expect(globs).toMatchObject({ kind: 'broken', problems: { length: 21, 20: 'and 99980 more' } })

    expect(readConfig(`{"projectId": "my-app", "linter": ${'['.repeat(2000)}${']'.repeat(2000)}}`)).toEqual({
      kind: 'broken',
      problems: ['linter: found a list, allowed: a shell command as text, a list of commands, or "" for none'],
    })
  })
})
