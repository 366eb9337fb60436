import { describe, expect, it } from 'vitest'
import { pythonStandIns } from '../../../src/plan/sensitive/python-stand-ins.ts'

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
    ['python -m mypy src', 'main.py'],
    ['python -m mypy src', 'src/ast.py'],
    ['python -m mypy src', 'ast/visitor.py'],
    ['python -m mypy src', 'ast.md'],
    ['python -m mypy src', 'ast'],
    ['python -m mypy src', 'Queue.py'],
    ['python -m mypy src', '__init__.py'],
    // Part of the interpreter.
    ['python -m mypy src', 'time.py'],
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
})
