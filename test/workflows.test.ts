import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../package.json' with { type: 'json' }

interface Step {
  readonly uses?: string
  readonly run?: string
}

interface Job {
  readonly needs?: string
  readonly 'timeout-minutes'?: number
  readonly permissions?: object
  readonly steps: readonly Step[]
}

interface Workflow {
  readonly permissions?: object
  readonly jobs: Readonly<Record<string, Job>>
}

const folder = '.github/workflows'

// Nothing here runs them: at least what they name has to be there.
describe.each(readdirSync(folder))('the workflow %s', name => {
  const text = readFileSync(join(folder, name), 'utf8')
  const { permissions, jobs } = parse(text, { strict: true, uniqueKeys: true }) as Workflow
  const steps = Object.values(jobs).flatMap(job => job.steps)
  const scripts = steps.map(({ run = '' }) => run).join('\n')

  it('says that it is untried', () => {
    expect(text).toMatch(/^# Untried: /)
  })

  it('may do little, and not for long', () => {
    expect([{}, { contents: 'read' }]).toContainEqual(permissions)
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeLessThanOrEqual(120)
  })

  it('names the version of each action', () => {
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@(v\d+|[\da-f]{40})$/)
  })

  it('runs what there is', () => {
    for (const [, script = ''] of scripts.matchAll(/npm run ([\w:]+)/g)) {
      expect(Object.keys(packageJson.scripts)).toContain(script)
    }
    for (const [path] of scripts.matchAll(/(?:\.ci|test|scripts)\/[\w./-]+/g)) expect(existsSync(path)).toBe(true)
    for (const { needs } of Object.values(jobs)) if (needs !== undefined) expect(Object.keys(jobs)).toContain(needs)
  })
})
