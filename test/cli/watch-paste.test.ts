import { afterEach, describe, expect, it } from 'vitest'
import { hasProgram } from '../support/has-program.ts'
import { relayCommand, runRelay, testPath } from '../support/real-relay.ts'
import { respond } from '../support/respond.ts'
import { type ScratchProject, scratchProject } from '../support/scratch-project.ts'
import { type Pane, startPane } from '../support/tmux-pane.ts'

let project: ScratchProject
let pane: Pane | undefined
afterEach(async () => {
  await pane?.stop()
  pane = undefined
  project.remove()
})

let serial = 0
const answerWith = (files: Readonly<Record<string, string | null>>) =>
  respond(files, { uuid: `0b8f4f62-7d5e-4f5c-9a0e-${String(++serial).padStart(12, '0')}` })

/** On a machine without any desktop, as over SSH or in a container. */
async function watching(config: Readonly<Record<string, unknown>> = {}): Promise<Pane> {
  project = scratchProject({ 'app.js': '1\n' }, config)
  const words = [`PATH=${testPath}`, ...relayCommand, 'watch'].map(word => `'${word}'`)
  const env = { DISPLAY: '', WAYLAND_DISPLAY: '', WSL_DISTRO_NAME: '', TZ: 'UTC' }
  pane = startPane(`exec env ${words.join(' ')}`, { cwd: project.root, env, columns: 80 })
  await pane.until(/○ watching/)
  return pane
}

/** In CI what cannot run is a failure. */
describe.runIf((hasProgram('tmux') && process.platform === 'linux') || process.env['CI'])(
  'relay watch without a clipboard',
  () => {
    it('says so, and takes what is pasted into its window', async () => {
      const pane = await watching()
      expect(shown(pane)).toMatchInlineSnapshot(`
        "relay 0.1.0   demo   ROOT
          approve    auto, unchecked              linter  none: unchecked
          clipboard  none: paste answers here     last    nothing kept yet
          keys       u undo  d diff  l log  k files  p pause  q quit  ? help
          begin      give your LLM the rules (\`relay prompt\`), then copy an answer

        ▲ No clipboard here: neither DISPLAY nor WAYLAND_DISPLAY names a desktop.
            Paste each answer into this window.
        ○ watching"
      `)
      pane.paste(answerWith({ 'app.js': '\t2 ✅\n\n\n', 'new/b.js': 'x\n'.repeat(2000) }))
      await pane.until(/kept #1 .*\n○ watching/)
      expect(project.read('app.js')).toBe('\t2 ✅\n\n\n')
      expect(project.read('new/b.js')).toBe('x\n'.repeat(2000))
      expect(project.entry(project.journal()[0] ?? '')).toMatchObject({ source: 'paste' })
      pane.type('C-c')
      expect(await pane.ended()).toEqual({ status: '0', signal: '' })
    })

    it('takes a megabyte byte for byte', async () => {
      const pane = await watching()
      const text = Array.from({ length: 60_000 }, (_, line) => `const line${line} = '\\u001b wörld'\n`).join('')
      expect(text.length).toBeGreaterThan(1_500_000)
      pane.paste(answerWith({ 'big.js': text }))
      await pane.until(/kept #1/)
      expect(project.read('big.js') === text).toBe(true)
    })

    it('takes a paste for the next response and never for an answer', async () => {
      const pane = await watching({ approval: 'no' })
      pane.paste(answerWith({ 'app.js': '2\n' }))
      await pane.until(/Keep this change\?/)
      pane.paste(answerWith({ 'second.js': 'y\n' }))
      await pane.until(/1 more waiting/)
      pane.paste('y\n')
      await pane.until(/not applied/)
      // The files of the other one are changed at this moment.
      expect(pane.screen()).toContain('    None of it was written. Copy the whole answer')
      expect(project.journal().join()).toContain('pending')
      await pane.typeUntil(/declined #1[\s\S]*#2 needs you/, 'n', 'Enter')
      expect(project.read('app.js')).toBe('1\n')
      await pane.typeUntil(/kept #2/, 'y', 'Enter')
    })

    it('says what is wrong with a paste', async () => {
      const pane = await watching()
      pane.paste('just some words\nand more\n')
      await pane.until(/not applied {2}no YAML block with projectId was found/)
      pane.paste(answerWith({ '../evil.js': 'x\n' }))
      await pane.until(/refused/)
    })

    it('has nothing to watch without a terminal either', async () => {
      project = scratchProject({}, {})
      const { code, stderr } = await runRelay(['watch'], { cwd: project.root })
      expect({ code, stderr: stderr.split('\n').slice(-3).join('\n') }).toMatchInlineSnapshot(`
        {
          "code": 8,
          "stderr": "Error: Nothing to watch: no clipboard here (neither DISPLAY nor WAYLAND_DISPLAY names a desktop), and no terminal to paste into
        Hint: Save the answer and use \`relay apply <file>\`, or pipe it into \`relay apply -\`.
        ",
        }
      `)
    })
  },
)

function shown(pane: Pane): string {
  return pane.screen().replaceAll(/\/\S*relay-project-\S*/g, 'ROOT')
}
