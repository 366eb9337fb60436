import type { Flag } from '../model/response.ts'
import type { FoundChange } from './change-file.ts'

/** In front of the paths of a diff. */
const sides = ['a', 'b']

/**
 * A doubt about new files in a new folder at the top that is called like the project, like the folders it lies in, or like
 * a side of a diff, while what lies in it is there beside it: `shop/src/a.ts` is meant as `src/a.ts` by a model that sees
 * the project from above, and so is `packages/shop/src/a.ts`.
 */
export function ownFolder(found: readonly FoundChange[], projectId: string, root = ''): Flag[] {
  const names = [...tailsOf(root), projectId, projectId.slice(projectId.lastIndexOf('/') + 1), ...sides]
  const told = new Set<string>()
  return found.flatMap(({ change: { effect, path, target }, fact }) => {
    const {
      missingFolders: [top],
      beside = [],
    } = fact
    const name = names.find(name => target.startsWith(`${name}/`))
    if (effect !== 'create' || top === undefined || name === undefined || told.has(top)) return []
    if (top.includes('/')) return []
    const meant = target.slice(name.length + 1)
    const [first = ''] = meant.split('/', 1)
    if (!beside.includes(first)) return []
    told.add(top)
    const reason = `the folder ${top} is new, but ${first} already exists beside it: ${path} may mean ${meant}`
    return [{ flag: 'look-alike', path, reason }]
  })
}

/** `packages/shop` and `shop` of a project in `/code/packages/shop`, the longest first. */
function tailsOf(root: string): readonly string[] {
  const names = root.split(/[\\/]/).filter(name => name !== '')
  return names.map((_, at) => names.slice(at).join('/'))
}
