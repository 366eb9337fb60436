import { parseJson } from '../../ground/json.ts'
import { lastMessage } from '../../ground/last-message.ts'
import { type Doors, runToEnd } from '../checkout/program.ts'
import { hideSecrets } from '../checkout/secrets.ts'
import type { GitHub, PullRequestFailure, Wanted } from './github.ts'

/** Whether gh is installed and logged in to github.com. Its logins to other hosts do not matter. */
export async function isGhReady(system: Doors): Promise<boolean> {
  const argv = ['auth', 'status', '--hostname', 'github.com']
  return (await runGh(argv, { timeLimit: 30 }, system)).code === 0
}

/** GitHub through gh, with the account that gh has. Texts go to it as arguments and on stdin; no shell reads them. */
export function gh(wanted: Wanted, system: Doors): GitHub {
  const { repository, branch, owner, head, base, title, body } = wanted
  const where = ['--repo', `${repository.owner}/${repository.name}`]
  return {
    async find() {
      const fields = ['--state', 'open', '--json', 'url,headRepositoryOwner']
      const answer = await runGh(['pr', 'list', ...where, '--head', branch, ...fields], wanted, system)
      if (answer.code !== 0) return failure(answer, wanted)
      // gh searches by the branch's name alone: another fork may have a branch with the same name.
      return listed(answer.out).find(
        pull => (pull.headRepositoryOwner?.login ?? owner).toLowerCase() === owner.toLowerCase(),
      )?.url
    },
    async open() {
      const what = ['--head', head, '--base', base, '--title', title, '--body-file', '-']
      const answer = await runGh(['pr', 'create', ...where, ...what], { ...wanted, stdin: body }, system)
      const url = /https?:\/\/\S+/.exec(answer.out)?.[0]
      return answer.code === 0 && url !== undefined ? url : failure(answer, wanted)
    },
  }
}

interface Pull {
  readonly url: string
  readonly headRepositoryOwner?: { readonly login?: string }
}

function listed(text: string): readonly Pull[] {
  const found = parseJson(text)
  return Array.isArray(found) ? (found as readonly Pull[]).filter(pull => typeof pull?.url === 'string') : []
}

interface Answer {
  readonly code: number | undefined
  readonly out: string
  readonly err: string
}

async function runGh(
  args: readonly string[],
  { timeLimit, stdin = '' }: Pick<Wanted, 'timeLimit'> & { readonly stdin?: string },
  system: Doors,
): Promise<Answer> {
  const env = {
    ...system.env,
    GH_HOST: 'github.com',
    GH_PROMPT_DISABLED: '1',
    GH_NO_UPDATE_NOTIFIER: '1',
    NO_COLOR: '1',
  }
  const options = { cwd: '/', env, stdin, timeLimit, signal: system.interruption }
  const { end, out, err } = await runToEnd(['gh', ...args], options, system)
  system.interruption.throwIfAborted()
  if (end.kind === 'exit') return { code: end.code, out, err: hideSecrets(err, system.env) }
  return { code: undefined, out, err: `connection: gh took longer than ${timeLimit} seconds` }
}

function failure({ err }: Answer, { repository }: Wanted): PullRequestFailure {
  const name = `${repository.owner}/${repository.name}`
  const said = lastMessage(err) ?? (err.trim().split('\n').at(-1) || 'it said nothing')
  const message = `gh opened no pull request in ${name}: ${said}`
  const is = (cause: PullRequestFailure['cause'], hint: string) => ({ kind: 'failed', cause, message, hint }) as const
  if (/rate limit|HTTP 429/i.test(err)) return is('limit', 'Try again in an hour.')
  if (/HTTP 40[134]|gh auth|authenticat|not accessible|Could not resolve to a Repository/i.test(err)) {
    return is('auth', `Look with \`gh auth status\` whose account it is, and whether it may write to ${name}.`)
  }
  if (/connect|timeout|dial tcp|no such host|HTTP 5\d\d/i.test(err)) {
    return is('network', 'Look at your network, then try again.')
  }
  return is('refused', `Open it by hand: https://github.com/${name}/pulls`)
}
