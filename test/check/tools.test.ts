import { describe, expect, it } from 'vitest'
import { readCheck } from '../../src/check/read-check.ts'
import type { Check, LintError } from '../../src/model/check.ts'

/** What each tool prints, by the formats that its documentation, its code and reports about it show. */
interface Case {
  readonly exit: number
  readonly output: string
  /** The errors as `file:line:column code message`; their number, where more is not known; or why they cannot be counted. */
  readonly errors: readonly string[] | { readonly count: number } | { readonly uncounted: string }
}

const told = ({ file, line, column, code, message }: LintError) =>
  `${[file, line, column].filter(part => part !== undefined).join(':')} ${code} ${message}`

function understood(check: Check) {
  if (check.kind === 'uncounted') return { uncounted: check.why }
  if (check.kind === 'unchecked') return check
  return check.list === undefined ? { count: check.errors } : check.list.map(told)
}

function run(cases: Readonly<Record<string, Case>>): void {
  it.each(Object.entries(cases))('%s', (_name, { exit, output, errors }) => {
    const check = readCheck({ end: { kind: 'exit', code: exit }, output, cut: false }, '/project')
    expect(understood(check)).toEqual(errors)
  })
}

const cs = (line: number, said: string, framework = '') =>
  `/project/src/App/Program.cs(${line},13): ${said} [/project/src/App/App.csproj${framework}]`
const noName = "error CS0103: The name 'x' does not exist in the current context"

describe('dotnet build', () => {
  run({
    'counts what it prints twice once': {
      exit: 1,
      output: `  Determining projects to restore...
  All projects are up-to-date for restore.
${cs(5, noName)}
${cs(9, "warning CS0219: The variable 'y' is assigned but its value is never used")}
CSC : error CS5001: Program does not contain a static 'Main' method suitable for an entry point [/project/src/App/App.csproj]

Build FAILED.

${cs(9, "warning CS0219: The variable 'y' is assigned but its value is never used")}
${cs(5, noName)}
CSC : error CS5001: Program does not contain a static 'Main' method suitable for an entry point [/project/src/App/App.csproj]
    1 Warning(s)
    2 Error(s)

Time Elapsed 00:00:01.52
`,
      errors: [
        "src/App/Program.cs:5:13 CS0103 The name 'x' does not exist in the current context",
        " CS5001 Program does not contain a static 'Main' method suitable for an entry point",
      ],
    },
    'counts an error in each framework': {
      exit: 1,
      output: `${cs(5, noName, '::TargetFramework=net8.0')}
${cs(5, noName, '::TargetFramework=net9.0')}

Build FAILED.

${cs(5, noName, '::TargetFramework=net8.0')}
${cs(5, noName, '::TargetFramework=net9.0')}
    0 Warning(s)
    2 Error(s)
`,
      errors: Array(2).fill("src/App/Program.cs:5:13 CS0103 The name 'x' does not exist in the current context"),
    },
    'reads -verbosity:normal': {
      exit: 1,
      output: `     1>${cs(5, noName)}
     1>Done Building Project "/project/src/App/App.csproj" (default targets) -- FAILED.

Build FAILED.

       "/project/src/App/App.csproj" (default target) (1) ->
       (CoreCompile target) ->
         ${cs(5, noName)}

    0 Warning(s)
    1 Error(s)
`,
      errors: ["src/App/Program.cs:5:13 CS0103 The name 'x' does not exist in the current context"],
    },
    'reads the newer logger': {
      exit: 1,
      output: `Restore complete (0.4s)
  App net9.0 failed with 1 error(s) and 1 warning(s) (0.5s)
    /project/Program.cs(9,13): warning CS0219: The variable 'y' is assigned but its value is never used
    /project/Program.cs(5,13): ${noName}

Build failed with 1 error(s) and 1 warning(s) in 1.2s
`,
      errors: ["Program.cs:5:13 CS0103 The name 'x' does not exist in the current context"],
    },
    'reads what is not formatted': {
      exit: 2,
      output: `/project/Program.cs(3,1): error WHITESPACE: Fix whitespace formatting. Insert '\\s\\s'. [/project/App.csproj]
/project/Program.cs(1,1): error IMPORTS: Fix imports ordering. [/project/App.csproj]
`,
      errors: [
        "Program.cs:3:1 WHITESPACE Fix whitespace formatting. Insert '\\s\\s'.",
        'Program.cs:1:1 IMPORTS Fix imports ordering.',
      ],
    },
    'trusts a larger sum': {
      exit: 1,
      output: `${cs(5, noName)}\n\nBuild FAILED.\n\n${cs(5, noName)}\n    0 Warning(s)\n    3 Error(s)\n`,
      errors: { count: 3 },
    },
    'counts none in a clean build': {
      exit: 0,
      output: '  App -> /project/bin/Debug/net8.0/App.dll\n\nBuild succeeded.\n    0 Warning(s)\n    0 Error(s)\n',
      errors: [],
    },
    'counts nothing where the restore failed': {
      exit: 1,
      output: `/project/App.csproj : error NU1101: Unable to find package Nope. [/project/App.sln]

Build FAILED.

/project/App.csproj : error NU1101: Unable to find package Nope. [/project/App.sln]
    0 Warning(s)
    1 Error(s)
`,
      errors: { uncounted: 'the build stopped at NU1101: Unable to find package Nope.' },
    },
    'does not take a word in a log for a code': {
      exit: 0,
      output: 'server : error ECONNREFUSED: connect 127.0.0.1:80\n',
      errors: [],
    },
    'counts nothing without a project': {
      exit: 1,
      output: 'MSBUILD : error MSB1003: Specify a project or solution file.\n',
      errors: { uncounted: 'the build stopped at MSB1003: Specify a project or solution file.' },
    },
  })
})

