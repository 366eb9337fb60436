// The project's linter: it knows one rule.
import { readdirSync, readFileSync } from 'node:fs'

for (const name of readdirSync('src')) {
  for (const [at, line] of readFileSync(`src/${name}`, 'utf8').split('\n').entries()) {
    if (!/\bvar\b/.test(line)) continue
    console.log(`src/${name}:${at + 1}:1: error: use const instead of var`)
    process.exitCode = 1
  }
}
