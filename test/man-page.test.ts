import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { wholeProgram } from '../src/cli/program.ts'
import { exitMeanings, summaries } from '../src/commands/help/first-page.ts'
import { detailsOf } from '../src/commands/help/help-texts.ts'
import { hasProgram } from './support/has-program.ts'

const [file = ''] = packageJson.man
const source = readFileSync(file, 'utf8')

/** The text alone: of the page's own signs only the headings stay. */
const signs: Readonly<Record<string, string>> = {
  '\\e': '\\',
  '\\(aq': "'",
  '\\(ga': '`',
  '\\(ha': '^',
  '\\(ti': '~',
  '\\(dq': '"',
}
const text = source
  .replaceAll(/\\f[BIR]|\\&/g, '')
  .replaceAll('\\-', '-')
  .replaceAll(/\\e|\\\([a-z]{2}/g, sign => signs[sign] ?? sign)

function partOf(command: string): string {
  const start = text.indexOf(`.SS "relay ${command}"`)
  expect(start).toBeGreaterThan(0)
  return text.slice(start, text.slice(start + 1).search(/^\.S[SH] /m) + start + 1)
}

describe('the manual page', () => {
  it.each(wholeProgram('').commands.filter(command => summaries.has(command.name())))(
    'explains $_name as the help does',
    command => {
      const name = command.name() as Parameters<typeof detailsOf>[0]
      const part = partOf(name)
      const { about, examples, exits } = detailsOf(name)
      for (const { flags, description } of command.options)
        expect(part).toContain(`\n${flags}\n${plain(description)}\n`)
      for (const argument of command.registeredArguments) expect(part).toContain(`\n${plain(argument.description)}\n`)
      for (const line of about.split('\n')) expect(part).toContain(plain(line).trimEnd())
      for (const [line] of examples) expect(part).toContain(line)
      for (const [code, meaning] of exits) expect(part).toContain(`\n${code}\n${plain(meaning)}\n`)
    },
  )

  it('names the version and each exit code', () => {
    expect(text).toContain(`relaycode ${packageJson.version}`)
    for (const [code, meaning] of Object.entries(exitMeanings)) expect(text).toContain(`\n${code}\n${meaning}\n`)
  })

  it.runIf(hasProgram('mandoc'))('is read by mandoc', () => {
    const { stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', file], { encoding: 'utf8' })
    // The date is left out: the same source gives the same page.
    expect(stdout.split('\n').filter(line => line !== '' && !line.includes('missing date'))).toEqual([])
  })

  it.runIf(hasProgram('groff'))('is read by groff without a warning', () => {
    const { stdout, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww', file], { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(stdout).toContain('relay apply answer.md')
  })
})

/** Code has no backticks there. */
function plain(line: string): string {
  return line.replaceAll(/`([^`]+)`/g, '$1')
}
