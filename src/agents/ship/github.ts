/** A repository on GitHub: `owner/name`. */
export interface GitHubRepository {
  readonly owner: string
  readonly name: string
}

/**
 * The repository on GitHub that a URL of git's leads to; `undefined` for any other host. An SSH host may be an alias from the
 * user's `~/.ssh/config`: `work.github.com`, `github.com-work`.
 */
export function gitHubRepository(url: string): GitHubRepository | undefined {
  const [, owner, name] = forms.map(form => form.exec(url)).find(found => found !== null) ?? []
  return owner === undefined || name === undefined ? undefined : { owner, name }
}

const sshHost = String.raw`(?:[\w.-]+[.-])?github\.com(?:-[\w.-]+)?`
const path = String.raw`([\w-][\w.-]*)\/([\w.-]+?)(?:\.git)?\/?$`
const forms = [
  new RegExp(String.raw`^(?:[\w.-]+@)?${sshHost}:${path}`, 'i'),
  new RegExp(String.raw`^ssh:\/\/(?:[\w.-]+@)?${sshHost}(?::\d+)?\/${path}`, 'i'),
  new RegExp(String.raw`^https?:\/\/(?:[^\/@]+@)?(?:www\.)?github\.com(?::\d+)?\/${path}`, 'i'),
]