describe('dart analyze, flutter analyze', () => {
  run({
    'counts errors, not warnings and infos': {
      exit: 3,
      output: `Analyzing demo...

  error - lib/main.dart:2:10 - Undefined name 'x'. Try correcting the name. - undefined_identifier
  error - lib/main.dart:7:3 - Expected to find ';' - or not. - expected_token
warning - lib/main.dart:4:8 - Unused import: 'dart:io'. - unused_import
   info - lib/main.dart:9:1 - Missing documentation. - public_member_api_docs

4 issues found.
`,
      errors: [
        "lib/main.dart:2:10 undefined_identifier Undefined name 'x'. Try correcting the name.",
        "lib/main.dart:7:3 expected_token Expected to find ';' - or not.",
      ],
    },
    'reads Flutter, which has the place behind the message': {
      exit: 1,
      output: `Analyzing demo...

   info • Unused import • lib/a.dart:1:8 • unused_import
  error • Undefined class 'Foo' • lib/main.dart:12:3 • undefined_class

2 issues found. (ran in 1.9s)
`,
      errors: ["lib/main.dart:12:3 undefined_class Undefined class 'Foo'"],
    },
    'reads the format for machines': {
      exit: 3,
      output: `ERROR|COMPILE_TIME_ERROR|UNDEFINED_IDENTIFIER|/project/lib/main.dart|2|10|1|Undefined name 'x'.
INFO|LINT|AVOID_PRINT|/project/lib/main.dart|3|3|5|Don't invoke 'print'.
`,
      errors: ["lib/main.dart:2:10 undefined_identifier Undefined name 'x'."],
    },
    'counts none where only infos make it fail': {
      exit: 1,
      output: "\n   info • Don't invoke 'print' • lib/a.dart:3:3 • avoid_print\n\n1 issue found. (ran in 1.2s)\n",
      errors: [],
    },
    'trusts a larger sum': {
      exit: 3,
      output: '  error - a.dart:2:10 - Bad. - bad\n   info - a.dart:3:1 - Hm. - hm\n\n4 issues found.\n',
      errors: { count: 3 },
    },
    'counts none in a clean project': { exit: 0, output: 'Analyzing demo...\nNo issues found!\n', errors: [] },
    'counts nothing where it crashed': {
      exit: 255,
      output: 'Unhandled exception:\nBad state: The analysis server broke\n',
      errors: { uncounted: 'exit 255, and no error that relay knows: Unhandled exception:' },
    },
  })
})

