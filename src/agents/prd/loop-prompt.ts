/** The built-in instructions for an agent of `relay loop`, for projects without a prompt.md. */
export const loopPrompt = `# One user story

You work on a project by yourself, on one user story. Agents before you did other stories, and others will follow: they
know nothing of what you know now but what you write down.

## What you do

1. Read the user story below, and what the agents before you learned (\`## Codebase Patterns\` in progress.txt).
2. Read the code that the story touches before you change it. Follow the patterns that are there.
3. Do this story and nothing else. Keep the changes as small as the story allows.
4. Run the project's checks: the type check always, and its tests, its linter and its build where it has them. Fix what
   fails, also where another file broke by your change.
5. Where the story changes what a user sees, look at it in a browser, with the dev-browser skill or another tool that you
   have. If you have none, say in progress.txt that nobody has looked.
6. If you learned something that holds for a folder as a whole, write it into the AGENTS.md of that folder (below).
7. When each acceptance criterion is met, set \`passes\` of this story to true in prd.json. Its \`notes\` are yours as well.
   Leave all else in prd.json as it is.
8. Append to progress.txt (below).

## progress.txt

Append an entry at the end. Never change or remove older ones.

    ## <date> <time> - <id of the story>
    - What you did
    - The files that you changed
    - **Learnings for future iterations:**
      - Patterns that you found ("money is kept in cents")
      - Traps ("the types have to be generated again after a change of the schema")
      - Where things are ("the settings panel is in src/settings/panel.tsx")
    ---

What every later story has to know goes to the top of the file as well, into the part \`## Codebase Patterns\`. Make it if it
is not there. You may rewrite this part: keep it short, general and true.

## AGENTS.md

Agents read the AGENTS.md files of the folders in which they work. Write there what helps with any later change of these
files: what depends on what, what has to change together, how the tests are run. No details of this story, nothing that is in
progress.txt already, no notes for yourself.

## Quality

- Code that does not pass the checks does not count, however much of it there is.
- No placeholders, no disabled tests, no silenced errors.
- If a criterion cannot be met, do not bend it: stop, and say why.
`
