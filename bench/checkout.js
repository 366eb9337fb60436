import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { built } from './built.js'
import { env, ms, once, scratch, sideBySide, timed, times, told } from './measure.js'

const [files, megabytes, packages, rounds] = once ? [100, 2, 10, 1] : [10_000, 200, 1000, 5]
const what = `in a repository of ${files.toLocaleString('en')} files and ${megabytes} MB of history`

/** How long an agent waits for its copy of a large project, and what relay does with it afterwards. */
export async function checkout() {
  const { openCheckout } = await built('src/agents/checkout/checkout.ts')
  const { openBranchCheckout } = await built('src/agents/checkout/branch-checkout.ts')
  const { systemFiles } = await built('src/system/files/files.ts')
  const { systemPrograms } = await built('src/system/run-program.ts')
  const { top, lean } = await repository()
  const doors = {
    files: systemFiles('/'),
    programs: systemPrograms,
    env,
    home: env.HOME,
    interruption: new AbortController().signal,
  }
  const state = realpathSync(scratch())
  // All are removed at the end: where much was removed in the last minutes, ext4 makes new files ten times slower.
  const opened = []
  const worktrees = []
  const open = async root => {
    const folder = join(state, `checkout-${opened.length}`)
    mkdirSync(folder)
    const begun = performance.now()
    opened.push(await openCheckout(root, folder, doors))
    return performance.now() - begun
  }
  const openBranch = async () => {
    const folder = join(state, `branch-${opened.length}`)
    mkdirSync(folder)
    const begun = performance.now()
    opened.push(await openBranchCheckout({ root: lean, branch: `b${opened.length}`, folder }, doors))
    return performance.now() - begun
  }
  const worktree = () => {
    worktrees.push(join(state, `worktree-${worktrees.length}`))
    return timed(['git', 'worktree', 'add', '--quiet', '--detach', worktrees.at(-1)], { cwd: lean })
  }
  const changes = async () => {
    writeFileSync(join(opened.at(-1).cwd, 'd1/new.js'), 'export {}\n')
    const begun = performance.now()
    await opened.at(-1).changes()
    return performance.now() - begun
  }
  const status = () => {
    writeFileSync(join(worktrees.at(-1), 'd1/new.js'), 'export {}\n')
    return timed(['git', 'status', '--porcelain'], { cwd: worktrees.at(-1) })
  }
  const withPackages = () => open(top)
  const t = await sideBySide({ worktree, status, open: () => open(lean), openBranch, changes, withPackages }, rounds)
  const remove = async () => {
    const begun = performance.now()
    await opened.pop().remove()
    return performance.now() - begun
  }
  const away = () => timed(['git', 'worktree', 'remove', '--force', worktrees.pop()], { cwd: lean })
  const { remove: removed, away: gone } = await sideBySide({ remove, away }, rounds)
  const over = t.withPackages.median - t.open.median
  return [
    row('open a checkout', t.open, 'git worktree add', t.worktree, 2.1),
    row('open a checkout of a branch', t.openBranch, 'git worktree add', t.worktree, 2.1),
    {
      what: `and link ${packages.toLocaleString('en')} packages`,
      goal: '≤ 200 ms more',
      seen: told(t.withPackages),
      floor: `without: ${told(t.open)}`,
      ratio: `+ ${ms(over)}`,
      met: over <= 200,
    },
    {
      what: 'take one change from it',
      goal: '≤ 500 ms',
      seen: told(t.changes),
      floor: `git status: ${told(t.status)}`,
      ratio: times(t.changes.median / t.status.median),
      met: t.changes.median <= 500,
    },
    row('remove a checkout', removed, 'git worktree remove', gone, 1.5),
  ]
}

function row(does, seen, floor, floorTime, most) {
  const ratio = seen.median / floorTime.median
  return {
    what: `${does} ${what}`,
    goal: `≤ ${most} ×`,
    seen: told(seen),
    floor: `\`${floor}\`: ${told(floorTime)}`,
    ratio: times(ratio),
    met: ratio <= most,
  }
}

/**
 * Twice the same, and in one of them packages that git ignores. The history is of bytes that cannot be made smaller. Nothing is
 * removed meanwhile.
 */
async function repository() {
  const [lean, top] = [realpathSync(scratch()), realpathSync(scratch())]
  timed(['git', 'init', '--quiet', '--initial-branch=main'], { cwd: lean })
  await history(lean)
  timed(['git', 'reset', '--quiet', '--hard'], { cwd: lean })
  timed(['git', 'clone', '--quiet', '--no-hardlinks', lean, '.'], { cwd: top })
  for (let at = 0; at < packages; at++) {
    mkdirSync(join(top, 'node_modules', `p${at}`), { recursive: true })
    writeFileSync(join(top, 'node_modules', `p${at}`, 'package.json'), '{}\n')
  }
  // As after any look of the user's: git reads again what was written in the second of its index.
  await new Promise(resolve => setTimeout(resolve, 1100))
  for (const cwd of [lean, top]) timed(['git', 'status', '--porcelain'], { cwd })
  return { top, lean }
}

function history(cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['fast-import', '--quiet'], { cwd, env, stdio: ['pipe', 'ignore', 'inherit'] })
    child.once('exit', code => (code === 0 ? resolve() : reject(new Error(`git fast-import ended with ${code}`))))
    const commit = at => {
      child.stdin.write(`commit refs/heads/main\ncommitter bench <bench@example.com> ${1e9 + at} +0000\ndata 1\nx\n`)
    }
    const file = (path, bytes) => {
      child.stdin.write(`M 644 inline ${path}\ndata ${bytes.length}\n`)
      child.stdin.write(bytes)
      child.stdin.write('\n')
    }
    for (let at = 0; at < megabytes; at++) {
      commit(at)
      for (let each = 0; each < 10; each++) file(`old/f${each}`, randomBytes(100_000))
    }
    commit(megabytes)
    child.stdin.write('deleteall\n')
    file('.gitignore', 'node_modules/\n')
    file('package.json', '{}\n')
    for (let at = 0; at < files; at++) file(`d${at % 100}/f${at}.js`, `export const a${at} = ${at}\n`.repeat(100))
    child.stdin.end()
  })
}
