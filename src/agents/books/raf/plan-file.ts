import { type Section, sectionsOf } from './sections.ts'

/** What relay reads in a task's file. The agent gets all of it. */
export interface PlanFile {
  /** Empty where the file names none. */
  readonly title: string
  /** Ids, in the file's order. */
  readonly dependencies: readonly string[]
  /** What stands beside them there and may be an id: `01` of `- 01`. */
  readonly unread: readonly string[]
  /** In the file's order; first what stands before the first heading. */
  readonly sections: readonly Section[]
}

/** Reads a task's file. Any text is one: what is missing is empty. */
export function readPlanFile(text: string): PlanFile {
  const sections = sectionsOf(text)
  const dependencies = dependenciesIn(sections)
  const words = (dependencyLine(sections) ?? '').toLowerCase().match(/\b[0-9a-z]{2}\b/g) ?? []
  const unread = words.filter(word => !dependencies.includes(word))
  return { title: titleIn(sections), dependencies, unread, sections }
}

function titleIn(sections: readonly Section[]): string {
  const heads = sections.map(({ heading }) => heading)
  const head = heads.find(each => each.startsWith('# Task:')) ?? heads.find(each => each.startsWith('# ')) ?? ''
  return head.replace(/^# (?:Task:)?/, '').trim()
}

/** As RAF reads them: the first line of the first section with anything on it, up to a `#`; words such as "none" are no ids. */
function dependenciesIn(sections: readonly Section[]): readonly string[] {
  const words = dependencyLine(sections)?.split(',') ?? []
  return words.map(word => word.trim()).filter(word => /^[0-9a-z]{2}$/.test(word))
}

function dependencyLine(sections: readonly Section[]): string | undefined {
  const lines = sections.flatMap(({ heading, text }) => (heading === '## Dependencies' ? text.split(/[\n#]/, 1) : []))
  return lines.find(line => line !== '')
}
