import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const src = fileURLToPath(new URL('../src', import.meta.url))

/**
 * Who may import whom. Data flows one way, stages do not know each other, and only `system/` meets the real world:
 * so any stage can be read, tested and replaced alone.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  // Knows nothing of relay: any stage may use it.
  ground: ['ground'],
  // The words. They import nothing but each other, so that all else can be said in terms of them.
  model: ['model'],
  // What texts have in common, and what a line stands in: reading, planning and showing all ask that.
  lines: ['ground', 'model', 'lines'],
  // Failures and doors are said in the words, and know nobody who uses them.
  'errors.ts': ['model'],
  'ports.ts': ['model'],
  // What is the user's and no project's needs a door to the disk, and no stage.
  'state-files.ts': ['ground', 'ports.ts'],
  // Pure stages: a value goes in, a value comes out. None knows another, and none has a door.
  parse: ['ground', 'lines', 'model', 'parse'],
  plan: ['ground', 'lines', 'model', 'plan'],
  check: ['ground', 'lines', 'model', 'errors.ts', 'check'],
  report: ['ground', 'lines', 'model', 'report'],
  // Stages with doors: where answers come from, what a project says of itself, and the transaction, which reads checks.
  source: ['ground', 'model', 'ports.ts', 'errors.ts', 'source'],
  project: ['ground', 'model', 'ports.ts', 'errors.ts', 'state-files.ts', 'project'],
  transact: ['ground', 'lines', 'check', 'model', 'ports.ts', 'errors.ts', 'state-files.ts', 'transact'],
  // What a model is given of a project, and what it was given before: it looks at the disk, and knows no answer.
  pack: ['ground', 'lines', 'model', 'ports.ts', 'errors.ts', 'pack'],
  // The real world behind the doors: it may not know what is done with it.
  system: ['ground', 'model', 'ports.ts', 'errors.ts', 'system'],
  // What happens from end to end joins the stages, and shows nothing.
  flows: ['ground', 'model', 'ports.ts', 'errors.ts', 'state-files.ts', 'parse', 'check', 'plan', 'pack/seen-versions.ts', 'transact', 'flows'],
  // The wing: what a second model does for a project. How each agent is spoken to, and what it is sent, are pure.
  'agents/backends': ['ground', 'model', 'agents/backends'],
  'agents/envelope': ['ground', 'model', 'agents/envelope'],
  // A private copy of a project: it knows no agent.
  'agents/checkout': ['ground', 'lines', 'model', 'ports.ts', 'errors.ts', 'state-files.ts', 'plan/path-glob.ts', 'agents/checkout'],
  'agents/run': ['ground', 'model', 'ports.ts', 'errors.ts', 'state-files.ts', 'agents/backends', 'agents/run'],
  // What becomes of a branch at the end: it knows no book.
  'agents/ship': ['ground', 'model', 'ports.ts', 'errors.ts', 'state-files.ts', 'agents/checkout', 'agents/run', 'agents/ship'],
  // One task from its prompt to its landing, whatever list it stands in.
  'agents/work': [
    'ground', 'model', 'ports.ts', 'errors.ts', 'state-files.ts',
    'flows', 'agents/backends', 'agents/checkout', 'agents/run', 'agents/ship', 'agents/work',
  ],
  // The products. Each is a list of tasks in files, and what opens, ships and plans it; none knows another.
  'agents/raf': [
    'ground', 'lines', 'model', 'ports.ts', 'errors.ts', 'state-files.ts',
    'flows', 'agents/backends', 'agents/envelope', 'agents/checkout', 'agents/run', 'agents/ship', 'agents/work', 'agents/raf',
  ],
  'agents/prd': [
    'ground', 'model', 'ports.ts', 'errors.ts', 'state-files.ts',
    'flows', 'agents/backends', 'agents/envelope', 'agents/checkout', 'agents/run', 'agents/ship', 'agents/work', 'agents/prd',
  ],
  'agents/session': [
    'ground', 'model', 'ports.ts', 'errors.ts', 'state-files.ts',
    'flows', 'agents/backends', 'agents/envelope', 'agents/checkout', 'agents/run', 'agents/ship', 'agents/work', 'agents/session',
  ],
  // What commands ask for beside the products: one answer, one instruction, which is work, and which agents there are.
  agents: [
    'ground', 'model', 'ports.ts', 'errors.ts', 'state-files.ts',
    'agents/backends', 'agents/envelope', 'agents/run', 'agents/work', 'agents',
  ],
  // Commands wire all of it together and talk to a person. They get the doors from outside. Of agents they know the products and
  // the road of their work; where that runs is `agents/work`'s business. Only `recover` looks for agents that were left running, and
  // what a run does is kept where it is also shown.
  commands: [
    'ground', 'model', 'ports.ts', 'errors.ts',
    'source', 'parse', 'plan', 'check', 'transact', 'pack', 'flows', 'report', 'project', 'commands',
    'agents', 'agents/backends', 'agents/raf', 'agents/prd', 'agents/session', 'agents/work', 'agents/run/run-folder.ts', 'agents/run/run-events.ts',
  ],
  // The entrance: a table of commands, loaded late, and the one place where an error becomes words.
  cli: ['ports.ts', 'errors.ts', 'commands', 'cli'],
  'main.ts': ['model', 'ports.ts', 'errors.ts', 'cli', 'commands', 'report'],
} // biome-ignore format: one line a layer reads as a table

/** Packages and Node modules, by layer; a layer that is not named here may use none. */
const mayUse: Readonly<Record<string, readonly RegExp[]>> = {
  parse: [/^yaml$/],
  plan: [/^picomatch$/, /^diff$/, /^node:buffer$/],
  report: [/^chalk$/, /^diff$/, /^node:(buffer|zlib)$/],
  flows: [/^node:path$/],
  agents: [/^node:path$/],
  'agents/backends': [/^node:path$/],
  'agents/checkout': [/^node:path$/],
  'agents/run': [/^node:(path|buffer)$/],
  'agents/ship': [/^node:path$/],
  'agents/work': [/^node:path$/],
  'agents/raf': [/^node:path$/],
  'agents/prd': [/^node:path$/],
  'agents/session': [/^node:path$/],
  source: [/^node:path$/],
  // How git ignores and what a token is are others' business; the latter loads when it is used.
  pack: [/^ignore$/, /^gpt-tokenizer\//, /^node:(path|buffer)$/],
  'state-files.ts': [/^node:path$/],
  // How a secret looks is others' business, too, and loads when something looks like one.
  ground: [/^jsonc-parser$/, /^smol-toml$/, /^@secretlint\//, /^node:(path|buffer|crypto)$/],
  lines: [/^diff$/, /^node-diff3$/, /^node:buffer$/],
  transact: [/^yaml$/, /^node:(path|buffer)$/],
  project: [/^valibot$/, /^yaml$/, /^node:(path|buffer)$/],
  system: [/./],
  commands: [/^node:path$/],
  cli: [/^commander$/],
}

/** The groups of `transact/`, each of which imports only those before it; the files beside them tell how they go together. */
const order = [
  'disk', // the steps that a crash may interrupt
  'entry', // one transaction as it is written down
  'layout', // where relay keeps what, in `.relaycode/` and in a stage
  'lock', // who works in a project, and who watches
  'survey', // what stands on the disk
  'journal', // all transactions, and what else is remembered
  'work', // what each step is given, and what is decided
  'execute', // forward: the plan, the stage, the swap
  'run', // the project's commands and its linter
  'restore', // back: each place as it was
  'end', // commit and roll back
  'decide', // the gate and the question
  'recover', // what an earlier relay left
]

/** The steps of `parse/`, each of which imports only those before it; `parse-response.ts` tells how they go together. */
const steps = [
  'lines', // a text in lines, and what one line says
  'blocks', // the fenced blocks, the prose between them
  'control', // the closing YAML
  'edits', // a block's text that changes places of a file
  'files', // blocks and control make operations
  'doubts', // what speaks against them
]

/** What commands have in common, each group importing only those before it; the files beside them are commands. */
const shared = [
  'talk', // a person is shown something, and asked
  'open', // a project and its journal, for a command
  'follow-up', // a prompt for the model to try again
  'pack', // a prompt with files in it
  'recover', // what is unfinished
  'ask', // a question to agents, and its answer
  'alone', // agents work by themselves
  'delegate', // on the way to a pull request
  'doctor',
  'help',
  'watch', // where a watcher keeps what comes, and its keys
]

/** The groups of the wing, each importing only those before it; the files beside them are what commands call. */
const wing = [
  'backends', // how each agent is spoken to
  'envelope', // what it is sent
  'checkout', // where it works, and what it made there
  'run', // one run of it, to its end
  'ship', // what becomes of a branch at the end
  'work', // one task, from its prompt to its landing
  'raf', // plans of tasks
  'prd', // user stories
  'session', // delegations
]

/** What people and programs read, by reader; each group imports only those before it. */
const readers = [
  'text', // a line, a column, a time
  'diff', // what differs between two texts
  'answers', // what becomes of an answer
  'json', // the same for programs
  'agents', // what agents do
  'findings', // what doctor looked at
  'screens', // one command's page each
]

/** What would let a pure stage know the day, the process or chance. */
const impure = /\b(Date\.now|new Date\(\)|performance\.now|process\.|Math\.random|setTimeout|setInterval|fetch(?=\())\b/

const files = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
  .map(entry => relative(src, join(entry.parentPath, entry.name)))

describe('the house', () => {
  it.each(files)('%s imports only what its layer may', file => {
    const layer = layerOf(file)
    const wrong = importsOf(file).filter(specifier => {
      if (!specifier.startsWith('.')) return !(mayUse[layer] ?? []).some(allowed => allowed.test(specifier))
      const to = join(dirname(file), specifier)
      // A row may name one file of a layer alone.
      return ![layerOf(to), to].some(each => mayImport[layer]?.includes(each))
    })
    expect(wrong).toEqual([])
  })

  it.each(files.filter(file => /^(?:transact|parse|agents|commands|report)\/.*\//.test(file)))(
    '%s imports only groups before its own',
    file => {
      const [stage = '', group = ''] = file.split('/')
      const groups = { parse: steps, agents: wing, commands: shared, report: readers }[stage] ?? order
      const used = importsOf(file).flatMap(to => {
        const [in_, at] = join(dirname(file), to).split('/')
        return in_ === stage && at !== undefined && !at.endsWith('.ts') ? at : []
      })
      const own = groups.indexOf(group)
      expect(own).toBeGreaterThanOrEqual(0)
      expect(used.filter(each => !groups.slice(0, own + 1).includes(each))).toEqual([])
    },
  )

  it.each(
    files.filter(file =>
      /^(parse|plan|check|report|agents\/(backends|envelope|raf|prd|session))\/|^transact\/decide\/gate\.ts/.test(file),
    ),
  )('%s cannot tell what day it is', file => {
    const code = readFileSync(join(src, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    expect(code.match(impure)?.[0]).toBeUndefined()
  })

  it('lets flows alone begin a transaction', () => {
    const callers = files.filter(file => {
      return importsOf(file).some(to => join(dirname(file), to) === 'transact/transact.ts')
    })
    expect(callers.filter(file => !file.startsWith('flows/'))).toEqual([])
  })

  it('lets the engine name no agent but among the files that steer one', () => {
    const named = files.filter(file => {
      if (!/^(parse|plan|check|transact|flows)\//.test(file)) return false
      const code = readFileSync(join(src, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
      return /claude|codex|gemini|opencode|copilot/i.test(code)
    })
    expect(named).toEqual(['plan/sensitive/sensitive-table.ts'])
  })

  it('has no import circle', () => {
    const graph = new Map(
      files.map(file => [
        file,
        importsOf(file)
          .filter(to => to.startsWith('.'))
          .map(to => join(dirname(file), to)),
      ]),
    )
    expect(findCircle(graph)).toBeUndefined()
  })

  it('names no file after nothing in particular', () => {
    expect(
      files.filter(file => /(^|\/)(utils?|helpers?|common|misc|manager|service|index)(\.ts|\/)/.test(file)),
    ).toEqual([])
  })
})

/** The row of a file: a group of a layer may have one of its own. */
function layerOf(file: string): string {
  const [layer = '', group = ''] = file.split('/')
  const own = `${layer}/${group}`
  return own in mayImport ? own : layer
}

function importsOf(file: string): string[] {
  const code = readFileSync(join(src, file), 'utf8')
  const found = code.matchAll(
    /(?:^|\n)\s*(?:import|export)\s[^'"\n]*?(?:\{[^}]*\}[^'"\n]*?)?from\s+'([^']+)'|import\('([^']+)'\)|(?:^|\n)import\s+'([^']+)'/g,
  )
  return [...found].map(([, a, b, c]) => a ?? b ?? c ?? '')
}

function findCircle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const next of graph.get(file) ?? []) {
      const circle = visit(next, [...path, file])
      if (circle !== undefined) return circle
    }
    done.add(file)
    return undefined
  }
  for (const file of graph.keys()) {
    const circle = visit(file, [])
    if (circle !== undefined) return circle
  }
  return undefined
}
