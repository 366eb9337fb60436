// Asks the registry for known holes in the packages that relay is made of. Fails for a high or critical one in what is
// bundled, and so in what users install; names those in the tools of developers. Where the registry cannot be asked it
// says so and fails nothing.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** What `npm audit --json` has told, or nothing; `AUDIT_JSON` is a file with such a text, to try this out. */
function ask() {
  const file = process.env.AUDIT_JSON
  const told = file ? readFileSync(file, 'utf8') : spawnSync('npm', ['audit', '--json'], { encoding: 'utf8' }).stdout
  try {
    return JSON.parse(told).vulnerabilities
  } catch {
    return undefined
  }
}

const found = ask()
if (found === undefined) {
  console.log('npm audit: skipped, the registry cannot be asked')
} else {
  // Each package of the bundle has a line of its own with its version and licence.
  const licences = readFileSync(new URL('../dist/LICENSES.txt', import.meta.url), 'utf8')
  const bundled = new Set([...licences.matchAll(/^(\S+) \d\S* \(.*\)$/gm)].map(([, name]) => name))
  if (bundled.size === 0) throw new Error('dist/LICENSES.txt names no package')
  const grave = Object.values(found).filter(({ severity }) => severity === 'high' || severity === 'critical')
  for (const { name, severity } of grave) {
    console.log(`npm audit: ${severity}: ${name}${bundled.has(name) ? '' : ' (not in what users install)'}`)
  }
  const open = grave.filter(({ name }) => bundled.has(name))
  console.log(`npm audit: ${open.length} high or critical in the ${bundled.size} packages that users install`)
  process.exitCode = open.length === 0 ? 0 : 1
}
