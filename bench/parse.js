// Megabytes a second of the parser over sizes and over hostile texts.
import { built } from './built.js'

const { parseResponse } = await built('src/parse/parse-response.ts')

const control = paths =>
  `\`\`\`yaml\nprojectId: demo\nuuid: 005f3a11-4c1d-4a7e-9b3f-a1be458a19d5\nchangeSummary:\n${paths.map(path => `  - edit: ${path}\n`).join('')}\`\`\`\n`

/** An answer of many files, each of some lines of code. */
function answer(bytes, linesPerFile, lineEnd = '\n') {
  const line = '  const total = prices.map(price => price * rate).reduce((sum, each) => sum + each, 0) // in cents\n'
  const body = line.repeat(linesPerFile)
  const paths = []
  const blocks = []
  for (let size = 0; size < bytes; size += body.length + 80) {
    const path = `src/module-${paths.length}/file-${paths.length}.ts`
    paths.push(path)
    blocks.push(
      `I change file ${paths.length}.\n\n\`\`\`typescript // ${path}\n// START\n\n${body}\n// END\n\`\`\`\n\n`,
    )
  }
  const text = blocks.join('') + control(paths)
  return lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd)
}

const mega = 1_000_000
const marked = body => `\`\`\`ts // src/a.ts\n// START\n${body}\n// END\n\`\`\`\n${control(['src/a.ts'])}`
const block = at => `\`\`\`ts // src/f${at}.ts\n// START\n\nexport {}\n\n// END\n\`\`\`\n`
const noEnd = at => `\`\`\`ts // src/f${at}.ts\n// START\nexport {}\n\`\`\`\n`
const many = (count, make) => Array.from({ length: count }, (_, at) => make(at)).join('')
const chat = 'A line of talk about nothing much, with `code` in it and a few more words to fill the line.\n'

