import { generateKeyPairSync } from 'node:crypto'
import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { describe, expect, it } from 'vitest'
import { findSecrets } from '../../src/ground/find-secrets.ts'
import { awsKey, githubToken } from '../support/secrets.ts'

const pem = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
const address = (scheme: string) => `${scheme}:${'//me1:p4ssw0rd@db.host.dev/x'}`
const random = 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUxwWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'
const letters = random.replace(/\d/g, 'x')
const hex = '0123456789abcdef0123456789abcdef'

/** For each rule what it finds, in parts: nobody who looks for secrets should find one here. */
const samples: Readonly<Record<string, readonly string[]>> = {
  aws: [`AWS_SECRET_ACCESS_KEY = "${awsKey}"`, `secretAccessKey: '${awsKey}'`, `aws_secret_access_key => ${awsKey}`],
  gcp: [JSON.stringify({ private_key_id: 'x', private_key: pem })],
  privatekey: [`${pem}`],
  npm: [`${'npm_'}${random.slice(0, 36)}`, `${'//r/:_authToken='}abc`, `https://abc${':x-oauth-basic'}@github.com/`],
  basicauth: [address('https'), address('ftp')],
  slack: [`${'xoxb-'}12-34-ab`, `${'xapp-'}1-A-2-b`, `https://${'Hooks.slack.com'}/services/T1/B2/c3`],
  sendgrid: [`${'SG.'}${random.slice(0, 22)}.${random.slice(0, 43)}`],
  shopify: [`${'shpat_'}${hex}`],
  github: [githubToken, `${'github_pat_'}${random}${random.slice(0, 10)}`, `${'ghs_'}${random.slice(0, 36)}`],
  gitlab: [`${'glpat-'}${random.slice(0, 20)}`],
  grafana: [`${'glc_'}${random.slice(0, 32)}`, `${'glsa_'}${random.slice(0, 32)}_0123abcd`],
  openai: [`${'sk-'}${random.slice(0, 20)}${'T3Blbk'}${'FJ'}${random.slice(0, 20)}`],
  anthropic: [`${'sk-ant-'}api03-${random}${random.slice(0, 21)}AA`],
  groq: [`${'gsk_'}${random.slice(0, 52)}`],
  huggingface: [`${'hf_'}${letters.slice(0, 34)}`],
  linear: [`${'lin_api_'}${random.slice(0, 40)}`],
  notion: [`${'ntn_'}12345678901${random.slice(0, 35)}`],
  '1password': [
    `${'ops_'}${Buffer.from(`{"email":"a","key":"${random}","secret":"${random.slice(1)}" }`).toString('base64')}`,
  ],
  'database-connection-string': [address('postgres'), address('mysql'), address('mongodb+srv'), address('MONGODB')],
  'hashicorp-vault': [`${'hvs.'}${random}${random.slice(0, 20)}`, `${'hvb.'}${random}${random}`],
  vercel: [`${'vcp_'}${random.slice(0, 20)}`],
  databricks: [`${'dapi'}${hex}`],
  docker: [`${'dckr_'}pat_${random.slice(0, 27)}`],
  figma: [`${'figd_'}${random.slice(0, 40)}`],
}
const pathOf: Readonly<Record<string, string>> = { gcp: 'key.json', npm: '.npmrc' }

describe('secrets', () => {
  it('have a sample for each rule, so that none is left out by the quick look', () => {
    const ids = rules.map(({ meta }) => meta.id.replace('@secretlint/secretlint-rule-', ''))
    expect(Object.keys(samples).sort()).toEqual(ids.filter(id => id !== 'filter-comments').sort())
  })

  it.each(
    Object.entries(samples).flatMap(([rule, texts]) =>
      texts.map((text, at) => [`${rule} ${at + 1}`, rule, text] as const),
    ),
  )('are found by the quick look: %s', async (_, rule, text) => {
    const path = text.includes('x-oauth-basic') ? 'package.json' : (pathOf[rule] ?? 'a.ts')
    expect(await findSecrets(path, `${text}\n`)).not.toEqual([])
  })

  it.each([
    ['a token', `one\nconst token = '${githubToken}'\n`, [{ line: 2, kind: 'GITHUB_TOKEN', text: githubToken }]],
    ['all of it', `SECRET_ACCESS_KEY =   "${awsKey}"\n`, [{ line: 1, kind: 'AWSSecretAccessKey', text: awsKey }]],
    ['nothing', 'const token = process.env.TOKEN\n', []],
    ['a placeholder', `${'postgres:'}//user:password@localhost/db\n`, []],
    ['a line that says so', `'${githubToken}' // secretlint-disable-line\n`, []],
  ])('are found by line, kind and text: %s', async (_, text, expected) => {
    expect(await findSecrets('a.ts', text)).toEqual(expected)
  })
})
