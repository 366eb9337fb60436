import { protectedPlace } from '../../ground/protected-place.ts'
import { sensitivity } from './sensitive-paths.ts'

/** What a file of these families holds is nobody else's business, whatever it is needed for. */
const SECRET: ReadonlySet<string | undefined> = new Set([
  'runs when you enter the folder',
  'holds secrets',
  'holds keys or passwords',
  'opens access to machines or accounts',
])

/** Settings that people put their tokens and passwords into as well. */
const HOLDS_TOKENS =
  /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.ya?ml)?|auth\.json|nuget\.config|pip\.(?:conf|ini)|\.condarc|\.terraformrc|\.composer\/.*|\.cargo\/credentials.*|\.m2\/.*|(?:gradle|local)\.properties|wp-config\.php|database\.ya?ml|datasources(?:\.local)?\.xml|\.?mcp\.json|settings\.local\.json|\.[a-z_]*history|[^/]*firebase-adminsdk[^/]*\.json)$/i

/**
 * A file whose present content must not be copied to where a model could get it. In relay's own folder and in git's are the
 * old versions of all others, and the addresses of remotes with their tokens: a command that prints an error there is enough
 * to have a file named.
 */
export function holdsSecrets(path: string): boolean {
  return protectedPlace(path) !== undefined || HOLDS_TOKENS.test(path) || SECRET.has(sensitivity(path))
}
