import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answerOf, filesOf } from './answers.js'
import { binary, bun, env, missing, ms, once, project, root, sideBySide, timed, times, told } from './measure.js'

const floor = join(root, 'bench/floor.js')
const protocol = join(root, 'bench/protocol.js')

/** How often the transaction's own bare writes fit into an apply; without a number the row has no goal. */
const goals = { full: { 1: 3, 200: 2 } }

/** A whole `relay apply` of the binary, net of its runtime's empty start, over what a transaction has to write. */
export async function apply() {
  const rows = []
  for (const files of once ? [1] : [1, 10, 200]) {
    for (const durability of ['fast', 'full']) rows.push(await over(files, durability, goals[durability]?.[files]))
  }
  return rows
}

async function over(files, durability, limit) {
  const folder = project({ durability })
  const list = filesOf(answerOf(files, { uuid: '' }))
  writeFileSync(join(folder, 'list.json'), JSON.stringify(list))
  writeFileSync(join(folder, 'new.patch'), newFilesPatch(folder, list))
  writeFileSync(join(folder, 'codex.patch'), codexPatch(list))
  const fresh = () => rmSync(join(folder, 'src'), { recursive: true, force: true })
  const right = written => {
    for (const [path, text] of [written[0], written.at(-1)]) {
      if (readFileSync(join(folder, path), 'utf8') !== text) throw new Error(`${path} is not what was to be written`)
    }
  }
  const checked = measure => () => {
    fresh()
    const took = measure()
    right(list)
    return took
  }
  const t = await sideBySide(
    {
      empty: () => timed([bun, '-e', '0']),
      floor: checked(() => timed([bun, floor, 'list.json', durability], { cwd: folder })),
      protocol: checked(() => timed([bun, protocol, 'list.json', durability, randomUUID()], { cwd: folder })),
      relay: () => {
        // Into a new folder each time: relay would ask about files that it has written before, and that are gone.
        const uuid = randomUUID()
        const answer = answerOf(files, { uuid, folder: uuid })
        writeFileSync(join(folder, 'answer.md'), answer)
        const took = timed([binary, 'apply', 'answer.md'], { cwd: folder })
        right(filesOf(answer))
        rmSync(join(folder, uuid), { recursive: true })
        return took
      },
      gitApply: checked(() => timed(['git', 'apply', 'new.patch'], { cwd: folder })),
      ...(missing('patch').length === 0
        ? { patch: checked(() => timed(['patch', '-s', '-p1', '-i', 'new.patch'], { cwd: folder })) }
        : {}),
      // codex's binary is that under this name.
      ...(missing('apply_patch').length === 0
        ? {
            codex: checked(() =>
              timed(['apply_patch'], { cwd: folder, input: readFileSync(join(folder, 'codex.patch')) }),
            ),
          }
        : {}),
    },
    files > 100 ? 9 : 15,
  )
  const net = value => Math.max(0.1, value.median - t.empty.median)
  const ratio = net(t.relay) / net(t.protocol)
  const beside = [
    `writing the files alone ${ms(net(t.floor))}`,
    `git apply ${ms(t.gitApply.median)}`,
    ...(t.patch === undefined ? [] : [`patch ${ms(t.patch.median)}`]),
    ...(t.codex === undefined ? [] : [`codex apply_patch ${ms(t.codex.median)}`]),
  ]
  return {
    what: `apply ${files} ${files === 1 ? 'file' : 'files'} of 4 KB, \`${durability}\`, net of ${ms(t.empty.median)} of empty start`,
    goal: limit === undefined ? 'shown' : `≤ ${limit} ×`,
    seen: `${ms(net(t.relay))} (whole: ${told(t.relay)})`,
    floor: `the transaction’s bare writes: ${ms(net(t.protocol))}; ${beside.join(', ')}`,
    ratio: times(ratio),
    met: limit === undefined || ratio <= limit,
  }
}

function newFilesPatch(folder, list) {
  const made = join(folder, 'made')
  for (const [path, text] of list) {
    mkdirSync(join(made, path, '..'), { recursive: true })
    writeFileSync(join(made, path), text)
  }
  mkdirSync(join(folder, 'none'))
  const { stdout } = spawnSync('git', ['diff', '--no-index', '--no-prefix', 'none', 'made'], {
    cwd: folder,
    env,
    maxBuffer: 1 << 28,
  })
  rmSync(made, { recursive: true })
  rmSync(join(folder, 'none'), { recursive: true })
  return stdout
    .toString()
    .replaceAll(/^diff --git made\/(.*) made\/(.*)$/gm, 'diff --git a/$1 b/$2')
    .replaceAll(/^\+\+\+ made\//gm, '+++ b/')
}

function codexPatch(list) {
  const added = list.flatMap(([path, text]) => [
    `*** Add File: ${path}`,
    ...text
      .slice(0, -1)
      .split('\n')
      .map(line => `+${line}`),
  ])
  return ['*** Begin Patch', ...added, '*** End Patch', ''].join('\n')
}
