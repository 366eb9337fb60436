import { hideSecrets } from '../checkout/secrets.ts'
import type { GitAnswer } from '../checkout/users-git.ts'

/** Why a push failed, and what to do about it. */
export interface PushFailure {
  readonly kind: 'failed'
  /**
   * - `auth`: no key, no password or no permission.
   * - `network`: the host could not be reached.
   * - `rejected`: the host did not accept the branch.
   * - `git`: anything else.
   */
  readonly cause: 'auth' | 'network' | 'rejected' | 'git'
  readonly message: string
  readonly hint: string
}

interface Asked {
  /** git's words about the branch, where the host rejected it. */
  readonly rejection: string | undefined
  readonly branch: string
  readonly url: string
}

type Env = Readonly<Record<string, string>>

/** Finds the cause of a failed push in the output of git and its helpers: the exit code is the same for all causes. */
export function pushFailure(answer: GitAnswer, { rejection, branch, url }: Asked, env: Env): PushFailure {
  const { cause, says, hint } =
    rejection === undefined ? causeOf(answer, url, env) : causeOfRejection(rejection, branch, answer)
  return { kind: 'failed', cause, message: hideSecrets(`Cannot push ${branch} to ${url}: ${says}`, env), hint }
}

type Cause = Pick<PushFailure, 'cause' | 'hint'> & { readonly says: string }

function causeOfRejection(rejection: string, branch: string, answer: GitAnswer): Cause {
  if (/\((?:non-fast-forward|fetch first)\)/.test(rejection)) {
    const hint = `Look at what is there: \`git fetch origin ${branch}\`. relay never overwrites it.`
    return { cause: 'rejected', says: `${branch} has other commits there`, hint }
  }
  const why = /^remote: (?:error: )?(.*\S)/m.exec(answer.err)?.[1]
  const says = [rejection.replace(/^\[(.*?)\] \((.*)\)$/, '$1: $2'), why].filter(Boolean).join(', ')
  return { cause: 'rejected', says, hint: 'The rules of the repository there say what it takes.' }
}

function causeOf(answer: GitAnswer, url: string, env: Env): Cause {
  const text = `${answer.out}\n${answer.err}`
  const host = hostOf(url)
  const says = answer.complaint
  if (
    /Permission denied \(|Permission denied, please|authentication agent|agent refused|sign_and_send_pubkey|Too many authentication/.test(
      text,
    )
  ) {
    if (env['SSH_AUTH_SOCK']) {
      const hint = `Add your key with \`ssh-add\`, then look whether \`ssh -T git@${host}\` greets you.`
      return { cause: 'auth', says: `${host} took none of the keys of your SSH agent`, hint }
    }
    const hint = 'Start it and add your key: `eval "$(ssh-agent)" && ssh-add`.'
    return { cause: 'auth', says: `no SSH agent is running, and ${host} took no key`, hint }
  }
  if (/Host key verification failed|host key .*has changed|HOST IDENTIFICATION/i.test(text)) {
    const hint = `Connect once by hand and look at its key: \`ssh -T git@${host}\`.`
    return { cause: 'auth', says: `SSH does not know the key of ${host}`, hint }
  }
  if (/could not read (?:Username|Password)|terminal prompts disabled|unable to read askpass/.test(text)) {
    const hint = 'Run `gh auth setup-git`, or set another `credential.helper` that has your password.'
    return { cause: 'auth', says: `no credential helper gave a password for ${host}`, hint }
  }
  if (/Authentication failed|Invalid username|returned error: 401/.test(text)) {
    const hint = 'Renew it: `gh auth login`, or tell your credential helper the new password.'
    return { cause: 'auth', says: `${host} did not take the password of your credential helper`, hint }
  }
  if (/returned error: 403|Permission to .* denied|repository(?: '.*')? not found/i.test(text)) {
    const hint = 'Look whose account is used (`gh auth status`, `ssh -T`), and whether it may push there.'
    return { cause: 'auth', says: 'your account may not push there, or there is no such repository', hint }
  }
  // The last line comes from git, which says less than the transport program before it.
  const why = text.split('\n').find(line => unreached.test(line))
  if (answer.code === undefined || why !== undefined) {
    const words = answer.code === undefined ? says : why?.replace(/^(?:error|fatal): /, '').trim()
    return { cause: 'network', says: words ?? says, hint: 'Look at your network, then try again.' }
  }
  return { cause: 'git', says, hint: 'Push it by hand to see more: `git push`.' }
}

const unreached =
  /Could not resolve|resolve host|Connection (?:refused|reset|closed|timed out)|Operation timed out|unreachable|Failed to connect|Couldn't connect|\bSSL\b|\bTLS\b|returned error: 5\d\d|RPC failed|early EOF|kex_exchange|hung up unexpectedly/i

function hostOf(url: string): string {
  return /^(?:[a-z+]+:\/\/)?(?:[^/@]*@)?([^/:]+)/i.exec(url)?.[1] ?? 'the host'
}
