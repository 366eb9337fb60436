import { isRecord } from '../../ground/json.ts'
import { jsonSettings } from '../../ground/read-settings.ts'
import type { ConfirmedFile } from '../../model/agent.ts'
import { only, recordAt } from './json-fields.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * The settings for Claude Code: what it needs to reach its model, and what narrows, of the user's; also hooks of the project's
 * that were confirmed. Rules that allow something stay away but for tools of a server that was confirmed: what an agent may do
 * is said by relay alone. `undefined` where there is nothing.
 */
export function claudeSettings(users: readonly string[], confirmed: readonly ConfirmedFile[]): Fields | undefined {
  const ofUser = users
    .map(jsonSettings)
    .map(each => ({ ...only(each, [...login, ...words]), permissions: narrowing(each) }))
  const ofProject = confirmed
    .filter(({ path, isAbove }) => !isAbove && settingsFiles.includes(path))
    .map(({ bytes }) => jsonSettings(textOf(bytes)))
    .map(each => ({ ...only(each, [...login, ...words, ...hooks]), permissions: narrowing(each, isServersTool) }))
  const all = [...ofUser, ...ofProject].reduce<Fields>(merged, {})
  return Object.keys(all).length === 0 ? undefined : all
}

/** The servers of the project that were confirmed; those of the nearest folder win. */
export function claudeServers(confirmed: readonly ConfirmedFile[]): Fields | undefined {
  const files = confirmed.filter(({ path }) => path === '.mcp.json').map(({ bytes }) => jsonSettings(textOf(bytes)))
  const servers = Object.assign({}, ...files.map(file => recordAt(file, 'mcpServers'))) as Fields
  return Object.keys(servers).length === 0 ? undefined : { mcpServers: servers }
}

/** From the weaker to the stronger. */
const settingsFiles = ['.claude/settings.json', '.claude/settings.local.json']
const login = ['env', 'apiKeyHelper', 'awsAuthRefresh', 'awsCredentialExport', 'gcpAuthRefresh', 'forceLoginMethod']
const words = ['model', 'effortLevel', 'outputStyle', 'language']
const hooks = ['hooks', 'disableAllHooks']

const isServersTool = (rule: unknown) => typeof rule === 'string' && rule.startsWith('mcp__')

function narrowing(settings: Fields, isAllowed: (rule: unknown) => boolean = () => false): Fields {
  const { allow, ...rest } = only(recordAt(settings, 'permissions'), ['allow', 'ask', 'deny'])
  const kept = Array.isArray(allow) ? allow.filter(isAllowed) : []
  return { ...rest, ...(kept.length > 0 ? { allow: kept } : {}) }
}

/** As the program merges its own: records member by member, lists one after the other, otherwise the later one wins. */
function merged(one: Fields, other: Fields): Fields {
  const result: Record<string, unknown> = { ...one }
  for (const [name, value] of Object.entries(other)) {
    const before = result[name]
    if (Array.isArray(before) && Array.isArray(value)) result[name] = [...before, ...value]
    else if (isRecord(before) && isRecord(value)) result[name] = merged(before, value)
    else if (!isRecord(value) || Object.keys(value).length > 0) result[name] = value
  }
  return result
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
