import fc from 'fast-check'

/**
 * The library for properties, with the same cases in every run: what chance finds belongs into a table of cases, not into
 * somebody's build. FAULTS=all tries others each time.
 */
if (process.env['FAULTS'] !== 'all') fc.configureGlobal({ seed: 20261120 })

export { fc }
