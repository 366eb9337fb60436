import { type JsonObject, type PrdFile, printPrd, readPrd } from '../../../src/agents/prd/prd-file.ts'

/** A user story as the format has it, with what a test changes. */
export function story(id: string, changes: JsonObject = {}): JsonObject {
  return {
    id,
    title: `Add ${id} to the list`,
    description: `As a user, I want ${id} so that it is there.`,
    acceptanceCriteria: ['The list has one more line', 'Typecheck passes'],
    priority: Number(id.replace(/\D/g, '')),
    passes: false,
    notes: '',
    ...changes,
  }
}

export function prdText(stories: readonly JsonObject[], changes: JsonObject = {}): string {
  const head = { project: 'MyApp', branchName: 'ralph/priority', description: 'Priorities of tasks' }
  return printPrd({ ...head, userStories: stories, ...changes })
}

export function readFile(text: string): PrdFile {
  const read = readPrd(text)
  if (read.kind !== 'prd') throw new Error(read.problems.join('\n'))
  return read.file
}

export function prdFile(stories: readonly JsonObject[], changes: JsonObject = {}): PrdFile {
  return readFile(prdText(stories, changes))
}
