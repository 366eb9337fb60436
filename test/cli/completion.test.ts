import { execFileSync } from 'node:child_process'
import { afterAll, expect, it } from 'vitest'
import { hasProgram } from '../support/has-program.ts'
import { plainEnv, relayCommand } from '../support/real-relay.ts'
import { scratchProject } from '../support/scratch-project.ts'

const project = scratchProject({ 'answers/one two.md': '' })
afterAll(() => project.remove())

const command = relayCommand.map(word => `'${word}'`).join(' ')

function inShell(...words: readonly [string, ...string[]]): string {
  const [program, ...args] = words
  return execFileSync(program, args, { cwd: project.root, env: plainEnv(), encoding: 'utf8' })
}

it.runIf(hasProgram('bash'))('is made by bash', () => {
  const complete = (typed: string) =>
    inShell(
      'bash',
      '--norc',
      '-c',
      `relay() { ${command} "$@"; }
       compopt() { printf '(%s)' "$*"; }
       source <(relay completion bash)
       COMP_WORDS=(relay ${typed}) COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
       _relay; printf '%s ' "\${COMPREPLY[@]}"`,
    )
  expect(complete('re')).toBe('redo revert recover ')
  expect(complete('undo --on-overlap ""')).toBe('markers skip old ')
  expect(complete('apply ""')).toBe('(-o default) ')
})

it.runIf(hasProgram('fish'))('is made by fish, with descriptions', () => {
  const complete = (typed: string) =>
    inShell(
      'fish',
      '--no-config',
      '-c',
      `function relay; ${command} $argv; end; relay completion fish | source; complete -C '${typed}'`,
    )
  expect(complete('relay red')).toBe('redo\tredo the change that was undone last\n')
  expect(complete('relay apply ans')).toBe('answers/\n')
})

it.runIf(hasProgram('zsh'))('is made by zsh, with descriptions', () => {
  const complete = (typed: string) =>
    inShell(
      'zsh',
      '-f',
      '-c',
      `relay() { ${command} "$@"; }
       compdef() { }
       _describe() { print -l $found; }
       _files() { print files; }
       source <(relay completion zsh)
       words=(relay ${typed}); CURRENT=$#words
       _relay`,
    )
  expect(complete('red')).toBe('redo:redo the change that was undone last\n')
  expect(complete('apply ""')).toBe('files\n')
})
