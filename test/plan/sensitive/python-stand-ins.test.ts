import { describe, expect, it } from 'vitest'
import { pythonStandIns } from '../../../src/plan/sensitive/python-stand-ins.ts'
import { reachedFiles } from '../../../src/plan/sensitive/reached-files.ts'

const FIRST = 'is new where Python first looks for the modules of'

describe('pythonStandIns', () => {
  it.each([
    ['python3 -m compileall -q src', 'argparse.py'],
    ['python3 -m compileall -q src', 'argparse/__init__.py'],
    ['python -mcompileall', 'argparse.py'],
    ['python -W error -um mypy src', 'typing.py'],
    ['.venv/bin/python3.12 -c "import json; print(1)"', 'json/__init__.py'],
    ['C:\\venv\\Scripts\\python.exe -m mypy', 'ast.py'],
    ['tsc; bash -c "cd . && pypy3 -m mypy"', 'ast.py'],
    ['py -3 -m mypy', 'ast.py'],
    ['uv run -m mypy', 'ast.py'],
    ['uv run python -m mypy', 'ast.py'],
    ['coverage run --branch -m pytest', 'ast.py'],
    ['python manage.py test', 'calendar/__init__.py'],
    ['python ./tools/check.py src', 'tools/ast.py'],
    ['tools/check.py src', 'tools/ast.py'],
    ['python tools/lint', 'tools/lint/ast.py'],
    ['python tools/lint', 'tools/ast.py'],
    ['python <tools/check.py', 'ast.py'],
    ['echo 1 | python - src', 'ast.py'],
    ['PYTHONPATH=lib:./src mypy', 'src/ast.py'],
    ['cat tools/check.py | python3', 'ast.py'],
    ['cd api && python -m pytest', 'api/ast.py'],
    ['cd api && python tools/check.py', 'api/tools/ast.py'],
    ['PYTHONPATH="src" pytest', 'src/ast.py'],
  ])('%s would load %s', (linter, path) => {
    expect(pythonStandIns({ linter })(path)).toMatch(
      /^stands in for Python's own (?:argparse|typing|json|ast|calendar)$/,
    )
  })

  it.each([
    ['python -m mypy src', 'src/ast.py'],
    ['python -m mypy src', 'ast/visitor.py'],
    ['python -m mypy src', 'ast.md'],
    ['python -m mypy src', 'ast'],
    ['python -m pytest', 'Queue.py'],
    ['python -m mypy src', '__init__.py'],
    // Part of the interpreter.
    ['python -m pytest', 'time.py'],
    ['python -I -m mypy src', 'ast.py'],
    ['python -sP tools/check.py', 'tools/ast.py'],
    ['python tools/check.py -m slow', 'ast.py'],
    ['uv run pytest -m slow', 'ast.py'],
    ['python --version', 'ast.py'],
    ['ruff check ast.py', 'ast.py'],
    ['eslint --ext py -m', 'ast.py'],
    ['', 'ast.py'],
  ])('%s would not load %s', (linter, path) => {
    expect(pythonStandIns({ linter })(path)).toBeUndefined()
  })

  it.each([
    ['python3 -m black --check .', 'click.py'],
    ['python3 -m black --check .', 'click/__init__.py'],
    ['python -mflake8', 'pycodestyle.py'],
    ['python -mflake8', 'flake8_words.py'],
    ['python -m pylint.lint', 'astroid/__init__.py'],
    ['poetry run python -m mypy .', 'mypy_extensions.py'],
    ['uv run -m mypy', 'typing_extensions.py'],
    ['python -m tools.lint', 'yaml.py'],
    ['cd api && python -m mypy .', 'api/tomli.py'],
    ['python tools/check.py src', 'tools/report.py'],
    ['python tools/check.py src', 'tools/click.py'],
    ['./tools/check.py src', 'tools/click/__init__.py'],
    ['cd tools && python check.py', 'tools/click.py'],
    ['python tools/lint', 'tools/lint/click.py'],
  ])('%s may load %s', (linter, path) => {
    expect(pythonStandIns({ linter })(path)).toBe(`${FIRST} \`linter\``)
  })

  it.each([
    ['python3 -m black .', 'src/click.py'],
    ['python3 -m black .', 'app/core/click.py'],
    ['python3 -m black .', 'click/core.py'],
    ['python3 -m black .', 'click.pyi'],
    // Modules of an app's.
    ['python -m mypy .', 'main.py'],
    ['python -m mypy src', 'tests/__init__.py'],
    ['python -m tools.lint', 'utils.py'],
    ['cd api && python -m pylint .', 'api/config.py'],
    ['python3 -m black .', 'Click.py'],
    ['python3 -m black .', 'my-tool.py'],
    ['python3 -m black .', 'test_main.py'],
    ['python3 -m black .', 'main_test.py'],
    ['python3 -m black .', '__init__.py'],
    ['python3 -I -m black .', 'click.py'],
    // They run what is written here anyway.
    ['python -m pytest', 'main.py'],
    ['python -m unittest discover', 'main.py'],
    ['coverage run -m pytest', 'main.py'],
    ['python -m coverage run -m pytest', 'main.py'],
    ['python manage.py test', 'blog/__init__.py'],
    ['python backend/manage.py check', 'backend/blog/__init__.py'],
    ['python blog/__main__.py', 'blog/posts.py'],
    ['python check.py', 'main.py'],
    ['python tests/run.py', 'tests/helpers.py'],
    ['cd src && python check.py', 'src/main.py'],
    ['python -m app.check', 'main.py'],
    // They load nothing of others.
    ['python -m compileall .', 'main.py'],
    ['python -m ruff check .', 'main.py'],
    ['python -c "import json"', 'main.py'],
    ['PYTHONPATH=src mypy src', 'src/main.py'],
  ])('%s is left alone with %s', (linter, path) => {
    expect(pythonStandIns({ linter })(path)).toBeUndefined()
  })

  const files: Readonly<Record<string, string>> = {
    'package.json': '{"scripts":{"lint":"python -m black --check ."}}',
    Makefile: 'lint:\n\tpython3 -m black --check .\ncheck:\n\tpython3 tools/check.py\n',
    'lint.sh': '#!/bin/sh\npython3 -m black --check .\n',
    'api/Makefile': 'lint:\n\tpython3 -m mypy .\n',
  }

  it.each([
    ['npm run lint', 'click.py', `${FIRST} \`linter\``],
    ['make lint', 'click.py', `${FIRST} \`linter\``],
    ['make lint', 'json.py', "stands in for Python's own json"],
    ['make -C api lint', 'api/click.py', `${FIRST} \`linter\``],
    ['make check', 'tools/click.py', `${FIRST} \`linter\``],
    ['make check', 'click.py', undefined],
    ['./lint.sh', 'click.py', `${FIRST} lint.sh`],
    ['./lint.sh', 'src/click.py', undefined],
  ])('%s comes to such a folder by way of a file: %s', async (linter, path, why) => {
    const reached = await reachedFiles({ linter }, [path], {
      read: async name => (files[name] === undefined ? [] : [files[name]]),
      has: async name => files[name] !== undefined,
      list: async folder =>
        Object.keys(files)
          .filter(name => folder === '' && !name.includes('/'))
          .concat('Makefile'),
    })
    expect(pythonStandIns({ linter }, reached)(path)).toBe(why)
  })
})
