import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import lock from '../package-lock.json' with { type: 'json' }

interface Package {
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  readonly version?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
}

const packages = Object.entries(lock.packages as Readonly<Record<string, Package>>).filter(([path]) => path !== '')

describe('what users install', () => {
  it('is relay alone: it is bundled, and brings no other package', () => {
    const brought = ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies']
    expect(Object.keys(packageJson).filter(key => brought.includes(key))).toEqual([])
    expect(packages.filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true)).toEqual([])
  })

  it('runs nothing when it is installed', () => {
    const onInstall = ['preinstall', 'install', 'postinstall', 'preuninstall', 'uninstall', 'postuninstall']
    expect(Object.keys(packageJson.scripts).filter(name => onInstall.includes(name))).toEqual([])
  })
})

describe('the lock file', () => {
  it('pins every package by a hash, those of other systems as well', () => {
    expect(packages.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([])
  })
})

describe('known holes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relay-audit-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  function audit(told: string): { readonly code: number | null; readonly said: string } {
    const file = join(folder, 'told.json')
    writeFileSync(file, told)
    const { status, stdout } = spawnSync(process.execPath, ['scripts/audit.js'], {
      env: { ...process.env, AUDIT_JSON: file },
      encoding: 'utf8',
    })
    return { code: status, said: stdout }
  }
  const hole = (name: string, severity: string) => JSON.stringify({ vulnerabilities: { [name]: { name, severity } } })

  it('fail the check where they are grave and in what users install', () => {
    expect(audit(hole('yaml', 'critical'))).toMatchObject({
      code: 1,
      said: expect.stringContaining('critical: yaml\n'),
    })
    expect(audit(hole('yaml', 'moderate')).code).toBe(0)
    expect(audit(hole('vitest', 'high'))).toMatchObject({ code: 0, said: expect.stringContaining('high: vitest (not') })
  })

  it('are looked for another time where the registry cannot be asked', () => {
    const said = 'npm audit: skipped, the registry cannot be asked\n'
    expect(audit('{"message":"405 Method Not Allowed","method":"POST"}')).toEqual({ code: 0, said })
    expect(audit('')).toEqual({ code: 0, said })
  })
})

describe('what developers install', () => {
  it('is pinned to the byte, but for the programs of other platforms', () => {
    const unpinned = packages.filter(([, { integrity, optional }]) => integrity === undefined && optional !== true)
    expect(unpinned.map(([path]) => path)).toEqual([])
  })

  it('runs a script on installing for the one package that is known to need it', () => {
    const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true)
    expect(scripted.map(([path]) => path)).toEqual(['node_modules/bun'])
  })

  it('comes from nowhere but the registry that npm is set to', () => {
    expect(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')).not.toMatch(/"(?:git|file|http):/)
  })
})
