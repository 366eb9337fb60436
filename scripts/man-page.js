// Writes dist/relay.1, the manual page, from the table of commands that the help is made of. A part of `npm run build`.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { wholeProgram, ...pages } = await loadTable()
const program = wholeProgram(version)

writeFileSync(join(root, 'dist/relay.1'), `${manualPage().join('\n')}\n`)

function manualPage() {
  return [
    // Without a date: the same source gives the same page.
    `.TH RELAY 1 "" "relaycode ${version}" "User Commands"`,
    '.SH NAME',
    'relay \\- apply the answers of an LLM to a project, checked',
    '.SH SYNOPSIS',
    '.B relay',
    '[\\fIoptions\\fR] [\\fIcommand\\fR]',
    '.SH DESCRIPTION',
    ...prose(pages.purpose),
    '.SH OPTIONS',
    ...pages.options.flatMap(([flags, does]) => item(bold(flags), does)),
    ...Object.entries(pages.groups).flatMap(([heading, commands]) => [
      `.SH ${inRoff(heading.toUpperCase())}`,
      ...commands.flatMap(([typed]) => command(typed.replace(/ .*/, ''))),
    ]),
    '.SH EXIT STATUS',
    ...Object.entries(pages.exitMeanings).flatMap(([code, meaning]) => item(bold(code), meaning)),
    '.SH FILES',
    ...item(bold('relaycode.config.json'), 'the configuration of a project, in its top folder'),
    ...item(bold('.relaycode/'), 'what relay keeps to undo changes, beside the configuration'),
    '.SH EXAMPLES',
    ...examples(pages.examples),
  ]
}

function command(name) {
  const known = program.commands.find(command => command.name() === name)
  if (known === undefined || name === 'help')
    return item('\\fBrelay help\\fR [\\fIcommand\\fR]', pages.summaries.get(name))
  const { about, examples: lines, exits } = pages.detailsOf(name)
  const usage = known.usage().replaceAll(/[\w-]+/g, word => italic(word))
  const named = [
    ...known.registeredArguments.map(argument => item(italic(argument.name()), argument.description)),
    ...known.options.map(({ flags, description }) => item(flagsOf(flags), description)),
  ]
  return [
    `.SS "relay ${name}"`,
    `.B relay ${name}`,
    usage,
    '.PP',
    ...prose(about),
    ...named.flat(),
    '.PP',
    'Examples:',
    '.PP',
    ...examples(lines),
    '.PP',
    'Exit status:',
    ...exits.flatMap(([code, meaning]) => item(bold(code), meaning)),
  ]
}

/** `-o, --output <path>` with its value in italics. */
function flagsOf(flags) {
  const [words, value] = flags.split(/ (?=[<[])/)
  return value === undefined ? bold(words) : `${bold(words)} ${italic(value)}`
}

function item(term, text) {
  return ['.TP', term, line(text)]
}

/** Paragraphs; lines that are set in stay as they are. */
function prose(text) {
  return text.split('\n\n').flatMap((paragraph, index) => {
    const lines = paragraph.split('\n')
    return [...(index === 0 ? [] : ['.PP']), ...(paragraph.startsWith('  ') ? asTyped(lines) : lines.map(line))]
  })
}

function examples(rows) {
  const width = Math.max(...rows.map(([typed]) => typed.length))
  return asTyped(rows.map(([typed, does]) => `  ${typed.padEnd(width)}  ${does}`))
}

function asTyped(lines) {
  return ['.nf', ...lines.map(each => `\\&${inRoff(each)}`), '.fi']
}

/** A line of text, in which `code` is bold, and which no leading dot makes a request. */
function line(text) {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? bold(part) : inRoff(part)))
    .join('')
    .replace(/^(?=[.'])/, '\\&')
}

function bold(text) {
  return `\\fB${inRoff(text)}\\fR`
}

function italic(text) {
  return `\\fI${inRoff(text)}\\fR`
}

function inRoff(text) {
  const signs = { '\\': '\\e', '-': '\\-', "'": '\\(aq', '`': '\\(ga', '^': '\\(ha', '~': '\\(ti', '"': '\\(dq' }
  return text.replaceAll(/[\\\-'`^~"]/g, sign => signs[sign])
}

/** The table is TypeScript: it is bundled, without what the commands load when they run. */
async function loadTable() {
  const folder = mkdtempSync(join(tmpdir(), 'relay-man-'))
  const help = 'src/commands/help'
  try {
    await build({
      cwd: root,
      input: { cli: 'src/cli/program.ts', first: `${help}/first-page.ts`, texts: `${help}/help-texts.ts` },
      platform: 'node',
      logLevel: 'warn',
      external: /\/commands\/(?!help\/)/,
      output: { dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    })
    const load = name => import(pathToFileURL(join(folder, `${name}.mjs`)).href)
    return { ...(await load('cli')), ...(await load('first')), ...(await load('texts')) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
