import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

// biome-ignore format: a list of words
const calls = [
  'open', 'openat', 'creat', 'truncate', 'rename', 'renameat', 'renameat2', 'link', 'linkat', 'symlink', 'symlinkat',
  'unlink', 'unlinkat', 'rmdir', 'mkdir', 'mkdirat', 'mknod', 'mknodat', 'chmod', 'fchmodat', 'chown', 'lchown',
  'fchownat', 'utimensat', 'setxattr', 'lsetxattr',
]

/** What stands before a program so that strace writes to `log` what `changedIn` reads. */
export function tracing(strace: string, log: string): readonly string[] {
  return [strace, '-f', '-y', '-qq', '-s', '9999', '-e', 'signal=none', '-e', `trace=${calls.join(',')}`, '-o', log]
}

/**
 * Each path that a traced program opened for writing, made, moved, removed or changed otherwise, or tried to. A path
 * by way of `/proc/self/fd/` is told by the folder that was open there at that moment.
 */
export function changedIn(log: string, cwd: string): ReadonlySet<string> {
  const open = new Map<string, string>()
  const changed = new Set<string>()
  for (const line of whole(readFileSync(log, 'utf8').split('\n'))) {
    const [, call = '', rest = ''] = /^\d+\s+(\w+)\((.*)$/.exec(line) ?? []
    const [, fd, opened] = /= (\d+)<([^>]*)>/.exec(rest) ?? []
    if (call.startsWith('open') && fd !== undefined && opened !== undefined) open.set(fd, opened)
    for (const path of changedBy(call, rest, opened)) changed.add(placeOf(path, cwd, open))
  }
  return changed
}

function changedBy(call: string, rest: string, opened: string | undefined): readonly string[] {
  if (call.startsWith('open') && !/O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND/.test(rest)) return []
  if (/^(open|creat)/.test(call) && opened !== undefined) return [opened]
  const named = [...rest.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text)
  // The second name that a link leads to is no path.
  return call.startsWith('symlink') ? named.slice(1) : named
}

function placeOf(path: string, cwd: string, open: ReadonlyMap<string, string>): string {
  const [, through, below = ''] = /^\/proc\/self\/fd\/(\d+)(.*)$/.exec(path) ?? []
  return through === undefined ? resolve(cwd, path) : `${open.get(through) ?? path}${below}`
}

/** Lines of calls that another thread's came into, put together again. */
function* whole(lines: readonly string[]): Generator<string> {
  const begun = new Map<string, string>()
  for (const line of lines) {
    const [pid = ''] = line.split(' ', 1)
    const resumed = /<\.\.\. \w+ resumed>(.*)$/.exec(line)
    if (line.endsWith('<unfinished ...>')) begun.set(pid, line.slice(0, -'<unfinished ...>'.length))
    else if (resumed !== null) yield `${begun.get(pid) ?? ''}${resumed[1]}`
    else yield line
  }
}
