// `node scripts/count-results.js FOLDER [STEP...]`, the end of `.ci/run`: names what failed, and what needed a second try, so
// that the last lines of a long log tell it, and closes with "N passed, N failed". FOLDER holds vitest's JSON reports;
// each STEP is a command that failed, tests or not.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const [folder, ...steps] = process.argv.slice(2)
let passed = 0
const failed = []

for (const name of ['tests', 'binary', 'bun', 'node-22', 'node-24']) {
  for (const file of reportOf(name)?.testResults ?? []) {
    const path = relative(process.cwd(), file.name)
    const tests = file.assertionResults.filter(test => test.status === 'failed')
    passed += file.assertionResults.filter(test => test.status === 'passed').length
    // What a test said of a try before the one that passed.
    for (const test of file.assertionResults.filter(
      test => test.status === 'passed' && test.failureMessages.length > 0,
    )) {
      console.log(`second try: ${name}: ${path}: ${test.fullName}${firstLine(test.failureMessages)}`)
    }
    for (const test of tests) failed.push(`${name}: ${path}: ${test.fullName}${firstLine(test.failureMessages)}`)
    if (file.status === 'failed' && tests.length === 0) failed.push(`${name}: ${path}${firstLine([file.message])}`)
  }
}
// What failed outside the tests (install, types, lint) counts as one.
if (failed.length === 0) failed.push(...steps.map(step => `${step.trim()}: see above`))

for (const what of failed) console.log(`failed: ${what}`)
console.log(`${passed} passed, ${failed.length} failed`)
process.exitCode = failed.length === 0 && passed > 0 ? 0 : 1

function reportOf(name) {
  try {
    return JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8'))
  } catch {
    failed.push(`${name}: no test results`)
    return undefined
  }
}

function firstLine(messages) {
  const line = (messages[0] ?? '').split('\n')[0]
  return line === '' ? '' : `\n  ${line}`
}
