import type { Check } from '../../model/check.ts'
import type { HistoryLine } from '../../model/entry.ts'
import { checkWords, linterRemedy } from '../answers/check-words.ts'
import { forgottenWords } from '../answers/describe-recovery.ts'
import { cutLine } from '../text/cut-line.ts'
import { describeDuration } from '../text/describe-time.ts'
import { visibleLine, visibleOutput } from '../text/visible.ts'
import { caution, type DoctorFinding, ok, problem } from './finding.ts'

interface Command {
  readonly key: string
  readonly state: 'confirmed' | 'new' | 'changed' | 'unknown'
}

export function commandFindings(
  commands: readonly Command[],
  doubts: readonly { readonly what: string }[],
): readonly DoctorFinding[] {
  return [
    agreementFinding(commands),
    ...doubts.map(({ what }) => caution('commands', `others can change files in this folder: ${what}`, agree)),
  ]
}

const agree = 'The next `relay watch` asks you about it; `--trust` allows it.'

function agreementFinding(commands: readonly Command[]): DoctorFinding {
  const keys = commands.map(({ key }) => key).join(', ')
  if (commands.length === 0) return ok('commands', 'none configured')
  const open = commands.filter(({ state }) => state !== 'confirmed')
  if (open.length === 0) return ok('commands', `${keys}: allowed`)
  if (open.some(({ state }) => state === 'unknown')) {
    return caution('commands', `${keys}: relay cannot read what you have allowed on this machine`, agree)
  }
  const words = open.map(({ key, state }) => `${key} is ${state}`).join(', ')
  return caution('commands', `${words}: not allowed on this machine yet`, agree)
}

/** @param found a linter that would fit, when none is configured */
export function noLinterFinding(found: string): DoctorFinding {
  return caution(
    'linter',
    'none configured: changes are kept without a check',
    found === ''
      ? 'Set "linter" in relaycode.config.json to a command that checks the project.'
      : `Set in relaycode.config.json: "linter": ${JSON.stringify(found)}`,
  )
}

/** In columns: some programs print megabytes in one line. */
const LONG = 500

/** @param programs what the linter's programs are, where that is worth a word */
export function linterFinding(check: Check, ms: number, programs: readonly string[] = []): DoctorFinding {
  const says = [`${checkWords(check)}, ${describeDuration(ms)}`, ...programs.map(visibleLine)].join('\n')
  if (check.kind !== 'uncounted') return ok('linter', says)
  const last = cutLine(visibleOutput(check.output).trim().split('\n').at(-1) ?? '', LONG)
  return problem('linter', last === '' ? says : `${says}\nit printed: ${last}`, linterRemedy)
}

/** Relay cannot write where the user's files are. */
export function closedProjectFinding(root: string, { why, hint }: Trouble): DoctorFinding {
  return problem('project', `nothing can be written into ${root}: ${why}`, hint ?? correctOwner)
}

/** Why something cannot be done with a folder, and what to do about it. */
interface Trouble {
  readonly why: string
  readonly hint: string | undefined
}

const correctOwner = 'Correct its owner and mode.'

/** The facts about `.relaycode/`. */
export interface StateFolder {
  readonly path: string
  readonly kind: 'absent' | 'folder' | 'other'
  /** `undefined` on Windows, where modes do not tell who may read it. */
  readonly mode: number | undefined
  /** Why relay cannot look into it, or write there. */
  readonly trouble: (Trouble & { readonly what: 'closed' | 'not-written' }) | undefined
}

export function stateFinding({ path, kind, mode, trouble }: StateFolder): DoctorFinding {
  if (kind === 'other') return problem('state', `${path} is not a folder`, 'Move it away, then run `relay --init`.')
  if (trouble !== undefined) {
    const closed = trouble.what === 'closed' ? `${path} cannot be looked into` : undefined
    const what = closed ?? (kind === 'absent' ? `${path} cannot be made` : `nothing can be written into ${path}`)
    return problem('state', `${what}: ${trouble.why}`, trouble.hint ?? correctOwner)
  }
  if (kind === 'absent') return caution('state', `${path} is not there yet`, 'Run `relay --init`.')
  if (mode === undefined) return ok('state', `${path}: can be written`)
  if ((mode & 0o077) === 0) return ok('state', `${path}: private, can be written`)
  return caution(
    'state',
    `${path} can be read by others (mode ${mode.toString(8)})`,
    'The next `relay watch` closes it; on a disk without modes (exFAT) only a mount option can: umask=077.',
  )
}

/** Names the transactions that have an entry but no line in a damaged history. */
export function forgottenFinding(lines: readonly HistoryLine[]): DoctorFinding {
  return caution('state', `not in the history: ${forgottenWords(lines)}`, '`relay recover` puts them back.')
}

/** How git is kept from what relay stores. */
export const ignoreFindings = {
  tracked: problem(
    'gitignore',
    'git tracks .relaycode/, which holds the content of your files',
    'Run `git rm -r --cached .relaycode`.',
  ),
  ignored: ok('gitignore', '.gitignore names .relaycode/'),
  'ignored-by-itself': ok('gitignore', 'not in .gitignore, but .relaycode/ ignores itself'),
  'not-ignored': caution(
    'gitignore',
    'nothing keeps git from taking .relaycode/',
    'Run `relay --init`: it adds the line.',
  ),
  'no-state': undefined,
} as const