const texts = {
  'answer 1 MB': () => answer(1 * mega, 120),
  'answer 5 MB': () => answer(5 * mega, 120),
  'answer 10 MB': () => answer(10 * mega, 120),
  'answer 20 MB': () => answer(20 * mega, 120),
  'answer 50 MB': () => answer(50 * mega, 120),
  'answer 50 MB, CRLF': () => answer(50 * mega, 120, '\r\n'),
  'one file of 50 MB': () => answer(50 * mega, 500_000),
  'chat 50 MB, not for us': () => chat.repeat(520_000),
  '100,000 blocks': () =>
    many(100_000, block) +
    control(
      many(100_000, at => `src/f${at}.ts\n`)
        .trim()
        .split('\n'),
    ),
  '100,000 blocks without END': () => many(100_000, noEnd) + control(['src/f1.ts']),
  '100,000 open blocks': () => many(100_000, at => `\`\`\`ts // src/f${at}.ts\n// START\nx\n`) + control(['src/f1.ts']),
  'one line of backticks, 5 MB': () => marked('`'.repeat(5 * mega)),
  'lines of backticks, 5 MB': () => marked('```\n'.repeat(1.25 * mega)),
  'lines of backticks, bare, 5 MB': () => '```\n'.repeat(1.25 * mega) + control(['src/a.ts']),
  'runs of backticks on one line, 5 MB': () => marked('``` '.repeat(1.25 * mega)),
  'nesting 1,000,000 deep': () => marked('```a\n'.repeat(1 * mega)),
  'nesting with markers': () => many(100_000, () => '```a // b.c\n// START\n') + control(['b.c']),
  'unbalanced markdown quotations': () => '```md\n```a\n```\n'.repeat(300_000) + control(['src/a.ts']),
  'unbalanced files': () =>
    many(50_000, at => `\`\`\`ts // src/f${at}.ts\n// START\n\`\`\`x\n// END\n\`\`\`\n`) + control(['src/f1.ts']),
  'hidden by longer fences': () =>
    many(50_000, at => `\`\`\`ts // src/f${at}.ts\n// START\n\`\`\`\`x\n// END\n\`\`\`\n`) + control(['src/f1.ts']),
  'blank lines, 5 MB': () => marked('\n'.repeat(5 * mega)),
  'blanks on one line, 5 MB': () => marked(' '.repeat(5 * mega)),
  'START on one line, 5 MB': () => '// START '.repeat(555_000) + control(['src/a.ts']),
  'projectId on one line, 5 MB': () => 'projectId: '.repeat(450_000) + control(['src/a.ts']),
  'projectId lines, 5 MB': () => 'projectId: demo\n'.repeat(312_000),
  'comments with dots, 5 MB': () => marked('// ... existing code ...\n'.repeat(200_000)),
  'different placeholders, 5 MB': () => marked(many(200_000, at => `// ... rest of part ${at} ...\n`)),
  'open block comments': () => marked('a /*'.repeat((5 * mega) / 4)),
  'YAML alias bomb': () =>
    `${block(1)}\`\`\`yaml\nprojectId: demo\nuuid: 005f3a11-4c1d\na: &a [x,x,x,x,x,x,x,x,x]\n${many(30, at => `b${at}: &b${at} [*a,*a,*a,*a,*a,*a]\n`)}changeSummary: [*b29]\n\`\`\`\n`,
  'YAML brackets': () =>
    `${block(1)}\`\`\`yaml\nprojectId: demo\nuuid: 005f3a11-4c1d\nchangeSummary: ${'['.repeat(60_000)}\n\`\`\`\n`,
  'YAML dashes': () =>
    `${block(1)}\`\`\`yaml\nprojectId: demo\nuuid: 005f3a11-4c1d\nchangeSummary:\n  ${'- '.repeat(30_000)}x\n\`\`\`\n`,
  'YAML steps': () =>
    `${block(1)}\`\`\`yaml\nprojectId: demo\nuuid: 005f3a11-4c1d\nchangeSummary:\n${many(340, at => `${' '.repeat(at + 1)}a:\n`)}\n\`\`\`\n`,
  'YAML keys': () =>
    `${block(1)}\`\`\`yaml\nprojectId: demo\nuuid: 005f3a11-4c1d\nchangeSummary:\n  -${many(8_000, at => `    k${at}: 1\n`).slice(3)}\n\`\`\`\n`,
  'YAML quotes': () =>
    `${block(1)}\`\`\`yaml\nprojectId: demo\nuuid: 005f3a11-4c1d\nchangeSummary:\n  - edit: ${'" '.repeat(30_000)}\n\`\`\`\n`,
  'YAML braces': () =>
    `${block(1)}\`\`\`yaml\nprojectId: demo\nuuid: 005f3a11-4c1d\nchangeSummary:\n  - edit: ${'{}'.repeat(30_000)}\n\`\`\`\n`,
  'YAML of 5 MB': () =>
    `${block(1)}\`\`\`yaml\nprojectId: demo\nuuid: 005f3a11-4c1d\nchangeSummary:\n${'  - edit: "src/a.ts"\n'.repeat(250_000)}\`\`\`\n`,
  'folders within folders': () =>
    many(1_000, at => `\`\`\`ts // ${'a/'.repeat(at)}b\n// START\nx\n// END\n\`\`\`\n`) + control(['b']),
  'projectId in every file, 5 MB': () =>
    many(
      20_000,
      at =>
        `One.\n\n\`\`\`ts // src/f${at}.ts\n// START\n${'const projectId = load(projectId)\n'.repeat(5)}// END\n\`\`\`\nNow projectId:\n`,
    ) + control(['src/f1.ts']),
  'quoted answer, 5 MB': () => answer(5 * mega, 120).replaceAll(/^/gm, '> '),
  'comments, 5 MB': () => marked('// what the next line does and why it has to\n'.repeat(111_000)),
  'quoted path': () =>
    `\`\`\`ts // ${'«'.repeat(mega)}文.ts${'»'.repeat(mega)}\n// START\nx\n// END\n\`\`\`\n${control(['b.ts'])}`,
  'deep path': () => `\`\`\`ts // ${'a/'.repeat(2_000_000)}b.ts\n// START\nx\n// END\n\`\`\`\n${control(['b.ts'])}`,
}

const wanted = process.argv.slice(2)
for (const [name, make] of Object.entries(texts)) {
  if (wanted.length > 0 && !wanted.some(word => name.includes(word))) continue
  const text = Buffer.from(make()).toString()
  let best = Number.POSITIVE_INFINITY
  let parsed
  for (let run = 0; run < 3; run++) {
    const begun = performance.now()
    parsed = parseResponse(text, 'demo')
    best = Math.min(best, performance.now() - begun)
    if (best > 5_000) break
  }
  const rate = text.length / mega / (best / 1000)
  const said =
    parsed.kind === 'refused'
      ? `refused ${parsed.problems[0].code} and ${parsed.problems.length - 1} more`
      : parsed.kind
  console.log(
    `${name.padEnd(36)} ${(text.length / mega).toFixed(1).padStart(6)} MB ${best.toFixed(0).padStart(6)} ms ${rate.toFixed(0).padStart(6)} MB/s  ${said}`,
  )
}
