import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { runRelay } from './support/real-relay.ts'
import { respond } from './support/respond.ts'
import { scratchProject } from './support/scratch-project.ts'

const isWindows = process.platform === 'win32'
const folder = mkdtempSync(join(tmpdir(), 'relay-package-'))
const place = join(folder, 'installed')
const installed = isWindows ? join(place, 'node_modules/relaycode') : join(place, 'lib/node_modules/relaycode')
const relay = isWindows
  ? ([process.execPath, join(installed, packageJson.bin.relay)] as const)
  : ([join(place, 'bin/relay')] as const)
let files: readonly string[] = []

beforeAll(() => {
  // Without scripts: `prepare` would build dist/ anew under the tests that run it.
  const packed = npm('pack', '--ignore-scripts', '--json', '--pack-destination', folder)
  const [{ filename, files: listed }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }]
  files = listed.map(({ path }) => path)
  npm('install', '--global', '--prefix', place, '--offline', '--no-audit', '--no-fund', join(folder, filename))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function npm(...args: readonly string[]): string {
  const env = { ...process.env, npm_config_cache: join(folder, 'cache'), npm_config_update_notifier: 'false' }
  const { status, stdout, stderr } = spawnSync('npm', args, { encoding: 'utf8', env, shell: isWindows })
  if (status !== 0) throw new Error(`npm ${args[0]} ended with ${status}: ${stderr}`)
  return stdout
}

describe('the package', () => {
  it('holds the program, its documents, and nothing else', () => {
    const documents = readdirSync('docs', { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name).replaceAll('\\', '/'))
    const chunks = readdirSync('dist/chunks').map(name => `dist/chunks/${name}`)
    const top = [
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'package.json',
      'relaycode.config.example.json',
    ]
    const built = ['dist/LICENSES.txt', 'dist/relay.1', 'dist/relay.cjs']
    expect([...files].sort()).toEqual([...top, ...built, ...chunks, ...documents].sort())
  })

  it('needs no other package, and builds nothing when it is installed', () => {
    const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      dependencies?: object
    }
    expect(dependencies).toBe(undefined)
    expect(readdirSync(installed).sort()).toEqual([...new Set(files.map(path => path.replace(/\/.*/, '')))].sort())
    expect(readFileSync(join(installed, 'dist/relay.cjs'))).toEqual(readFileSync('dist/relay.cjs'))
  })

  it.skipIf(isWindows)('brings the manual page', () => {
    const page = join(place, 'share/man/man1/relay.1')
    expect(lstatSync(page).isSymbolicLink()).toBe(true)
    expect(existsSync(page)).toBe(true)
  })

  it('runs where it is installed', async () => {
    const project = scratchProject({ 'a.ts': 'a\n' })
    const run = (args: readonly string[], stdin?: string) =>
      runRelay(args, { cwd: project.root, command: relay, ...(stdin === undefined ? {} : { stdin }) })
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout: `${packageJson.version}\n` })
    expect(await run(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('relay watch') })
    const doctor = await run(['doctor', '--json'])
    expect(JSON.parse(doctor.stdout)).toMatchObject({ version: packageJson.version })
    expect(await run(['apply', '--yes'], respond({ 'a.ts': 'b\n' }))).toMatchObject({ code: 0 })
    expect(project.read('a.ts')).toBe('b\n')
    project.remove()
  })
})
