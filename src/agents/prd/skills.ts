import { loopPrompt } from './loop-prompt.ts'
import { fileRules, storyRules } from './prd-rules.ts'

/** The rules of `relay prd check`, as advice for someone who writes a prd.json. */
const storyAdvice = [...fileRules, ...storyRules]
  .flatMap(({ advice }) => (advice === '' ? [] : [`- ${advice}`]))
  .join('\n')

/** Instructions for the questions before a PRD. */
export const questionRules = `Ask three to five questions, and only those whose answers change what is built: what it is for, who uses it, what it has to do,
what it leaves out, how one sees that it is done. Give each three or four answers with letters, the last one open, each on a
line of its own and indented, so that "1A, 2C, 3B" answers all of them:

    1. What is the filter for?
       A. Find urgent tasks
       B. Plan the week
       C. Report to others
       D. Other: say what
`

/** Instructions for writing a PRD. */
export const writingRules = `A PRD is written for a reader who knows nothing of the project's words: a junior developer, or an agent. Short sentences, numbers in
place of adjectives, examples where words are not enough. It has these parts, in this order:

1. **Introduction**: what is built, and the problem that it solves, in a few sentences.
2. **Goals**: what is reached when it is done, each so that it can be measured.
3. **User Stories**: as below.
4. **Functional Requirements**: FR-1, FR-2 and so on, each a sentence of what the system does.
5. **Non-Goals**: what it leaves out.
6. **Design Considerations**: where there are any; parts of the interface that are there already.
7. **Technical Considerations**: where there are any; limits, dependencies, where it joins what is there.
8. **Success Metrics**: how one sees later that it was worth it.
9. **Open Questions**: what is still to be decided.

A user story has a title, a description ("As a <user>, I want <feature> so that <benefit>") and acceptance criteria:

    ### US-001: Keep a priority with each task
    **Description:** As a developer, I want each task to have a priority so that lists can be sorted by it.

    **Acceptance Criteria:**
    - [ ] Column \`priority\` in the table of tasks: high, medium (the default) or low
    - [ ] The migration runs on a copy of the data
    - [ ] Typecheck passes

${storyAdvice}
`

/** Instructions for turning a PRD into a prd.json. */
export const conversionRules = `A prd.json has these keys, in this order, indented with two blanks:

    {
      "project": "<name of the project>",
      "branchName": "ralph/<name-of-the-feature>",
      "description": "<the feature in a sentence>",
      "userStories": [
        {
          "id": "US-001",
          "title": "<what is done, in a few words>",
          "description": "As a <user>, I want <feature> so that <benefit>",
          "acceptanceCriteria": ["<what can be verified>", "Typecheck passes"],
          "priority": 1,
          "passes": false,
          "notes": ""
        }
      ]
    }

Each user story of the PRD becomes one of the file, and a large one becomes several: "Add notifications" is a table, then a
service that sends one, then a bell in the header, then a page of settings. Requirements that belong to no story get one, or
become a criterion of one. Priorities are 1, 2, 3 and so on: what is built on first, then the order of the PRD.

${storyAdvice}
`

/** The files that `relay prd skills` writes, by path. */
export const skillFiles: Readonly<Record<string, string>> = {
  'prd/SKILL.md': `---
name: prd
description: "Write a product requirements document (PRD) for a feature. Use it to plan a feature, or when asked for a PRD, for requirements or for a specification."
---

# Write a PRD

Write down what is to be built, so that others can build it. Do not build it.

1. Take the description of the feature from the user.
2. Ask what is unclear.
3. Write the PRD to \`tasks/prd-<name-of-the-feature>.md\`, the name in kebab case.

## Questions

${questionRules}
## The PRD

${writingRules}`,
  'ralph/SKILL.md': `---
name: ralph
description: "Convert a PRD to prd.json, for a loop of agents that do one user story after the other. Use it to convert a PRD, or when asked for a prd.json."
---

# Convert a PRD to prd.json

Take a PRD in Markdown, and write prd.json beside prompt.md and progress.txt.

If a prd.json with another "branchName" is there, and progress.txt holds more than its header, put both aside first, in
\`archive/<YYYY-MM-DD>-<its branch without ralph/>/\`. Then progress.txt begins anew, with its header alone.

## prd.json

${conversionRules}
\`relay prd check\` checks the file by these rules.
`,
  'prompt.md': loopPrompt,
}
