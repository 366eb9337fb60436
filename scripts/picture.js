// `npm run picture`: runs `relay watch` in a scratch project, copies two answers, says no to the second, and draws the screen
// into docs/picture.svg. Times are replaced by fixed ones, so the file changes only when a screen of relay does: read its diff.
// It needs tmux, Xvfb and xclip.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import Anser from 'anser'

const root = fileURLToPath(new URL('..', import.meta.url))
const relay = join(root, 'dist/relay.cjs')

// ── A project, and two answers for it ──────────────────────────────────────────────────────────

const typescript = { strict: true, noEmit: true, allowImportingTsExtensions: true, types: [] }
const project = {
  'relaycode.config.json': JSON.stringify({ projectId: 'shop', linter: 'npx --no-install tsc --noEmit' }),
  'package.json': JSON.stringify({ name: 'shop', type: 'module' }),
  'tsconfig.json': JSON.stringify({ compilerOptions: typescript, include: ['src'] }),
  'src/price.ts': `const prices = new Map([['tea', 4], ['cup', 9]])

export const price = (id: string) => prices.get(id) ?? 0
`,
  'src/cart.ts': `import { price } from './price.ts'

export const total = (ids: string[]) => ids.reduce((sum, id) => sum + price(id), 0)
`,
}

const discount = answer(
  'Give a discount from ten items on.',
  '6f1c2f0e-3d0a-4c55-9f6b-0c2b7f1f5a10',
  'src/cart.ts',
  `import { price } from './price.ts'

const discount = (count: number) => (count >= 10 ? 0.9 : 1)

export const total = (ids: string[]) =>
  ids.reduce((sum, id) => sum + price(id), 0) * discount(ids.length)`,
)
const tax = answer(
  'Add the tax to each price.',
  '9b2d7a41-58c3-4e0f-9f6b-0c2b7f1f5a10',
  'src/price.ts',
  `const prices = new Map([['tea', 4], ['cup', 9]])

export const price = (id: string, tax: number) => (prices.get(id) ?? 0) * (1 + tax)`,
)

function answer(prose, uuid, path, content) {
  const block = `\`\`\`typescript // ${path}\n// START\n\n${content}\n\n// END\n\`\`\``
  return `${prose}\n\n${block}\n\n\`\`\`yaml\nprojectId: shop\nuuid: ${uuid}\npromptSummary: ${prose.split(/[.\n]/)[0]}\nchangeSummary:\n  - edit: ${path}\n\`\`\`\n`
}

// ── The run ────────────────────────────────────────────────────────────────────────────────────

const home = mkdtempSync(join(tmpdir(), 'relay-picture-'))
const folder = join(home, 'shop')
const { CI, NO_COLOR, FORCE_COLOR, RELAY_AGENT, TMUX, WAYLAND_DISPLAY, XAUTHORITY, ...rest } = process.env
const env = { ...rest, HOME: home, XDG_STATE_HOME: join(home, 'state'), LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' }
const tmux = (...args) =>
  execFileSync('tmux', ['-S', join(home, 'tmux'), '-f', '/dev/null', ...args], { env }).toString()
const screen = (...how) => tmux('capture-pane', '-p', ...how, '-t', 'relay').trimEnd()

const xvfb = spawn('Xvfb', ['-displayfd', '3', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
try {
  env.DISPLAY = await new Promise((resolve, reject) => {
    xvfb.once('error', reject)
    xvfb.stdio[3].once('data', number => resolve(`:${String(number).trim()}`))
  })
  mkdirSync(join(folder, 'src'), { recursive: true })
  for (const [path, text] of Object.entries(project)) writeFileSync(join(folder, path), text)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))

  const watch = `exec '${process.execPath}' '${relay}' watch --trust`
  tmux('new-session', '-d', '-s', 'relay', '-x', '80', '-y', '60', '-c', folder, watch)
  await until(/○ watching/)
  copy(discount)
  await until(/kept #1[\s\S]*○ watching/)
  copy(tax)
  await until(/\? Keep /)
  // A question ignores keys in its first half second.
  await sleep(3000)
  tmux('send-keys', '-t', 'relay', 'n', 'Enter')
  await until(/#2[\s\S]*\n○ watching/)
  writeFileSync(join(root, 'docs/picture.svg'), svg(withFixedTimes(screen('-e')).replaceAll(env.DISPLAY, ':0')))
} finally {
  try {
    tmux('kill-server')
  } catch {
    // It was never started.
  }
  xvfb.kill()
  rmSync(home, { recursive: true, force: true })
}

function copy(text) {
  execFileSync('xclip', ['-selection', 'clipboard'], { env, input: text, stdio: ['pipe', 'ignore', 'ignore'] })
}

async function until(pattern) {
  for (let tries = 0; !pattern.test(screen()); tries++) {
    if (tries > 300) throw new Error(`The screen never showed ${pattern}:\n${screen()}`)
    await sleep(200)
  }
}

// ── The picture ────────────────────────────────────────────────────────────────────────────────

/** A fixed clock, and for each duration 0.3 s; the widest gap of the line makes up for a duration of another length. */
function withFixedTimes(text) {
  return text.replaceAll(/\d\d:\d\d:\d\d/g, '14:02:11').replaceAll(/^.*?[\d.]+ m?s$/gm, line => {
    const [time] = /[\d.]+ m?s$/.exec(line)
    const gap = line.match(/ +/g).reduce((widest, blanks) => (blanks.length > widest.length ? blanks : widest))
    return line.replace(gap, ' '.repeat(gap.length + time.length - 5)).replace(time, '0.3 s')
  })
}

/** Each run of one style stands at its own column, so that a viewer's font moves nothing. */
function svg(text) {
  const [wide, high, margin] = [8.4, 18, 16]
  const colours = { dim: '#8b949e', red: '#ff7b72', green: '#7ee787', yellow: '#e3b341', cyan: '#79c0ff' }
  const lines = [[]]
  for (const { content, fg, decorations } of Anser.ansiToJson(text, { use_classes: true, json: true })) {
    const classes = [fg?.replace('ansi-', ''), ...decorations].filter(Boolean).join(' ')
    for (const [at, part] of content.split('\n').entries()) {
      if (at > 0) lines.push([])
      lines.at(-1).push({ part, classes })
    }
  }
  const drawn = lines.map((runs, row) => {
    let column = 0
    const spans = runs.map(({ part, classes }) => {
      const x = (margin + column * wide).toFixed(1)
      column += [...part].length
      return part.trim() === '' ? '' : `<tspan x="${x}" class="${classes}">${Anser.escapeForHtml(part)}</tspan>`
    })
    return `<text y="${margin + (row + 1) * high - 5}">${spans.join('')}</text>`
  })
  const [width, height] = [Math.ceil(80 * wide + 2 * margin), lines.length * high + 2 * margin]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" xml:space="preserve">
<title>relay watch keeps one answer, and asks about the next</title>
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #d1d7e0 }
.bold { font-weight: bold } .underline { text-decoration: underline }
${Object.entries(colours)
  .map(([name, colour]) => `.${name} { fill: ${colour} }`)
  .join(' ')}
</style>
<rect width="100%" height="100%" rx="8" fill="#151b23"/>
${drawn.join('\n')}
</svg>
`
}
