import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { binary, missing, ms, once, project, sideBySide, spread, timed, times, told } from './measure.js'

/** Edits beside whole files of the same size, and beside other tools that apply them. */
export async function edits() {
  return [await manyFiles(), await longFile(), many()]
}

const line = number => `export const price${number} = (amount, rate) => Math.round(amount * rate * ${number}) / 100`
const textOf = lines => `${lines.join('\n')}\n`
const linesOf = count => Array.from({ length: count }, (_, number) => line(number))
/** One line of a file is another one. */
const changed = lines => lines.with(Math.floor(lines.length / 2), 'export const price = 1')

function answer(blocks) {
  return `${blocks.map(([info, text]) => `\`\`\`${info}\n// START\n${text}// END\n\`\`\`\n\n`).join('')}\`\`\`yaml\nprojectId: bench\nuuid: ${randomUUID()}\n\`\`\`\n`
}

const whole = (path, lines) => [`js // ${path}`, textOf(lines)]
const edit = (path, lines, at) => [
  `js // ${path} search-replace`,
  `<<<<<<< SEARCH\n${textOf(lines.slice(at - 1, at + 2))}=======\n${textOf(lines.slice(at - 1, at + 2).with(1, 'export const price = 1'))}>>>>>>> REPLACE\n`,
]

/** What a unified diff of the same edit looks like. */
const hunk = (path, lines, at) =>
  `--- a/${path}\n+++ b/${path}\n@@ -${at},3 +${at},3 @@\n ${lines[at - 1]}\n-${lines[at]}\n+export const price = 1\n ${lines[at + 1]}\n`

const codexHunk = (path, lines, at) =>
  `*** Update File: ${path}\n@@\n ${lines[at - 1]}\n-${lines[at]}\n+export const price = 1\n ${lines[at + 1]}\n`

function manyFiles() {
  return beside(
    '200 edits in 200 files of 4 KB',
    1.3,
    Array.from({ length: once ? 20 : 200 }, (_, at) => `src/${at % 20}/file-${at}.js`),
    50,
  )
}

function longFile() {
  return beside('one edit in a file of 50,000 lines', 1.5, ['src/long.js'], 50_000)
}

async function beside(what, limit, paths, length) {
  const folder = project({ durability: 'full' })
  const lines = linesOf(length)
  const at = Math.floor(length / 2)
  const fresh = () => {
    // Without a journal nothing is compared with what an earlier run left.
    rmSync(join(folder, '.relaycode'), { recursive: true, force: true })
    for (const path of paths) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), textOf(lines))
    }
  }
  const right = textOf(changed(lines))
  const checked = measure => () => {
    fresh()
    const took = measure()
    for (const path of [paths[0], paths.at(-1)]) {
      if (readFileSync(join(folder, path), 'utf8') !== right) throw new Error(`${path} is not what was to be written`)
    }
    return took
  }
  const applied = blocks => () => {
    writeFileSync(join(folder, 'answer.md'), answer(blocks()))
    return timed([binary, 'apply', 'answer.md', '--yes'], { cwd: folder })
  }
  writeFileSync(join(folder, 'edits.patch'), paths.map(path => hunk(path, lines, at)).join(''))
  const codex = `*** Begin Patch\n${paths.map(path => codexHunk(path, lines, at)).join('')}*** End Patch\n`
  const t = await sideBySide(
    {
      edits: checked(applied(() => paths.map(path => edit(path, lines, at)))),
      whole: checked(applied(() => paths.map(path => whole(path, changed(lines))))),
      gitApply: checked(() => timed(['git', 'apply', '-p1', 'edits.patch'], { cwd: folder })),
      ...(missing('patch').length === 0
        ? { patch: checked(() => timed(['patch', '-s', '-p1', '-i', 'edits.patch'], { cwd: folder })) }
        : {}),
      ...(missing('apply_patch').length === 0
        ? { codex: checked(() => timed(['apply_patch'], { cwd: folder, input: Buffer.from(codex) })) }
        : {}),
    },
    7,
  )
  const ratio = t.edits.median / t.whole.median
  const others = [
    `git apply ${ms(t.gitApply.median)}`,
    ...(t.patch === undefined ? [] : [`patch ${ms(t.patch.median)}`]),
    ...(t.codex === undefined ? [] : [`codex apply_patch ${ms(t.codex.median)}`]),
  ]
  return {
    what,
    goal: `≤ ${limit} ×`,
    seen: told(t.edits),
    floor: `as whole files: ${told(t.whole)}; ${others.join(', ')}`,
    ratio: times(ratio),
    met: ratio <= limit,
  }
}

/** Every line of a file edited by itself, and whether twice the edits take twice as long. */
function many() {
  const sizes = once ? [1, 2, 3, 4] : [1250, 2500, 5000, 10_000]
  const took = sizes.map(count => {
    const lines = linesOf(count)
    const hunks = lines.map((each, at) => `<<<<<<< SEARCH\n${each}\n=======\n${each} + ${at}\n>>>>>>> REPLACE\n`)
    return spread(
      Array.from({ length: once ? 1 : 3 }, () => {
        const folder = project()
        mkdirSync(join(folder, 'src'), { recursive: true })
        writeFileSync(join(folder, 'src/a.js'), textOf(lines))
        writeFileSync(join(folder, 'answer.md'), answer([['js // src/a.js', hunks.join('')]]))
        return timed([binary, 'apply', 'answer.md', '--yes'], { cwd: folder })
      }),
    ).median
  })
  const growth = (took[3] - took[2]) / (took[2] - took[1])
  return {
    what: '1,250, 2,500, 5,000, 10,000 edits in as many lines',
    goal: '10,000 in < 5 s',
    seen: took.map(ms).join(', '),
    floor: 'from 5,000 to 10,000 over from 2,500 to 5,000',
    ratio: times(growth),
    met: took[3] < 5000,
  }
}
