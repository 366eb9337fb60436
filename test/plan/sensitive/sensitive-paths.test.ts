import picomatch from 'picomatch'
import { describe, expect, it } from 'vitest'
import { sensitivity } from '../../../src/plan/sensitive/sensitive-paths.ts'
import { SENSITIVE } from '../../../src/plan/sensitive/sensitive-table.ts'
import { ordinaryPaths } from '../project-paths.ts'

describe('sensitivity', () => {
  it.each([
    'wp-cli.yml', 'package-scripts.js', 'testem.js', 'packrat/init.R', 'src/Model.tt', 'dkms.conf', 'DEPS', 'bin/hermit.hcl', 'pm2.json',
    'requirements.yml', 'roles/requirements.yml', 'a/fix.prompt.md', 'Caddyfile',
  ])('finds a reason for %s', path => {
    expect(sensitivity(path)).toEqual(expect.any(String))
  }) // biome-ignore format: a list of names

  it.each(['.editorconfig', 'apps/a/.editorconfig', '.prettierignore'])(
    'finds none for %s, which runs nothing',
    path => {
      expect(sensitivity(path)).toBeUndefined()
    },
  )

  it.each(ordinaryPaths)('finds nothing in %s', path => {
    expect(sensitivity(path)).toBeUndefined()
  })

  it.each(
    Object.entries({
      'decides which commands relay runs': ['relaycode.config.json', 'packages/a/relaycode.config.json', 'RelayCode.Config.JSON'],
      'instructs AI agents that work in this project': [
        'AGENTS.md', 'CLAUDE.md', 'packages/a/CLAUDE.md', 'GEMINI.md', '.cursorrules', '.cursor/rules/a.mdc', '.windsurfrules', '.clinerules', '.clinerules/a.md', '.agents/x/a.md',
        'docs/x.instructions.md', 'agents.md',
        'AGENT.md', 'agent.md', 'src/Agent.md', 'docs/AGENT.md', 'docs/AGENTS.md', 'CODEBUDDY.md', '.github/ISSUE_TEMPLATE/AGENTS.md', 'x.chatmode.md', 'a/x.agent.md', 'replit.md'],
      'decides what AI agents may run': ['.claude/settings.json', '.mcp.json', '.codex/config.toml', 'opencode.json', '.gemini/settings.json', '.aider.conf.yml', '.opencode/a.ts',
        'hooks/hooks.json', 'gemini-extension.json', '.cursorignore', '.aiderignore', '.geminiignore', '.codeiumignore'],
      'runs when you enter the folder': ['.envrc', 'sub/.envrc', '.autoenv.zsh', '.shadowenv.d/x.lisp', '.flox/env/manifest.toml'],
      'holds secrets': ['.env', '.env.local', '.env.production.local', 'apps/web/.env', 'prod.env', '.ENV', '.env.dist'],
      'holds keys or passwords': [
        'server.pem', 'certs/tls.key', 'a.p12', 'release.keystore', 'id_rsa', 'id_ed25519', 'id_ed25519.pub', 'keys/id_rsa_old', '.netrc',
        'config/master.key', 'credentials', 'config/secrets.yml', 'terraform.tfvars', 'prod.auto.tfvars', '.git-credentials', '.dev.vars'],
      'opens access to machines or accounts': ['.ssh/config', '.aws/credentials2', 'home/.kube/config', '.ssh/authorized_keys', 'authorized_keys', '.sops.yaml'],
      'runs on git commit': ['.pre-commit-config.yaml', 'prek.toml', 'hk.pkl'],
      'runs on git commit or git push': [
        '.husky/pre-push', '.husky/_/husky.sh', 'lefthook.yml', '.lefthook.yml', 'lefthook-local.yml', 'lefthook.toml', '.lintstagedrc',
        '.lintstagedrc.json', 'lint-staged.config.mjs', '.githooks/x', '.git-hooks/x', '.huskyrc.js', '.simple-git-hooks.json', 'cog.toml'],
      'has the name of a git hook': ['hooks/pre-commit', 'scripts/post-checkout', 'src/hooks/pre-push'],
      'makes git take its folder for a repository': ['HEAD', 'test/fixtures/repo/HEAD'],
      'tells git which programs to run or where to get code from': ['.gitattributes', 'sub/.gitattributes', '.gitmodules', '.gitconfig', 'dev/gitconfig'],
      'runs on git push': [
        '.github/workflows/ci.yml', '.GitHub/workflows/ci.yml', '.github/actions/a/index.js', '.github/dependabot.yml', '.github/scripts/README.md',
        '.github/prompts/CONTRIBUTING.md', 'apps/a/.github/workflows/ci.yml', 'test/fixtures/.github/actions/a.js', '.gitlab-ci.yml', '.circleci/config.yml',
        'Jenkinsfile', 'azure-pipelines.yml', 'bitbucket-pipelines.yml', '.gitlab/x.yml', '.buildkite/p.yml', '.drone.yml', 'action.yml', 'atlantis.yaml'],
      'decides what is merged': ['bors.toml'],
      'runs on release or deployment': [
        'Dockerfile', 'docker/Dockerfile', 'Dockerfile.dev', 'api.Dockerfile', 'dockerfile', 'Containerfile', 'compose.yaml', 'compose.override.yml',
        'docker-compose.yml', 'docker-compose.prod.yaml', 'Procfile', 'vercel.json', 'netlify.toml', 'cdk.json', 'appspec.yml', 'infra/terragrunt.hcl',
        'dangerfile.js', 'Dangerfile.ts', 'cdktf.json', 'process-compose.dev.yaml', 'goreleaser.yaml', 'helmfile.d/a.yaml'],
      'configures the web server': ['public/.htaccess', 'web.config'],
      'runs when a shell or a program starts': ['.bashrc', 'home/.zshrc', '.profile', 'src/.bashrc', 'lib/sitecustomize.py', '.bash_aliases', '.gdbinit', 'renv/activate.R', 'gunicorn.conf.py', 'Docs.url', 'x.library-ms', 'src/user.clj', 'resources/data_readers.cljc'],
      'runs when a machine or a desktop starts': ['deploy/app.service', 'app.desktop'],
      'is run by your editor': ['.vscode/settings.json', '.vscode/tasks.json', '.idea/workspace.xml', 'a.code-workspace', '.vimrc', '.exrc', '.run/a.run.xml', 'a/.dir-locals.el', '.VSCODE/tasks.json', 'Session.vim', 'hie.yaml'],
      'sets the versions of tools, or where they come from': ['rokit.toml', 'mise.toml', 'mise/config.toml', '.mise.toml', '.mise/tasks/x', '.node-version', '.python-version', 'api/.ruby-version', '.php-version', 'project/build.properties', 'mise-tasks/lint', 'mise/tasks/lint', '.java-version', '.bun-version'],
      'runs when a development container starts': ['.devcontainer/devcontainer.json', '.devcontainer.json', '.gitpod.yml'],
      'decides what npm installs and runs': ['package.json', 'packages/a/package.json', 'src/package.json', 'PACKAGE.JSON', 'pac\u212aage.json', 'package.j\u017fon', 'package.yaml'],
      'runs on npm install': ['binding.gyp'],
      'decides what is installed, and from where': [
        'package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb', 'deno.lock', 'Cargo.lock', 'Gemfile.lock', 'poetry.lock',
        'composer.lock', 'uv.lock', 'go.sum', '.npmrc', '.yarnrc', '.yarnrc.yml', 'pnpm-workspace.yaml', 'bunfig.toml', 'deno.json', 'deno.jsonc', 'pylock.toml', 'pylock.dev.toml', 'subprojects/zlib.wrap', 'pubspec_overrides.yaml', 'npins/sources.json', 'Manifest-v1.12.toml'],
      'runs on install': ['.pnpmfile.cjs', '.yarn/releases/yarn.cjs', '.pnp.cjs', '.pnp.loader.mjs'],
      'is installed code that commands run': ['src/__pycache__/a.cpython-314.pyc', 'node_modules/typescript/bin/tsc', 'a/node_modules/.bin/tsc', '.venv/bin/python', 'venv/bin/activate', 'venv/Scripts/activate', 'x/site-packages/a.py', 'vendor/autoload.php', 'x.egg-info/entry_points.txt', 'src/x-1.0.dist-info/METADATA'],
      'changes installed code': ['patches/left-pad+1.3.0.patch', 'web/patches/@acme__ui.patch'],
      'runs on install or build (Python)': [
        'setup.py', 'setup.cfg', 'pyproject.toml', 'tox.ini', 'noxfile.py', 'requirements.txt', 'requirements-dev.txt', 'dev-requirements.txt',
        'requirements/base.txt', 'docs/requirements.txt', 'Pipfile', 'environment.yml', 'site_scons/site_init.py', 'tox.toml', 'toxfile.py', 'pdm_build.py', 'SConstruct.py'],
      'runs on build (Rust)': ['Cargo.toml', 'build.rs', 'rust-analyzer.toml', 'crates/a/build.rs', '.cargo/config.toml', 'rustfmt.toml', 'src-tauri/Tauri.toml'],
      'decides what the Go tools load and run': ['go.mod', 'go.work', '.golangci.yml', 'magefiles/a.go'],
      'runs on build (JVM)': ['build.gradle', 'settings.gradle.kts', 'gradlew', 'pom.xml', 'gradle/wrapper/gradle-wrapper.properties', 'build.sbt', 'mvnw', 'buildSrc/src/main/kotlin/x.kt', 'project/Dependencies.scala', 'app/package.mill', 'gradle/plugins/src/x.kt', 'tests.edn'],
      'runs on build (.NET)': ['a.csproj', 'src/App/App.csproj', 'Directory.Build.props', 'Directory.Build.targets', 'a.sln', 'global.json', 'a.csproj.user', 'build.cake', 'Properties/launchSettings.json', 'dirs.proj', 'a.wixproj', 'shared.projitems'],
      'runs on install or build (PHP)': ['composer.json', 'phpunit.xml.dist', 'phpstan.neon', 'rector.php', 'behat.yml.dist', 'behat.dist.php', 'grumphp.yml', 'box.json.dist'],
      'runs on install or build (Ruby)': ['Gemfile', 'Rakefile', 'lib/tasks/a.rake', 'rakelib/a.rb', 'rakelib/a.rake', 'Thorfile', 'a.gemspec', '.rubocop.yml', 'Podfile', 'gemfiles/rails7.gemfile', 'rakefile.rb', 'gems.locked'],
      'runs on build': [
        'Makefile', 'makefile', 'GNUmakefile', 'rescript.json', 'rules.mk', 'justfile', 'Taskfile.yml', 'CMakeLists.txt', 'src/CMakeLists.txt', 'cmake/a.cmake', 'meson.build',
        'BUILD.bazel', 'REPO.bazel', 'WORKSPACE', 'WORKSPACE.bzlmod', 'defs.bzl', 'mix.exs', 'rebar.config.script', 'Package.swift', 'pubspec.yaml', 'flake.nix', 'build.zig', 'Makefile.am', 'configure',
        'Package@swift-5.9.swift', 'tools/bazel', 'Snakefile', 'workflow/Snakefile', 'dvc.yaml', 'PKGBUILD', 'debian/rules', 'src/Makevars', 'Tuist/Config.swift', 'src/a.nims', 'src/a.nim.cfg', 'BUILD.gn', 'common.gypi', 'm4/a.m4', 'config.guess', 'Jamroot.jam',
        'hook/build.dart', 'dart_test.yaml', 'src/a.app.src.script', 'platformio.ini', 'rpm/a.spec', 'debian/postinst', 'debian/a.prerm', 'a-1.0-1.rockspec', 'deps/build.jl',
        'rules/a.smk', 'a.asd', 'build.hxml', '_tags', 'a.gpr', 'alire.toml', 'lakefile.lean', 'esy.json', 'a.opam', 'opam', 'DESCRIPTION', 'devenv.local.nix', 'devenv.yaml', 'cleanup.win', 'Kconfig', 'lib/Kconfig.debug', 'cmake/a.cmake.in', 'CMakeLists.txt.in', 'Eldev', 'maskfile.md', 'a.uproject', 'meta/a.bbclass'],
      'runs when the documentation is built': ['mkdocs.yml', 'book.toml', 'docs/_quarto.yml', 'Doxyfile', '_plugins/a.rb', 'pelicanconf.py', 'sphinx/conf.py', '_config.yml'],
      'the test runner executes it': ['conftest.py', 'tests/conftest.py', 'features/environment.py', 'spec/support/jasmine.mjs', 'nf-test.config'],
      'the test runner takes its settings from it': ['pytest.ini', 'pytest.toml', 'test/mocha.opts', 'codeception.dist.yml', 'phpspec.yml.dist', 'cypress.json', 'spec/support/jasmine.json'],
      'configures a linter, formatter or type checker': [
        'tsconfig.json', 'tsconfig.build.json', 'packages/a/tsconfig.json', 'jsconfig.json', 'biome.json', 'biome.jsonc', 'mypy.ini', 'ruff.toml',
        '.flake8', '.eslintignore', '.clang-tidy', 'pylintrc.toml', 'cspell.json', 'cSpell.json', 'cspell.config.yaml', 'redocly.yaml', 'treefmt.toml', 'cmake-format.py', 'prospector.yml', 'ct.yaml', 'config/brakeman.yml'],
      'the tools of the project execute it': [
        'eslint.config.js', 'packages/a/eslint.config.mjs', '.eslintrc.cjs', '.prettierrc.mjs', 'prettier.config.js', 'vite.config.ts',
        'src/vite.config.ts', 'vitest.config.mts', 'vitest.workspace.ts', 'jest.config.js', 'jest.config.e2e.ts', 'jest.setup.ts', 'babel.config.js', 'webpack.config.js',
        'webpack.prod.js', 'rollup.config.mjs', 'rolldown.config.ts', 'next.config.mjs', 'nuxt.config.ts', 'svelte.config.js', 'astro.config.mjs', 'tailwind.config.ts', 'postcss.config.cjs',
        'playwright.config.ts', 'cypress.config.ts', 'karma.conf.js', 'gulpfile.js', 'Gruntfile.js', '.storybook/main.ts',
        'tsup.config.ts', 'drizzle.config.ts', '.vitepress/config.mts', 'docs/.vitepress/config.ts', '.vitepress/config/index.ts', 'docs/conf.py', 'docs/source/conf.py', 'docs/en/conf.py', 'doc/conf.py', 'vite.config.base.ts', 'metro.config.js', 'wdio.conf.ts',
        'gulpfile.js/index.js', 'gulpfile.ts/tasks/build.ts', 'config-overrides.js', 'knexfile.ts', 'src/knexfile.js', 'eslint-local-rules.cjs', 'eslint-local-rules/no-foo.js',
        'cucumber.js', '.cucumber.js', 'ormconfig.ts', 'packages/api/codegen.ts', 'serverless.js', 'truffle-config.js', 'lighthouserc.js', 'knip.ts', 'packages/a/knip.js', 'vercel.ts', 'typedoc.cjs', 'tooling/eslint/base.ts'],
      'the tools of the project take their settings from it': [
        '.eslintrc', '.eslintrc.json', '.prettierrc', '.babelrc', 'angular.json', 'nx.json', 'turbo.json', '.swcrc', '.mocharc.yml', 'project.json', 'packages/a/project.json', 'packages/app/project.json', 'src/data/project.json', 'common/config/rush/command-line.json', 'codegen.yml', 'cucumber.yaml',
        '.PrettierRC', 'jest.config.json', '.prettierrc.toml', 'tooling/typescript/base.json'],
      'configures a tool of the project': ['app.config.ts', 'packages/a/some-tool.config.js', 'unknown.config.json', 'apps/web/i18n.config.ts'],
      'is hidden, as the settings of tools are': ['.unknownrc', '.unknownrc.yaml', 'src/.unknown', '.newagent/rules/always.md', '.newagent/notes/README.txt', '.tool.json', 'packages/a/.tool/x.ts', '.changeset/changelog.js', '.mergify/config.yml', 'packages/a/.config/x'],
      'is a script that tools and people run': ['deploy.sh', 'scripts/build.bash', 'install.ps1', 'run.bat', 'run.CMD', 'run.jse', 'run.nu'],
    }).flatMap(([why, paths]) => paths.map(path => [path, why] as const)),
    // biome-ignore format: above, one path a line would be ten screens
  )('asks about %s: %s', (path, why) => {
    expect(sensitivity(path)).toBe(why)
  })

  it.each([
    ['--checkpoint-action=exec=sh x', '-'],
    ['-rf', '-'],
    ['-x/a.ts', '-'],
    ['src/--help.ts', '-'],
    ['@flags.c', '@'],
    ["+call system('id')", '+'],
  ])('finds that %s looks like an option', (path, sign) =>
    expect(sensitivity(path)).toBe(`its name begins with ${sign}, so commands that get * take it for an option`),
  )

  it.each(['$(touch x).ts', 'src/a;b.ts', 'src/`id`/a.ts', 'a && b'])('finds that a shell may run a part of %s', path =>
    expect(sensitivity(path)).toMatch(/with which a shell begins another command$/),
  )

  it.each(['src/$id.ts', 'src/(app)/$.tsx', 'docs/R&D.md'])('takes %s for a name', path => {
    expect(sensitivity(path)).toBeUndefined()
  })

  it.each([
    'src/routes/posts/-components/list.tsx',
    'src/a--b.ts',
    'a-/b.ts',
    '@types/a.d.ts',
    'src/@a.ts',
    'app/+page.ts',
  ])('takes %s for a name', path => {
    expect(sensitivity(path)).toBeUndefined()
  })

  it.each(['webpack.mix.js', 'artisan', 'config.ru'])('knows %s', path => {
    expect(sensitivity(path)).toBe('the tools of the project execute it')
  })

  it('has no row that a plain word could not explain', () => {
    for (const { why } of SENSITIVE) expect(why).toMatch(/^[a-z].*[^.]$/)
  })

  it('judges ten thousand paths in a moment', () => {
    const found = Array.from({ length: 10_000 }, (_, at) => sensitivity(`src/f${at % 100}/file${at}.ts`))
    expect(found.every(why => why === undefined)).toBe(true)
  })

  it('finds what a library for globs finds with the patterns of the table', () => {
    const patterns = SENSITIVE.filter(row => row.unless === undefined)
      .flatMap(({ files }) => files.split(/\s+/))
      .filter(pattern => /[*{]/.test(pattern))
    const missed = patterns.flatMap(pattern => {
      const folder = pattern.endsWith('/')
      const matches = picomatch(pattern, { dot: true, nocase: true })
      return (
        ['', 'x', '.x', 'a.b-c', 'js', 'deep.test.ts']
          .flatMap(text => expansions(pattern.replace(/\/$/, '').replaceAll('*', text)))
          .filter(name => folder || matches(name))
          // Prose about a file is none; no patch may have a name that ends in a dot.
          .filter(name => !/\.(?:md|mdx|markdown|rst|adoc|txt|html?|svg|css|scss|snap|example|sample)?$/.test(name))
          .flatMap(name => (folder ? [`${name}/a`] : [name, `some/${name}`, name.toUpperCase()]))
          .filter(path => sensitivity(path) === undefined)
      )
    })
    expect(patterns.length).toBeGreaterThan(50)
    expect(missed).toEqual([])
  })
})

/** Each of the names that braces stand for. */
function expansions(pattern: string): readonly string[] {
  const [whole, inside] = /\{([^{}]*)\}/.exec(pattern) ?? []
  if (whole === undefined || inside === undefined) return [pattern]
  return inside.split(',').flatMap(part => expansions(pattern.replace(whole, () => part)))
}
