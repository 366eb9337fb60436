import { type Command, Option } from 'commander'
import { RelayError } from '../errors.ts'
import type { System } from '../ports.ts'

/** Answers the exit code. */
export type Run = (system: System) => Promise<number>

/** Adds to a command of this name what it takes, and what it runs when it is chosen. */
export type SpellOut = (command: Command, choose: (run: Run) => void) => void

/** How each option of a command is typed, by the name that the command has for it. */
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

/** What a command takes beside its options: one word or none, or as many as are given. */
type Taken<Word> = undefined extends Word
  ? `[${string}]`
  : Word extends readonly string[]
    ? `[${string}...]`
    : `<${string}>`

type Row<Words extends readonly unknown[], Options> = {
  /** It may change the project, or what relay keeps of it: inside an agent it is refused. */
  readonly writes?: true
  readonly options: Spelled<Options>
  /** Each command's code is loaded when it is chosen, so that a mistyped one loads none. */
  load(): Promise<(system: System, ...given: [...Words, Options]) => Promise<number>>
} & (Words extends readonly [infer Word]
  ? { readonly takes: readonly [name: Taken<Word>, help: string] }
  : { readonly takes?: never })

/** The compiler holds what is spelled here and what the command expects together. */
export function row<Words extends readonly unknown[], Options>(row: Row<Words, Options>): SpellOut {
  const { takes, writes, options, load } = row
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
      // Commander gives what was spelled out for it, and that is what the row's type asks for.
      const given = [...command.processedArgs, Object.fromEntries(typed)] as unknown as [...Words, Options]
      choose(async system => {
        if (writes === true) mustNotBeAgent(system)
        return (await load())(system, ...given)
      })
    })
  }
}

/** One that is given several times, written as `--to <agent...>`, takes one word each time: the next word is not its own. */
function optionOf(flags: string, help: string): Option {
  if (!flags.endsWith('...>')) return new Option(flags, help)
  const collect = (word: string, before: readonly string[] | undefined) => [...(before ?? []), word]
  return new Option(flags.replace('...>', '>'), help).argParser(collect)
}

/** An agent that relay started works in a checkout, and changes nothing by way of relay. */
export function mustNotBeAgent({ env }: System): void {
  if (env['RELAY_AGENT'] !== '1') return
  throw new RelayError('usage', 'An agent of relay runs this (RELAY_AGENT=1), and relay changes nothing for it', {
    hint: 'Change the files themselves: relay takes the work over when the agent is done.',
  })
}