const php = ` ------ ------------------------------------------------------------
  Line   src/Foo.php
 ------ ------------------------------------------------------------
  12     Undefined variable: $x
         🪪  variable.undefined
  :20    Method Foo::bar() should return int but return statement is
         missing.
         🪪  return.missing
         💡 Add a return.
 ------ ------------------------------------------------------------

 ------ ------------------------------------------------------------
  Line   src/Bar.php (in context of class Baz)
 ------ ------------------------------------------------------------
  3      Call to an undefined method Bar::no().
 ------ ------------------------------------------------------------

`

describe('phpstan', () => {
  const errors = [
    'src/Foo.php:12 variable.undefined Undefined variable: $x',
    'src/Foo.php:20 return.missing Method Foo::bar() should return int but return statement is missing.',
    'src/Bar.php:3  Call to an undefined method Bar::no().',
  ]
  const json = (files: unknown, general: readonly string[] = []) =>
    JSON.stringify({ totals: { errors: general.length, file_errors: 1 }, files, errors: general })

  run({
    'reads its table': {
      exit: 1,
      output: `Note: Using configuration file /project/phpstan.neon.\n${php}\n [ERROR] Found 3 errors\n\n`,
      errors,
    },
    'knows by its sum of errors that are in no file': {
      exit: 1,
      output: `${php} -- ------\n     Error\n -- ------\n     Ignored error pattern was not matched.\n -- ------\n\n\n [ERROR] Found 4 errors\n`,
      errors: { count: 4 },
    },
    'reads JSON': {
      exit: 1,
      output: json(
        { '/project/src/Foo.php': { errors: 1, messages: [{ message: 'Bad.', line: 12, identifier: 'a.b' }] } },
        ['Broken.'],
      ),
      errors: ['  Broken.', 'src/Foo.php:12 a.b Bad.'],
    },
    'reads JSON that is longer than any line': {
      exit: 1,
      output: json({
        '/project/a.php': { errors: 1, messages: [{ message: 'x'.repeat(5000), line: null, ignorable: true }] },
      }),
      errors: [`a.php  ${'x'.repeat(5000)}`],
    },
    'reads clean JSON': { exit: 0, output: json([]), errors: [] },
    'reads raw lines': {
      exit: 1,
      output: '/project/src/Foo.php:12:Undefined variable: $x [identifier=variable.undefined]\n/project/b.php:3:Bad.\n',
      errors: ['src/Foo.php:12 variable.undefined Undefined variable: $x', 'b.php:3  Bad.'],
    },
    'does not take such lines for errors where nothing failed': {
      exit: 0,
      output: '/project/src/Foo.php:12:found\n',
      errors: [],
    },
    'counts none in a clean project': { exit: 0, output: '\n [OK] No errors\n\n', errors: [] },
    'counts nothing where it crashed': {
      exit: 255,
      output: 'PHP Fatal error:  Allowed memory size exhausted in phar:///phpstan.phar on line 7\n',
      errors: {
        uncounted:
          'exit 255, and no error that relay knows: PHP Fatal error:  Allowed memory size exhausted in phar:///phpstan.phar on line 7',
      },
    },
  })
})

