import { RelayError } from '../../errors.ts'
import { isRecord, parseJson } from '../../ground/json.ts'
import type { WebAnswer } from '../../ports.ts'
import { hideSecrets } from '../checkout/secrets.ts'
import type { GitHub, PullRequestFailure, Wanted, WebDoors } from './github.ts'

/** GitHub through its REST API. The token goes into one header, and nowhere else. */
export function restApi(wanted: Wanted, token: string, system: WebDoors): GitHub {
  const { repository, branch, owner, head, base, title, body, timeLimit } = wanted
  const api = (system.env['GITHUB_API_URL'] || 'https://api.github.com').replace(/\/+$/, '')
  const pulls = `${api}/repos/${repository.owner}/${repository.name}/pulls`
  const request = async (method: 'GET' | 'POST', url: string, content?: object) => {
    const sent = content === undefined ? {} : { body: JSON.stringify(content) }
    const headers = { ...common, Authorization: `Bearer ${token}` }
    try {
      return await system.web.request({ method, url, headers, ...sent, timeLimit, signal: system.interruption })
    } catch (error) {
      if (!(error instanceof RelayError)) throw error
      const { message, hint = '' } = error
      return { kind: 'failed', cause: 'network', message: hideSecrets(message, system.env), hint } as const
    }
  }
  return {
    async find() {
      const answer = await request('GET', `${pulls}?state=open&head=${encodeURIComponent(`${owner}:${branch}`)}`)
      if ('kind' in answer) return answer
      if (answer.status !== 200) return failure(answer, wanted, system)
      const found = parseJson(answer.text)
      return Array.isArray(found) ? urlOf(found[0]) : undefined
    },
    async open() {
      const answer = await request('POST', pulls, { title, body, head, base })
      if ('kind' in answer) return answer
      return (answer.status === 201 ? urlOf(parseJson(answer.text)) : undefined) ?? failure(answer, wanted, system)
    },
  }
}

const common = {
  Accept: 'application/vnd.github+json',
  'Content-Type': 'application/json',
  'User-Agent': 'relaycode',
  'X-GitHub-Api-Version': '2022-11-28',
}

function urlOf(pull: unknown): string | undefined {
  return isRecord(pull) && typeof pull['html_url'] === 'string' ? pull['html_url'] : undefined
}

function failure({ status, text }: WebAnswer, { repository, branch }: Wanted, system: WebDoors): PullRequestFailure {
  const name = `${repository.owner}/${repository.name}`
  const says = hideSecrets(saidIn(text) ?? 'it said nothing', system.env)
  const message = `GitHub opened no pull request in ${name}: ${says} (HTTP ${status})`
  const is = (cause: PullRequestFailure['cause'], hint: string) => ({ kind: 'failed', cause, message, hint }) as const
  if (status === 429 || (status === 403 && /rate limit/i.test(says))) return is('limit', 'Try again in an hour.')
  if (status === 401) return is('auth', 'The token is not good: set GITHUB_TOKEN to a new one, or run `gh auth login`.')
  if (status === 403 || status === 404) {
    return is('auth', `The token in GITHUB_TOKEN may not open pull requests in ${name}: give it that permission.`)
  }
  if (status >= 500) return is('network', 'GitHub has a problem of its own: try again later.')
  return is('refused', `Open it by hand: https://github.com/${name}/pull/new/${branch}`)
}

/** GitHub's error text: the first detail (`base: invalid`), else the message. */
function saidIn(text: string): string | undefined {
  const answer = parseJson(text)
  if (!isRecord(answer)) return undefined
  const { message, errors } = answer
  const [detail] = Array.isArray(errors) ? errors : []
  if (isRecord(detail)) {
    if (typeof detail['message'] === 'string') return detail['message']
    if (detail['field'] !== undefined) return `${message}: ${detail['field']} is ${detail['code']}`
  }
  return typeof message === 'string' ? message : undefined
}
