import { type Section, sectionsOf } from './sections.ts'

/** The parts of a task's file that relay reads. The agent gets the whole file. */
export interface PlanFile {
  /** Empty when the file has no title. */
  readonly title: string
  /** Ids in the file's order. */
  readonly dependencies: readonly string[]
  /** Words in the dependencies that look like ids but that RAF does not read: `01` in `- 01`. */
  readonly unread: readonly string[]
  /** In the file's order, beginning with the text before the first heading. */
  readonly sections: readonly Section[]
}

/** Reads a task's file. Any text is valid: missing parts are empty. */
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

/**
 * Reads dependencies as RAF does: the first line of the first section that is not empty, up to a `#`. Words
 * such as "none" are no ids.
 */
function dependenciesIn(sections: readonly Section[]): readonly string[] {
  const words = dependencyLine(sections)?.split(',') ?? []
  return words.map(word => word.trim()).filter(word => /^[0-9a-z]{2}$/.test(word))
}

function dependencyLine(sections: readonly Section[]): string | undefined {
  const lines = sections.flatMap(({ heading, text }) => (heading === '## Dependencies' ? text.split(/[\n#]/, 1) : []))
  return lines.find(line => line !== '')
}
