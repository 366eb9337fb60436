import { relay } from '../../src/flows/relay.ts'
import { main } from '../../src/main.ts'
import { firstSentence } from '../../src/model/first-sentence.ts'
import type { Config } from '../../src/model/project.ts'
import { around } from './around.ts'
import { FakeDisk } from './fake-disk.ts'
import { fakeConfig, fakeTalk } from './fake-project.ts'
import { type FakeSystemOptions, fakeSystem } from './fake-system.ts'
import { type Asked, respond, titleLine } from './respond.ts'

/** A machine with one project, on which relay is started again and again. */
export interface JournalWorld {
  readonly disk: FakeDisk
  /** Applies a response as another start of relay, and keeps it unless `answer` says otherwise. */
  patch(files: Asked, more?: PatchOptions): Promise<void>
  /** Runs a command line. */
  run(args: readonly string[], options?: FakeSystemOptions): Promise<Ran>
  /** Lets the clock go on. */
  wait(ms: number): void
}

export interface PatchOptions {
  readonly uuid?: string
  readonly config?: Partial<Config>
  readonly answer?: 'yes' | 'no'
  readonly prose?: string
  readonly title?: string
}

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  readonly paged: readonly string[]
}

export function journalWorld(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  { config = {}, ...options }: { readonly config?: Partial<Config> } & FakeSystemOptions = {},
): JournalWorld {
  const disk = options.disk ?? new FakeDisk()
  disk.write('relaycode.config.json', JSON.stringify({ projectId: 'demo', ...config }))
  for (const [path, content] of Object.entries(files)) disk.write(path, content)
  let elapsed = 0
  let patches = 0
  const start = async (more: FakeSystemOptions = {}) => {
    const world = fakeSystem({ ...options, ...more, disk })
    elapsed += 1000
    await world.clock.advance(elapsed)
    return world
  }
  return {
    disk,
    wait(ms) {
      elapsed += ms
    },
    async patch(asked, more = {}) {
      patches += 1
      const { system } = await start()
      const text = respond(asked, { uuid: more.uuid ?? uuidOf(patches) })
      const source = 'clipboard' as const
      const project = { root: disk.root, config: fakeConfig({ ...config, ...more.config }) }
      const talk = fakeTalk(Array(3).fill(more.answer ?? 'yes'))
      const { prose = 'I changed what you asked for.', title = firstSentence([prose]) } = more
      const said = text.replace('I changed what you asked for.', () => prose)
      const titled = said.replace(titleLine, () => `promptSummary: ${JSON.stringify(title)}`)
      await relay({ source, text: titled }, project, system, talk)
    },
    async run(args, more = {}) {
      const world = await start(more)
      const code = await main(args, around(world.system))
      const { stdout, stderr, paged } = world.terminal
      return { code, stdout, stderr, paged }
    },
  }
}

/** Uuids that are told apart at their first letter. */
export function uuidOf(number: number): string {
  return `${String(number).padStart(8, 'a')}-7d5e-4f5c-9a0e-2b9a5a6f3a11`
}
