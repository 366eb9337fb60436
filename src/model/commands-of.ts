import type { Config, Project } from './project.ts'

/** A command that the configuration makes relay run, by its key. */
export interface ConfiguredCommand {
  readonly key: 'linter' | 'preCommand' | 'postCommand' | 'notify'
  readonly command: string
}

export type WithCommands = Partial<Pick<Config, ConfiguredCommand['key']>>

/** Every command of a configuration. A notification can be one, too; the other words that may stand there run nothing. */
export function commandsOf({ linter, preCommand, postCommand, notify }: WithCommands): readonly ConfiguredCommand[] {
  const all: readonly (readonly [ConfiguredCommand['key'], string | undefined])[] = [
    ['preCommand', preCommand],
    ['linter', linter],
    ['postCommand', postCommand],
    ['notify', ['auto', 'osc', 'bell', 'off'].includes(notify ?? '') ? '' : notify],
  ]
  return all.flatMap(([key, command = '']) => (command.trim() === '' ? [] : [{ key, command }]))
}

/** The project with nothing that a transaction would run. */
export function withoutCommands({ root, config }: Project): Project {
  return { root, config: { ...config, preCommand: '', linter: '', postCommand: '' } }
}