describe('astro check', () => {
  run({
    'counts errors, not warnings and hints': {
      exit: 1,
      output: `01:20:03 [check] Getting diagnostics for Astro files in /project...
src/pages/index.astro:3:7 - error ts(2322): Type 'number' is not assignable to type 'string'.

3 const a: string = 1
        ~

src/Box.tsx:22:18 - error ts(2322): Type '{ children: any[]; }' is not assignable to type 'Attributes'.
  Property 'className' does not exist on type 'Attributes'.

22   <div className='tabs'>

src/pages/index.astro:9:1 - warning ts(6133): 'b' is declared but its value is never read.

9 const b = 1

Result (3 files): 
- 2 errors
- 1 warning
- 0 hints

`,
      errors: [
        "src/pages/index.astro:3:7 ts(2322) Type 'number' is not assignable to type 'string'.",
        "src/Box.tsx:22:18 ts(2322) Type '{ children: any[]; }' is not assignable to type 'Attributes'.",
      ],
    },
    'trusts a larger sum': {
      exit: 1,
      output: 'a.astro:3:7 - error ts(1): Bad.\n\nResult (1 file): \n- 2 errors\n- 0 warnings\n- 0 hints\n',
      errors: { count: 2 },
    },
    'counts none in a clean project': {
      exit: 0,
      output: 'Result (3 files): \n- 0 errors\n- 0 warnings\n- 0 hints\n',
      errors: [],
    },
    'counts nothing where it crashed': {
      exit: 1,
      output: '[config] Unable to load your Astro config\n',
      errors: { uncounted: 'exit 1, and no error that relay knows: Unable to load your Astro config' },
    },
  })
})

const java = `/project/src/main/java/A.java:3: error: cannot find symbol
    int a = x;
            ^
  symbol:   variable x
  location: class A
/project/src/main/java/B.java:5: error: ';' expected
    int b = 1
             ^
`
const failedBuild = `
BUILD FAILED in 2s
1 actionable task: 1 executed
`

describe('kotlinc, gradle', () => {
  run({
    'reads Kotlin below Gradle': {
      exit: 1,
      output: `> Task :compileKotlin FAILED
e: file:///project/src/main/kotlin/A.kt:3:5 Unresolved reference 'foo'.
w: file:///project/src/main/kotlin/A.kt:9:5 Variable 'b' is never used
e: file:///project/src/main/kotlin/A.kt:3:5 Unresolved reference 'foo'.

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':compileKotlin'.
> A failure occurred while executing org.jetbrains.kotlin.compilerRunner.GradleCompilerRunnerWithWorkers$GradleKotlinCompilerWorkAction
   > Compilation error. See log for more details
${failedBuild}`,
      errors: ["src/main/kotlin/A.kt:3:5  Unresolved reference 'foo'."],
    },
    'reads older Kotlin, and scripts': {
      exit: 1,
      output: `e: /project/A.kt: (38, 40): Unresolved reference: foo
w: /project/A.kt: (40, 1): Parameter 'a' is never used
e: /project/build.gradle.kts:32:5: Unresolved reference: compile
`,
      errors: ['A.kt:38:40  Unresolved reference: foo', 'build.gradle.kts:32:5  Unresolved reference: compile'],
    },
    'reads kotlinc': {
      exit: 1,
      output: `src/A.kt:3:5: error: unresolved reference 'foo'.
    foo()
    ^^^
src/A.kt:5:9: warning: variable 'b' is never used
`,
      errors: ["src/A.kt:3:5  unresolved reference 'foo'."],
    },
    'reads javac below Gradle, which prints it again at its end': {
      exit: 1,
      output: `
> Task :compileJava FAILED
${java}2 errors

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':compileJava'.
> Compilation failed; see the compiler output below.
${`${java}2 errors`.replace(/^/gm, '  ')}

* Try:
> Check your code and dependencies to fix the compilation error(s)
${failedBuild}`,
      errors: ['src/main/java/A.java:3  cannot find symbol variable x', "src/main/java/B.java:5  ';' expected"],
    },
    'reads javac below Gradle where it stands at the end alone': {
      exit: 1,
      output: `> Compilation failed; see the compiler output below.\n${`${java}2 errors`.replace(/^/gm, '  ')}\n${failedBuild}`,
      errors: ['src/main/java/A.java:3  cannot find symbol variable x', "src/main/java/B.java:5  ';' expected"],
    },
    'counts none in a clean build': {
      exit: 0,
      output: '> Task :compileKotlin UP-TO-DATE\n\nBUILD SUCCESSFUL in 1s\n3 actionable tasks: 3 up-to-date\n',
      errors: [],
    },
    'counts nothing where the compiler crashed': {
      exit: 1,
      output:
        'e: file:///project/A.kt:3:5 Bad.\ne: org.jetbrains.kotlin.backend.common.BackendException: Backend Internal error\n',
      errors: { uncounted: 'the Kotlin compiler broke off' },
    },
    'counts nothing where Gradle fails by itself': {
      exit: 1,
      output:
        "FAILURE: Build failed with an exception.\n\n* What went wrong:\nTask 'lint' not found in root project 'demo'.\n",
      errors: {
        uncounted: 'exit 1, and no error that relay knows: FAILURE: Build failed with an exception',
      },
    },
  })
})

