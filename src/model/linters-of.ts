import type { Config } from './project.ts'

/** The commands that find errors, in their order; none where nothing is checked. */
export function lintersOf({ linter = '' }: Partial<Pick<Config, 'linter'>>): readonly string[] {
  return (typeof linter === 'string' ? [linter] : linter).filter(command => command.trim() !== '')
}

/** All of them on one line, as a person would write them; empty where nothing is checked. */
export function linterLine(config: Partial<Pick<Config, 'linter'>>): string {
  return lintersOf(config).join(' && ')
}
