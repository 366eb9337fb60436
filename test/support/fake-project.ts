import type { Config, Project } from '../../src/model/project.ts'
import type { Answer, Progress, Question } from '../../src/model/talk.ts'
import type { Talk } from '../../src/ports.ts'

/** The defaults of every key (`read-config.test.ts` holds them against the real ones), with these changes. */
export function fakeConfig(changes: Partial<Config> = {}): Config {
  return {
    projectId: 'demo',
    clipboardPollInterval: 2000,
    approval: 'yes',
    commit: false,
    approvalOnErrorCount: 0,
    linter: '',
    preCommand: '',
    postCommand: '',
    commandTimeout: 600,
    durability: 'full',
    clipboard: 'auto',
    singleKey: false,
    notify: 'auto',
    instructions: 'files',
    limits: { responseBytes: 67_108_864, files: 10_000, fileBytes: 67_108_864, pathLength: 1024 },
    policy: { ask: [], deny: [], allowDeletes: true },
    agent: '',
    agents: {},
    allow: [],
    attempts: 3,
    turnTimeout: 60,
    agentGrace: 5,
    agentSilence: 600,
    checkout: { setup: '', link: [], copy: [], env: [], fresh: false },
    user: {},
    ...changes,
  }
}

export function fakeProject(changes: Partial<Config> = {}): Project {
  return { root: '/project', config: fakeConfig(changes) }
}

/** A talk that answers from a list (then `unasked`) and remembers everything. */
export function fakeTalk(
  answers?: readonly (Answer | ((question: Question) => Answer | Promise<Answer>))[],
): Talk & { readonly told: Progress[]; readonly questions: Question[] } {
  const left = [...(answers ?? [])]
  const told: Progress[] = []
  const questions: Question[] = []
  return {
    present: answers !== undefined,
    told,
    questions,
    report: progress => {
      told.push(progress)
    },
    ask: async question => {
      questions.push(question)
      const next = left.shift() ?? 'unasked'
      return typeof next === 'function' ? next(question) : next
    },
  }
}
