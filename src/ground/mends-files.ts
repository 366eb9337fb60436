/**
 * Tells whether a command announces that it changes the files that it checks: by an option (`eslint --fix`, `gofmt
 * -w`), by its name, or by the name of a script (`cargo fmt`, `npm run lint:fix`). Any other command only checks.
 */
export function mendsFiles(command: string): boolean {
  return command
    .split(/[;&|\n]+/)
    .map(part => part.slice(0, LONGEST))
    .filter(part => !/dry-?run/i.test(part))
    .some(
      part => OPTION.test(part) || SHORT.test(part) || FIXES.test(part) || (FORMATS.test(part) && !LOOKS.test(part)),
    )
}

/** Nobody writes a longer command. */
const LONGEST = 1000

const OPTION = /(?<![\w-])--?(?:(?:auto-?)?fix|write|apply|auto-?correct|in-?place)(?![a-z])/i

/** These letters mean something else to other programs: `npm -w`, `grep -i`. */
const SHORT =
  /\b(?:(?:gofmt|gofumpt|goimports|shfmt|prettier|codespell|typos|buf)\b.*\s-l?w|(?:sed|perl|yapf|autopep8|autoflake|docformatter|clang-format|ormolu|fourmolu)\b.*\s-\w*i|(?:rubocop|standardrb)\b.*\s-[aA]|ktlint\b.*\s-F)\b/

/** A word of its own, or part of a script's name. */
const named = (words: string) =>
  new RegExp(`(?:^|[\\s"'])(?!clang-)(?:[a-z\\d]+[:_-])*(?:${words})(?:[:_-][a-z\\d]+)*(?=[\\s"']|$)`, 'i')

const FIXES = named('fix|autofix|autocorrect')

/** These write files unless an option tells them only to check. */
const FORMATS = new RegExp(
  `${named('fmt|format|reformat|prettify|beautify').source}|(?:^|[\\s"'/])(?:black|isort|rustfmt|nixfmt|alejandra|stylua|swiftformat|phpcbf|pint|pyupgrade|spotlessApply|spotless:apply|ktlintFormat|scalafmt|yamlfmt|pre-commit|prek|lefthook|lint-staged)(?=[\\s"']|$)`,
  'i',
)

const LOOKS =
  /\s--?(?:check|verify|diff|lint|test|set-exit|output=none)|\s-(?:[cld]|o none)(?=\s|$)|[:_-]check|check[:_-]/i
