import { protectedPlace } from '../ground/protected-place.ts'
import type { PathFact } from '../model/plan.ts'
import type { Policy } from '../model/project.ts'
import type { Problem } from '../model/response.ts'
import type { Touch as Step } from './edits/steps-of.ts'
import { firstGlob } from './path-glob.ts'

type Touch = Pick<Step, 'op' | 'path'>

/** Says what forbids an operation where it really leads on this disk, or by the configuration; `undefined`: nothing. */
export function forbiddenPlaces(policy: Policy): (touch: Touch, fact: PathFact) => Problem | undefined {
  const denied = firstGlob(policy.deny)
  return (touch, fact) => {
    const found = whereItLeads(touch, fact) ?? whatStandsThere(touch, fact)
    if (found !== undefined) return { ...found, path: touch.path }
    if (touch.op === 'delete' && !policy.allowDeletes) {
      return { code: 'deletes-denied', path: touch.path, message: DELETES_DENIED }
    }
    const places = [touch.path, fact.place, ...(fact.leads.kind === 'inside' ? [fact.leads.target] : [])]
    const glob = denied(...places)
    return glob === undefined ? undefined : { code: 'denied', path: touch.path, message: deniedBy(glob) }
  }
}

type Found = Omit<Problem, 'path'>

function whereItLeads({ op }: Touch, { leads, link, place: own, guarded }: PathFact): Found | undefined {
  if (leads.kind === 'outside') {
    return {
      code: 'leads-outside',
      message: `A link takes this path out of the project, to ${leads.to}. Change that file by hand if it should change.`,
    }
  }
  if (leads.kind === 'nowhere' && !(op === 'delete' && link !== undefined)) {
    return {
      code: 'leads-nowhere',
      message: `A link on this path leads to ${leads.to}, which does not exist. Remove or correct the link first.`,
    }
  }
  const place = guarded ?? protectedPlace(own) ?? (leads.kind === 'inside' ? protectedPlace(leads.target) : undefined)
  if (place === undefined) return undefined
  return {
    code: 'path-protected',
    message: `This path leads into ${place}, which no answer may touch. Ask for the answer without it.`,
  }
}

function whatStandsThere({ op }: Touch, { found, link, fileInTheWay }: PathFact): Found | undefined {
  // Where a folder is missing, or a file stands in its place, there is nothing to delete.
  if (op === 'delete' && (link !== undefined || fileInTheWay !== undefined)) return undefined
  if (fileInTheWay !== undefined) {
    return {
      code: 'file-in-the-way',
      message: `This path needs a folder, but ${fileInTheWay} is a file. Ask for another name, or move that file first.`,
    }
  }
  if (found === 'folder') {
    return {
      code: 'folder-in-the-way',
      message:
        op === 'write'
          ? 'A folder has this name. Ask for another name, or move the folder first.'
          : 'This is a folder, and only files can be deleted. Ask for one block for each file, or delete it by hand.',
    }
  }
  if (found === 'other') {
    return {
      code: 'no-regular-file',
      message: 'This is not a regular file (a device, a pipe or a socket). Ask for another name.',
    }
  }
  return undefined
}

const DELETES_DENIED =
  'This project allows no deletes (policy.allowDeletes). Ask for the answer without it, or delete the file by hand.'

function deniedBy(glob: string): string {
  return `This project denies changes to "${glob}" (policy.deny). Ask for the answer without it, or change the file by hand.`
}
