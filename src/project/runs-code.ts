/**
 * Whether a command may run code that lies in the project, so that a patch can run code through it: configuration that is
 * code, plugins, build scripts, the tests themselves. Only what is known to look without running anything is not.
 */
export function mayRunProjectCode(command: string): boolean {
  if (command.trim() === '') return false
  return /[;&|`$<>]/.test(command) || !ONLY_LOOKS.test(command.trim())
}

const ONLY_LOOKS =
  /^(?:(?:npx(?: --no-install)?|bunx?|pnpm exec|yarn) )?(?:tsc|vue-tsc|biome|pyright|basedpyright|ruff|shellcheck|gofmt|actionlint|hadolint)(?: |$)|^deno (?:check|lint)(?: |$)|^go vet(?: |$)/