describe('mix compile', () => {
  run({
    'reads Elixir from 1.16 on': {
      exit: 1,
      output: `Compiling 2 files (.ex)
    warning: variable "y" is unused (if the variable is not meant to be used, prefix it with an underscore)
    │
  3 │   def run(y) do
    │           ~
    │
    └─ lib/demo.ex:3:11: Demo.run/1

    error: undefined variable "x"
    │
 10 │     x
    │     ^
    │
    └─ lib/demo.ex:10:5: Demo.run/0

    error: undefined function foo/0 (expected Demo to define such a function)
    │
 12 │     foo()
    │     ^^^
    │
    └─ lib/demo.ex:12:5: Demo.bar/0


== Compilation error in file lib/demo.ex ==
** (CompileError) lib/demo.ex: cannot compile module Demo (errors have been logged)

`,
      errors: [
        'lib/demo.ex:10:5  undefined variable "x"',
        'lib/demo.ex:12:5  undefined function foo/0 (expected Demo to define such a function)',
      ],
    },
    'reads Elixir 1.15': {
      exit: 1,
      output: `error: undefined variable "x"
  lib/demo.ex:10: Demo.run/0

warning: function foo/0 is unused
  lib/demo.ex:12: Demo (module)

== Compilation error in file lib/demo.ex ==
** (CompileError) lib/demo.ex: cannot compile module Demo (errors have been logged)
`,
      errors: ['lib/demo.ex:10  undefined variable "x"'],
    },
    'reads older Elixir': {
      exit: 1,
      output: `
== Compilation error in file lib/demo.ex ==
** (CompileError) lib/demo.ex:36: undefined function x/0
    (elixir) src/elixir_locals.erl:107: :elixir_locals.ensure_no_undefined_local/3
    (stdlib) erl_eval.erl:677: :erl_eval.do_apply/6
`,
      errors: ['lib/demo.ex:36 CompileError undefined function x/0'],
    },
    'reads an error of syntax, older and newer': {
      exit: 1,
      output: `
== Compilation error in file lib/a.ex ==
** (SyntaxError) lib/a.ex:3:5: syntax error before: 'end'

== Compilation error in file lib/b.ex ==
** (TokenMissingError) token missing on lib/b.ex:5:4:
    error: missing terminator: end
    │
  1 │ defmodule B do
    │             └ unclosed delimiter
  5 │ end
    │    └ missing closing delimiter (expected "end")
    │
    └─ lib/b.ex:5:4
`,
      errors: ["lib/a.ex:3:5 SyntaxError syntax error before: 'end'", 'lib/b.ex:5:4  missing terminator: end'],
    },
    'reads what else ends the compiler': {
      exit: 1,
      output: `
== Compilation error in file lib/a.ex ==
** (UndefinedFunctionError) function Foo.bar/0 is undefined (module Foo is not available)
    Foo.bar()
    lib/a.ex:2: (module)
`,
      errors: ['lib/a.ex UndefinedFunctionError function Foo.bar/0 is undefined (module Foo is not available)'],
    },
    'counts warnings where they are errors': {
      exit: 1,
      output: `warning: variable "y" is unused
  lib/demo.ex:15: Demo.run/1

Compilation failed due to warnings while using the --warnings-as-errors option
`,
      errors: ['lib/demo.ex:15  variable "y" is unused'],
    },
    'counts none with a warning': {
      exit: 0,
      output: 'warning: variable "y" is unused\n  lib/demo.ex:15: Demo.run/1\n\nGenerated demo app\n',
      errors: [],
    },
    'counts nothing where mix fails': {
      exit: 1,
      output:
        '** (Mix) Could not find a Mix.Project, please ensure you are running Mix in a directory with a mix.exs file\n',
      errors: {
        uncounted:
          'exit 1, and no error that relay knows: ** (Mix) Could not find a Mix.Project, please ensure you are running Mix in a directory with a mix.exs file',
      },
    },
  })
})

