import { describe, expect, it } from 'vitest'
import { holdsSecrets } from '../../../src/plan/sensitive/holds-secrets.ts'

describe('holdsSecrets', () => {
  it.each([
    '.env',
    'config/.ENV.local',
    'server.key',
    '.git/config',
    'lib/.GIT/config',
    '.relaycode/1b671a64-40d5-491e-99b0-da01ff1f3341.yml',
    '.npmrc',
    'packages/app/.npmrc',
    '.yarnrc.yml',
    'nuget.config',
    'NuGet.Config',
    'gradle.properties',
    'config/database.yml',
    '.cargo/credentials.toml',
  ])('%s', path => expect(holdsSecrets(path)).toBe(true))

  it.each([
    'src/auth.ts',
    'package.json',
    '.github/workflows/ci.yml',
    '.eslintrc.json',
    '.env.example',
    'docs/npmrc.md',
  ])('%s may be shown to a model', path => expect(holdsSecrets(path)).toBe(false))
})
