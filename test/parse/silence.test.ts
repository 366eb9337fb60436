import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseResponse } from '../../src/parse/parse-response.ts'
import { instructions } from '../../src/project/instructions.ts'
import { requestControl, requestRepeat } from '../../src/report/answers/request.ts'
import { control, file, uuid } from '../support/answer.ts'

/** Why a text is ignored: `no-patch` and `own-text` are said by nobody, but of what seems to be a part of a patch. */
function silence(text: string, projectId = 'demo') {
  const parsed = parseResponse(text, projectId)
  if (parsed.kind !== 'ignored') return parsed
  return 'isCut' in parsed.why || 'isBlock' in parsed.why ? parsed.why : parsed.why.kind
}

const folder = new URL('../fixtures/negatives/', import.meta.url)
const negatives = readdirSync(folder).map(name => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }))

const root = new URL('../../', import.meta.url)
const own = ['src', 'docs', 'bench', 'test/parse', 'test/commands', 'test/cli', 'test/report'].flatMap(path =>
  readdirSync(new URL(`${path}/`, root), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => `${entry.parentPath}/${entry.name}`),
)

describe('what is no patch', () => {
  it.each(negatives)('says nothing to $name, as it is, quoted or with other line ends', ({ text }) => {
    expect(silence(text)).toBe('no-patch')
    expect(silence(text, 'other')).toBe('no-patch')
    expect(silence(text.replaceAll('\n', '\r\n'))).toBe('no-patch')
    expect(silence(text.replace(/^/gm, '> '))).toBe('no-patch')
  })

  it("says nothing to this project's own files and documents, one by one and in megabytes", () => {
    const texts = [...own, 'README.md', 'CHANGELOG.md', 'package.json'].map(path =>
      readFileSync(path.startsWith('/') ? path : new URL(path, root), 'utf8'),
    )
    for (const [at, text] of texts.entries()) {
      for (const id of ['demo', 'my-app']) expect(['no-patch', 'own-text'], own[at]).toContain(silence(text, id))
    }
    const logs = negatives.filter(each => !each.name.endsWith('.diff'))
    const chats = `${texts.join('\n\nYou said:\n\n')}\n\n${logs.map(each => each.text).join('\n\nYou said:\n\n')}`
    // The source of the instructions is among them.
    expect(silence(chats.repeat(Math.ceil(4_000_000 / chats.length)))).toBe('own-text')
  })

  it("says nothing to relay's own texts for a model", () => {
    expect(silence(instructions('demo'))).toBe('own-text')
    expect(silence(instructions('demo', 'edits'))).toBe('own-text')
    expect(silence(`You said:\n${instructions('demo')}\nPlease fix the bug.\n`)).toBe('own-text')
    expect(silence(instructions('demo'), 'other')).toBe('own-text')
    expect(silence(requestControl('demo'))).toBe('own-text')
    const problem = { code: 'open-block', message: 'The block for src/a.ts never ends.', line: 3, path: 'src/a.ts' }
    expect(silence(requestRepeat([problem], ['src/b.ts'], 'demo'))).toBe('own-text')
    expect(silence(`You said:\n\n${requestRepeat([problem], [], 'demo')}`)).toBe('no-patch')
  })

  it.each([
    ['a schema', 'properties:\n  projectId:\n    type: string\n  uuid:\n    type: string\n'],
    ['a fenced schema', '```yaml\nprojectId:\n  type: string\nuuid:\n  type: string\n  format: uuid\n```'],
    ['fields of a type', '```graphql\nprojectId: ID!\nuuid: String!\n```'],
    ['fields of another type', '```\nprojectId: string\nuuid: string\nchangeSummary: Change[]\n```'],
    ['an example object', '```json\n{ "projectId": "string", "uuid": "string", "changeSummary": [] }\n```'],
    ['properties in a log', "ERROR failed\n  projectId: 'demo',\n  uuid: 'a0a0a0a0-1111',\n  at x()\n"],
    ['the configuration of a cloud', '```yaml\nprojectId: acme-prod\nuuid: 9a9a9a9a-1111\nregion: eu\n```'],
    ['a diff that adds one', `+\`\`\`yaml\n+projectId: demo\n+uuid: ${uuid}\n+changeSummary: []\n+\`\`\`\n`],
    ['one line of a log', `12:01 projectId: demo uuid: ${uuid} changeSummary: []\n`],
  ])('says nothing to %s', (_, text) => {
    expect(silence(text)).toBe('no-patch')
    expect(silence(text, 'acme')).toBe('no-patch')
  })

  it('does not hinder an answer that quotes such texts', () => {
    const quoted =
      '```yaml\nprojectId:\n  type: string\nuuid:\n  type: string\n```\n\n```yaml\nprojectId: acme-prod\nuuid: 9a9a9a9a-1111\n```\n\n'
    expect(parseResponse(quoted + file('src/a.ts', 'x') + control('edit: src/a.ts'), 'demo')).toMatchObject({
      kind: 'patch',
      patch: { flags: [] },
    })
  })
})
