/**
 * Modules that checkers and formatters of Python load, by the names that they are imported by: their own, and those of what
 * they are known to depend on. All others count as an app's: a project with its modules in the root would be asked about each.
 */
const NAMES = `ansiblelint anyio appdirs ast_serialize astor astroid asttokens attr attrs autoflake autopep8 bandit
  basedpyright black blackd blib2to3 bracex cachetools cattr cattrs certifi cfgv chardet charset_normalizer click
  click_option_group codespell_lib colorama coverage crosshair cssbeautifier darglint darker defusedxml diff_cover dill
  distlib djlint docformatter docutils dodgy editables editorconfig eradicate exceptiongroup execnet executing
  fastjsonschema filelock fixit flake8 flakeheaven flynt git gitdb glom gprof2dot graphviz h11 hatchling httpcore httpx
  hypothesis identify idna importlib_metadata importlib_resources iniconfig interrogate isort jedi jinja2 jsbeautifier
  json5 jsonschema jsonschema_specifications lazy_object_proxy libcst libmypy librt lxml mando markdown markdown_it
  markupsafe mccabe mdformat mdurl more_itertools msgpack mypy mypy_extensions mypyc nbqa nodeenv numpydoc orjson
  packaging parso pathspec pathvalidate pbr pep8 pep8ext_naming pip pkg_resources platformdirs pluggy ply pre_commit
  prospector ptyprocess py pycln pycodestyle pydantic pydantic_core pydocstringformatter pydocstyle pyflakes pygments
  pylama pylint pyparsing pyproject_api pyproject_hooks pyre_check pyre_extensions pyrefly pyright pytest_cov pytokens
  pytoolconfig pytype pyupgrade radon referencing refurb regex reorder_python_imports requests requirements_detector
  restructuredtext_lint rich rope rpds ruamel safety scandir semgrep setoptconf setuptools shellingham simplejson six
  smmap sniffio snowballstemmer sortedcontainers sqlfluff stack_data stevedore tabulate tblib tenacity termcolor
  tokenize_rt toml tomli tomli_w tomlkit tqdm traitlets tree_sitter trove_classifiers truststore ty typed_ast typeguard
  typer typeshed_client typing_extensions typing_inspect unidiff untokenize urllib3 validate_pyproject virtualenv vulture
  wcmatch wcwidth wemake_python_styleguide wheel wily wrapt xenon yaml yamlfix yamllint yamlloader yapf yapf_third_party
  zipp`

/** Made ready with the first name that is asked about, as Python's own are. */
let modules: ReadonlySet<string> | undefined

export function isToolModule(name: string): boolean {
  modules ??= new Set(NAMES.split(/\s+/))
  return modules.has(name) || PLUGIN.test(name)
}

/** Tools look for their plugins by such names. */
const PLUGIN = /^(?:flake8|pylint|mypy|pytest|bandit|black|isort|yamllint|sqlfluff)_/
