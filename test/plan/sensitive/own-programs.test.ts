import { describe, expect, it } from 'vitest'
import { ownPrograms } from '../../../src/plan/sensitive/own-programs.ts'

describe('ownPrograms', () => {
  it.each([
    ['./bin/lint', 'bin/lint'],
    ['bin//x/../lint --all', 'bin/lint'],
    ['.\\bin\\lint.cmd', 'bin/lint.cmd'],
    ['node scripts/check.mjs', 'scripts/check.mjs'],
    ['node "scripts/check.mjs" src', 'scripts/check.mjs'],
    ['bash -c "cd . && scripts/check.sh; true"', 'scripts/check.sh'],
    ["sh 'my tools/check.sh'", 'my tools/check.sh'],
    ['node scripts/check', 'scripts/check.js'],
    ['npx tsx scripts/check src', 'scripts/check.ts'],
    ['node scripts/check src', 'scripts/check/index.js'],
    ['node ./scripts/check/', 'scripts/check/index.mjs'],
    ['tsx . --all', 'index.ts'],
    ['node -r ./hook app.js', 'hook.cjs'],
    ['eslint -f ./report src', 'report.js'],
    ["node -r 'hook.js' 'my tools/check.js'", 'my tools/check.js'],
    [`node -e '' 'my tools/check.js'`, 'my tools/check.js'],
    [`node "Ann's tools/check.js"`, "Ann's tools/check.js"],
    ['tsc|tools/count', 'tools/count'],
    ['tsc && (./count.v2 --all)', 'count.v2'],
    ['A=1 B="2" ./count.v2', 'count.v2'],
    ['NODE_OPTIONS=--require=./hook.cjs tsc', 'hook.cjs'],
    ['tsc 2>&1 >out.txt; tools/count <in.txt', 'tools/count'],
    ['sh <tools/count >out', 'tools/count'],
    ['$(pwd)/bin/lint', 'bin/lint'],
    ['"$PWD/bin/lint"', 'bin/lint'],
    ['/home/me/demo/bin/lint', 'bin/lint'],
    ['C:\\demo\\bin\\lint.exe', 'bin/lint.exe'],
    ['./BIN/Lint', 'bin/lint'],
    ['./bin/lint', 'Bin/LINT'],
    ['./pru\u0308fen', 'pr\u00fcfen'],
    ['pytest checks/all.py', 'checks/all.py'],
    ['bin/eslint src/a.js', 'src/a.js'],
    ['eslint -f report.js src', 'report.js'],
    ['eslint --parser=./parse.js src', 'parse.js'],
    ['npx eslint src/a.js; node src/a.js', 'src/a.js'],
    ['LINTER=eslint ./lint tools/x.sh', 'tools/x.sh'],
    ['LINTERS="eslint prettier" ./lint', 'lint'],
    [`cppcheck --addon='{"script": "tools/x.py"}' src`, 'tools/x.py'],
    ['bash shellcheck x.sh', 'x.sh'],
    ['python -m pytest app.py', 'app.py'],
    ['pytest -m mypy app.py', 'app.py'],
    ['python pylint app.py', 'app.py'],
    ['./in python -m pylint app.py', 'app.py'],
    ['python -m py_compile app.py && python app.py', 'app.py'],
    ['python -m pylint --load-plugins check.py src', 'check.py'],
    ['node --check a.js; node a.js', 'a.js'],
    ['node --check -r ./hook.js a.js', 'hook.js'],
    ['gcc -fplugin=./check.so -fsyntax-only main.c', 'check.so'],
    ['gcc -fsyntax-only -fplugin=./check.so main.c', 'check.so'],
    ['gcc -o app app.py', 'app.py'],
    ['javac -processorpath ./check.jar Main.java', 'check.jar'],
    ['sh tools/x.txt', 'tools/x.txt'],
    ['timeout 5 /bin/bash -e tools/x.html', 'tools/x.html'],
    ['. tools/env.txt; true', 'tools/env.txt'],
    ["sh -c 'source tools/x.md'", 'tools/x.md'],
    ['python3.12 -u x.csv', 'x.csv'],
    ['bats tests/x.bats', 'tests/x.bats'],
    ['sh < tools/env.txt', 'tools/env.txt'],
    ['sh<tools/x.sql', 'tools/x.sql'],
    ['<in.txt tools/count', 'tools/count'],
    ['check -ctools/x.cfg', 'tools/x.cfg'],
    ['javac @tools/x.args', 'tools/x.args'],
    ['yamllint rules.yml', 'rules.yml'],
    ['awk -f count.txt src/a.ts', 'count.txt'],
    ['python -m mypy src', 'mypy.py'],
    ['python -m mypy src', 'mypy/__init__.py'],
    ['python -m mypy src', 'mypy/__main__.py'],
    ['python -m tools.lint', 'tools/__init__.py'],
    ['python -m tools.lint', 'tools/lint.py'],
    ['python -m tools.lint', 'tools/lint/__main__.py'],
    ['python -qmtools.lint', 'tools/lint.py'],
    ['python tools/lint src', 'tools/lint/__main__.py'],
    ['python .', '__main__.py'],
    ['python "$PWD/tools/lint"', 'tools/lint/__main__.py'],
  ])('%s runs %s', (linter, path) => {
    expect(ownPrograms({ linter })(path)?.replace('read', 'run')).toBe('is run by `linter`')
  })

  it.each([
    ['eslint .', 'eslint.js'],
    ['eslint .', 'ESLint.JS'],
    ['npx --no-install tsc --noEmit', 'npx.exe'],
    ['npx --no-install tsc --noEmit', 'tsc.js'],
    ['cargo check && clippy-driver x', 'clippy-driver.com'],
  ])('the shell of Windows finds for %s first %s', (linter, path) => {
    expect(ownPrograms({ linter })(path)).toBe('is run by `linter` on Windows, in place of the program')
  })

  it.each([
    ['pnpm test', 'test.js'],
    ['eslint .', 'src/eslint.js'],
    ['eslint .', 'eslint.ts'],
    ['npm run build', 'build.js'],
    ['npm test', 'test.js'],
    ['/usr/bin/eslint .', 'eslint.js'],
  ])('%s runs on Windows no %s', (linter, path) => expect(ownPrograms({ linter })(path)).toBeUndefined())

  it.each([
    'eslint --config strict.json src',
    'eslint --config=strict.json',
    'x -c ./strict.json',
    'x --rc-config strict.json',
  ])('%s reads strict.json', linter => expect(ownPrograms({ linter })('strict.json')).toBe('is read by `linter`'))

  it.each([
    ['pip install -r deps.txt', 'deps.txt'],
    ['pip3.12 install -q -rdeps.txt', 'deps.txt'],
    ['.venv/bin/pip install --requirement=deps.txt', 'deps.txt'],
    ['python -m pip install -r deps.txt', 'deps.txt'],
    ['uv pip install -c limits.txt -r deps.txt', 'deps.txt'],
    ['uv run --with-requirements deps.txt pytest', 'deps.txt'],
    ['uv pip sync --quiet lock.txt', 'lock.txt'],
    ['pip-sync a.txt b.txt', 'b.txt'],
    ['pip-audit -r deps.txt', 'deps.txt'],
    ['npx tsc -b build/app.json build/test.json', 'build/test.json'],
    ['tsc --build --force app.json test.json', 'test.json'],
    ['make --makefile build/x.txt', 'build/x.txt'],
    ['gmake --file=build/x.txt', 'build/x.txt'],
    ['gawk --file prog.txt src/a.ts', 'prog.txt'],
    ['./gradlew -q -I init.txt check', 'init.txt'],
    ['gradle --init-script init.txt check', 'init.txt'],
  ])('%s reads %s', (linter, path) => expect(ownPrograms({ linter })(path)).toBe('is read by `linter`'))

  it.each([
    ['eslint --rulesdir ./rules src', 'rules/no-foo.js'],
    ['eslint --rulesdir=rules src', 'rules/deep/Words.txt'],
    ['tslint --rules-dir rules', 'rules/a.js'],
    ['terraform init -plugin-dir=plugins', 'plugins/a'],
  ])('%s loads %s', (linter, path) => expect(ownPrograms({ linter })(path)).toBe('is run by `linter`'))

  it.each([
    ['eslint src', 'src/a.ts'],
    ['npm run app', 'app.ts'],
    ['vitest run src', 'src/index.ts'],
    ['node scripts/check src', 'src/index.ts'],
    ['node scripts/check', 'scripts/check.test.js'],
    ['node scripts/check.mjs', 'scripts/check.mjs.js'],
    ['eslint --rulesdir rules src', 'src/a.js'],
    ['eslint --rulesdir rules src', 'rules2/a.js'],
    ['eslint --rulesdir . src', 'src/a.js'],
    ['grep -r TODO notes.txt', 'notes.txt'],
    ['grep -r notes.txt', 'notes.txt'],
    ['cp -r README.md docs', 'README.md'],
    ['pip install x; rm -r notes.txt', 'notes.txt'],
    ['gcc -I inc.txt', 'inc.txt'],
    ['cspell --file README.md', 'README.md'],
    ['uv sync README.md', 'README.md'],
    ['markdownlint README.md docs/a.md', 'README.md'],
    ['python -m mdformat README.md', 'README.md'],
    ['sh bin/all; markdownlint README.md', 'README.md'],
    ['./bin/lint', 'other/bin/lint'],
    ['./bin/lint', 'lint'],
    ['node scripts/check.mjs', 'scripts/check.mjs.md'],
    ['echo more >> app.js', 'app.js'],
    ['tsc >out 2>err', 'err'],
    ['python -m mypy src', 'src/__main__.py'],
    ['python -m tools.lint', 'tools/__main__.py'],
    ['python -I -m mypy src', 'mypy.py'],
    ['uv run pytest -m slow', 'slow.py'],
    ['shellcheck install.sh', 'install.sh'],
    ['luacheck main.lua', 'main.lua'],
    ['npx --no-install eslint --max-warnings 0 src/a.js', 'src/a.js'],
    ['tsc --noEmit src/a.ts && prettier --check src/b.ts', 'src/b.ts'],
    ['.venv/bin/flake8 main.py', 'main.py'],
    ['npx prettier --write src/a.ts; ruff check --fix app.py', 'app.py'],
    ['npx prettier --write src/a.ts; ruff check --fix app.py', 'src/a.ts'],
    ['python3 -m pylint app.py', 'app.py'],
    ['python -m ruff check app.py && python -m mypy app.py', 'app.py'],
    ['python -m py_compile app.py', 'app.py'],
    ['node --check server.js', 'server.js'],
    ['php -l index.php', 'index.php'],
    ['gcc -Wall -std=c17 -fsyntax-only -Wextra src/main.c', 'src/main.c'],
    ['javac -Xlint:all Main.java', 'Main.java'],
    ['', 'a'],
  ])('%s does not run %s', (linter, path) => {
    expect(ownPrograms({ linter })(path)).toBeUndefined()
  })

  it("knows each of the four, and that a word of relay's for notices is no command", () => {
    expect(ownPrograms({ preCommand: './x' })('x')).toBe('is run by `preCommand`')
    expect(ownPrograms({ postCommand: './x' })('x')).toBe('is run by `postCommand`')
    expect(ownPrograms({ notify: './x' })('x')).toBe('is run by `notify`')
    expect(ownPrograms({ notify: 'bell' })('bell')).toBeUndefined()
  })
})
