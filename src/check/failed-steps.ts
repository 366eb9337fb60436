import type { FailedStep } from '../model/check.ts'

/**
 * The failed parts that a program reports which runs several others to their end (`make -k`, `turbo run --continue`,
 * …): its own exit code is the same whether one of them failed or two. The codes of steps with the same name (`lint` in
 * two folders) are added up.
 */
export function failedSteps(lines: readonly string[]): readonly FailedStep[] {
  const codes = new Map<string, number>()
  for (const at of lines.keys()) {
    for (const { name, code } of readSteps(lines, at)) codes.set(name, (codes.get(name) ?? 0) + code)
  }
  return [...codes].filter(([, code]) => code > 0).map(([name, code]) => ({ name, code }))
}

/** One line of each step is enough: a runner always uses the same name for it. */
function readSteps(lines: readonly string[], at: number): readonly FailedStep[] {
  const line = lines[at] ?? ''
  if (line.length > longest) return []
  if (line === 'Failed tasks:') return listed(lines, at + 2)
  const npm = /^(.*)npm (?:error|ERR!) code (\d{1,9})$/.exec(line)
  if (npm !== null) {
    const path = /npm (?:error|ERR!) path (.+)$/.exec(lines[at + 1] ?? '')?.[1]
    return path === undefined || !lines[at + 1]?.startsWith(npm[1] ?? '') ? [] : [step(path, npm[2])]
  }
  for (const form of forms) {
    const [, name, code] = form.exec(line) ?? []
    if (name !== undefined) return [step(name, code)]
  }
  return []
}

const longest = 500

const forms: readonly RegExp[] = [
  // make: *** [Makefile:3: lint] Error 2
  /^\S*make(?:\[\d{1,9}\])?: \*\*\* \[(?:[^\]]*:\d{1,9}: )?([^\]]+)\] (?:Error (\d{1,9})|\S)/,
  // web#lint:  ERROR  command (/app/web) npm run lint exited (1)
  /^(\S+#\S+): .* exited \((\d{1,9})\)$/,
  // ERROR: "lint" exited with 1.
  /^ERROR: "(.+)" exited with (\d{1,9})\.$/,
  // [lint] npm run lint exited with code 1
  /^(\S.*) exited with (?:code )?(\d{1,9})\.?$/,
  // packages/web lint: Failed
  /^(\S+ [\w:.-]+): Failed$/,
]

/** Lerna and Nx: `- web:lint`, up to an empty line. */
function listed(lines: readonly string[], from: number): readonly FailedStep[] {
  const end = lines.findIndex((line, at) => at >= from && !line.startsWith('- '))
  return lines.slice(from, end === -1 ? undefined : end).map(line => step(line.slice(2), undefined))
}

function step(name: string, code = '1'): FailedStep {
  return { name: name.trim(), code: Number(code) }
}