describe('mix credo', () => {
  const issues = `Checking 3 source files ...

  Code Readability
┃
┃ [R] → Modules should have a @moduledoc tag.
┃       lib/demo.ex:1:11 #(Demo)
┃ [R] ↗ There is no whitespace around parentheses/brackets most of the time, but
┃       here there is.
┃       lib/demo.ex:4 #(Demo.run)

  Warnings - please take a look
┃
┃ [W] ↑ There should be no calls to IO.inspect/1. [Credo.Check.Warning.IoInspect]
┃       lib/demo.ex:7:5 #(Demo.run)
`
  run({
    'counts each issue': {
      exit: 20,
      output: `${issues}
Please report incorrect results: https://github.com/rrrene/credo/issues

Analysis took 0.06 seconds (0.01s to load, 0.05s running 55 checks on 3 files)
4 mods/funs, found 1 warning, 2 code readability issues.

Showing priority issues: ↑ ↗ →  (use \`--strict\` to show all issues, \`--help\` for options).
`,
      errors: [
        'lib/demo.ex:1:11 R Modules should have a @moduledoc tag.',
        'lib/demo.ex:4 R There is no whitespace around parentheses/brackets most of the time, but here there is.',
        'lib/demo.ex:7:5 Credo.Check.Warning.IoInspect There should be no calls to IO.inspect/1.',
      ],
    },
    'knows by its sum of those that it does not show': {
      exit: 4,
      output: `${issues}┃  ...  (4 more, use \`--all\` to show them)\n\n9 mods/funs, found 1 warning, 6 code readability issues.\n`,
      errors: { count: 7 },
    },
    'reads --format oneline': {
      exit: 4,
      output: '[R] → lib/demo.ex:1:11 Modules should have a @moduledoc tag.\n[R] ↗ lib/b.ex:3 Bad.\n',
      errors: ['lib/demo.ex:1:11  Modules should have a @moduledoc tag.', 'lib/b.ex:3  Bad.'],
    },
    'reads --format flycheck': {
      exit: 4,
      output: 'lib/demo.ex:1:11: R: Modules should have a @moduledoc tag.\n',
      errors: ['lib/demo.ex:1:11 R Modules should have a @moduledoc tag.'],
    },
    'counts none in a clean project': { exit: 0, output: '4 mods/funs, found no issues.\n', errors: [] },
    'counts nothing where mix fails': {
      exit: 1,
      output: '** (Mix) The task "credo" could not be found\n',
      errors: { uncounted: 'exit 1, and no error that relay knows: ** (Mix) The task "credo" could not be found' },
    },
  })
})
