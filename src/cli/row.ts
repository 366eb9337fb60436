import { type Command, Option } from 'commander'
import { RelayError } from '../errors.ts'
import type { System } from '../ports.ts'

/** Answers the exit code. */
export type Run = (system: System) => Promise<number>

/** Gives a command its arguments and options, and chooses what it runs. */
export type SpellOut = (command: Command, choose: (run: Run) => void) => void

/** How each option of a command is typed, by its name in the code. */
type Spelled<Options> = {
  readonly [Name in keyof Options & string]-?: readonly [
    flags: `${'' | `-${string}, `}${LongFlag<Name, Exclude<Options[Name], undefined>>}`,
    help: string,
    choices?: readonly Extract<Options[Name], string>[],
  ]
}

type LongFlag<Name extends string, Value> = [Value] extends [boolean]
  ? `--${'' | 'no-'}${Kebab<Name>}`
  : `--${Kebab<Name>} ${true extends Value ? `[${string}]` : `<${string}>`}`

type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Uppercase<First> ? `-${Lowercase<First>}` : First}${Kebab<Rest>}`
  : Name

/** How the argument of a command is spelled: an optional word, any number of words, or words that are needed. */
type Taken<Word> = undefined extends Word
  ? `[${string}]`
  : Word extends readonly string[]
    ? `[${string}...]` | `<${string}...>`
    : `<${string}>`

type Row<Words extends readonly unknown[], Options> = {
  /** It may change the project or relay's state, so an agent may not run it. */
  readonly writes?: true
  /** It puts back by itself what a stopped run had put aside; every other command that writes has it put back before. */
  readonly recovers?: true
  readonly options: Spelled<Options>
  /** Loads the command's code when it is chosen, so that a mistyped command loads none. */
  load(): Promise<(system: System, ...given: [...Words, Options]) => Promise<number>>
} & (Words extends readonly [infer Word]
  ? { readonly takes: readonly [name: Taken<Word>, help: string] }
  : { readonly takes?: never })

/** The compiler checks the spelled options against those that the command expects. */
export function row<Words extends readonly unknown[], Options>(row: Row<Words, Options>): SpellOut {
  const { takes, writes, recovers, options, load } = row
  const spelled: Readonly<Record<string, readonly [string, string, (readonly string[])?]>> = options
  return (command, choose) => {
    if (takes !== undefined) command.argument(...takes)
    for (const [flags, help, choices] of Object.values(spelled)) {
      const option = optionOf(flags, help)
      command.addOption(choices === undefined ? option : option.choices(choices))
    }
    command.action(() => {
      // The program knows `--no-copy` as well, for `relay --init`, and takes it wherever it stands.
      const all = command.optsWithGlobals()
      if (all['copy'] === false && !('copy' in spelled)) command.error("error: unknown option '--no-copy'")
      const typed = Object.entries(all).filter(([name]) => name in spelled)
      // Commander gives the values of the options that were added here, and the row's type describes those.
      const given = [...command.processedArgs, Object.fromEntries(typed)] as unknown as [...Words, Options]
      choose(async system => {
        const run = async () => (await load())(system, ...given)
        const bringsBack = recovers !== true && all['dryRun'] !== true
        return writes === true ? writing(run, system, bringsBack) : run()
      })
    })
  }
}

/** `--to <agent...>` may be given several times. Each time it takes one word: the next word does not belong to it. */
function optionOf(flags: string, help: string): Option {
  if (!flags.endsWith('...>')) return new Option(flags, help)
  const collect = (word: string, before: readonly string[] | undefined) => [...(before ?? []), word]
  return new Option(flags.replace('...>', '>'), help).argParser(collect)
}

export async function writing(run: () => Promise<number>, system: System, bringsBack = true): Promise<number> {
  mustNotBeAgent(system)
  return (await import('../commands/recover/around-writing.ts')).aroundWriting(run, system, { bringsBack })
}

/** An agent that relay started works in a checkout, and may change nothing through relay. */
export function mustNotBeAgent({ env }: System): void {
  if (env['RELAY_AGENT'] !== '1') return
  throw new RelayError('usage', 'An agent of relay runs this (RELAY_AGENT=1), and relay changes nothing for it', {
    hint: 'Change the files themselves: relay takes the work over when the agent is done.',
  })
}
