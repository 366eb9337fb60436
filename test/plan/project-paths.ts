/** Paths of real projects in many ecosystems that every patch may write. None of them is sensitive. */
export const ordinaryPaths: readonly string[] = [
  // web
  'src/main.ts', 'src/App.tsx', 'src/index.html', 'src/components/Button.tsx', 'src/components/Button.test.tsx',
  'src/components/__tests__/Button.spec.ts', 'src/components/Button.stories.tsx', 'src/components/Button.module.css',
  'src/hooks/useAuth.ts', 'src/hooks/pre-commit.ts', 'src/env.ts', 'src/env.d.ts', 'src/config.ts', 'src/config/index.ts',
  'src/config/database.config.ts', 'src/config/graphql.config.ts', 'src/config/prisma.config.ts',
  'src/app/app.config.ts', 'src/app/app.config.server.ts', 'src/app/user.service.ts', 'src/app/app.module.ts',
  'app/(marketing)/page.tsx', 'app/[slug]/page.tsx', 'app/[...slug]/page.tsx', 'app/[[...slug]]/page.tsx',
  'app/@modal/(.)photo/[id]/page.tsx', 'app/(..)(..)feed/page.tsx', 'app/api/auth/[...nextauth]/route.ts',
  'src/routes/+page.svelte', 'src/routes/+layout.server.ts', 'src/routes/[[lang=lang]]/+page.ts', 'src/routes/$id.tsx',
  'app/routes/posts.$postId_.edit.tsx', 'app/routes/_index.tsx', 'app/routes/__root.tsx', 'app/routes/files.$.tsx',
  'pages/_app.tsx', 'pages/_document.tsx', 'server/api/[id].get.ts', 'layouts/default.vue', 'middleware.ts',
  'src/lib/utils.ts', 'src/lib/keys.ts', 'src/secrets.ts', 'src/lib/token.ts', 'src/password.ts', 'src/vite-env.d.ts',
  'packages/@acme/ui/src/index.ts', 'public/robots.txt', 'public/manifest.json', 'src/styles/global.scss',
  'src/i18n/de.json', 'src/venv/manager.py', 'vendor/acme/lib.go', 'tools/bazel.md', 'locales/zh-Hant.json', 'src/assets/logo.svg', 'src/tailwind.css',
  'src/jest.mock.ts', 'src/webpack.test.ts', 'src/dockerfile-parser.ts', 'src/Dockerfile.ts', 'src/makefile.ts',
  'src/parser/package-json.ts', 'src/eslint/rules/no-foo.ts', 'src/github/client.ts', 'src/vscode/extension.ts',
  'test/setup.ts', 'test/fixtures/input.txt', 'e2e/login.spec.ts', 'cypress/e2e/login.cy.ts', 'bench/parse.bench.ts',
  'src/knip/knip.ts', 'src/user.spec.ts', 'src/hooks/hooks.ts', 'src/targets.ts', 'prisma/schema.prisma', 'prisma/migrations/20240101_init/migration.sql', 'schema.graphql', 'openapi.yaml',
  'bin/relay.js', 'scripts/build.mjs', 'tools/generate.py', 'src/codegen.ts', 'src/config/ormconfig.ts', 'lib/serverless.js',
  'test/cucumber.js', 'src/patches/apply.ts', 'patches/README.md', 'project/notes.properties', 'app/environment.py', 'src/rules',
  // documents
  'README.md', 'docs/docker.md', 'docs/env.md', 'docs/Makefile.md', 'docs/getting started.md', 'CHANGELOG.md', 'LICENSE',
  'CONTRIBUTING.md', 'docs/adr/0001-use-git.md', 'docs/package.json.md', 'docs/#1 intro!.md', 'notes/2024-01-01.org',
  'docs/api/Agent.md', 'doc/agent.md', 'docs/agents.md', 'content/blog/claude.md', 'docs/skill.md', '.github/PULL_REQUEST_TEMPLATE.md', '.github/ISSUE_TEMPLATE/bug.md', '.github/CONTRIBUTING.md',
  '.github/ISSUE_TEMPLATE/feature.yml', '.github/FUNDING.yml', 'test/fixtures/repo/.github/workflows/ci.yml',
  '.env.example', 'apps/web/.env.sample', '.env.template', '.changeset/brave-cats-jump.md', 'docs/.vitepress/theme/index.ts', 'app/.server/db.ts', 'app/.client/map.ts',
  'public/.well-known/security.txt', '.wordlist.txt', '.git-blame-ignore-revs', 'src/main/scala/com/acme/project/Task.scala',
  '.gitignore', '.gitkeep', 'docs/.nojekyll', '.mailmap', '.dockerignore',
  // other settings
  'config/app.yaml', 'config/routes.rb', 'config/database.yml', 'config/settings.toml', 'k8s/deployment.yaml',
  'helm/templates/_helpers.tpl', 'infra/main.tf', 'migrations/0001_initial.py', 'proto/user.proto', 'db/seeds.rb',
  // Python
  'app/main.py', 'app/__init__.py', 'app/settings.py', 'app/config.py', 'app/secrets.py', 'tests/test_main.py', 'app/id_map.py',
  'id_generator.py', 'src/pkg/py.typed', 'notebooks/explore.ipynb', 'manage.py', 'app/tasks.py', 'app/requirements.py',
  // Go, Rust, C
  'cmd/server/main.go', 'internal/auth/auth_test.go', 'pkg/git/git.go', 'src/main.rs', 'src/lib.rs', 'src/builder.rs',
  'crates/core/src/build/mod.rs', 'src/main.c', 'include/foo/bar.hpp', 'src/Cargo.rs', 'shaders/blur.wgsl',
  // JVM, .NET, Apple
  'src/main/java/com/acme/App.java', 'src/main/kotlin/App.kt', 'src/main/resources/application.yml', 'Program.cs',
  'appsettings.json', 'Views/Home/Index.cshtml', 'Sources/App/main.swift', 'App/Info.plist', 'App/ContentView.swift',
  // Ruby, PHP, Elixir, others
  'app/models/user.rb', 'spec/models/user_spec.rb', 'app/Http/Controllers/UserController.php', 'public/index.php',
  'resources/views/home.blade.php', 'lib/my_app/application.ex', 'config/runtime.ex', 'lib/main.dart', 'src/Main.elm', 'src/core.clj', 'src/app/user.clj',
  'app/src/Lib.hs', 'R/plot.R', 'src/main.zig', 'lua/plugin.lua', 'queries/highlights.scm',
  // names that only look odd
  'a', 'src/a..b.ts', 'src/~tilde/x.ts', 'src/C++/a+b.cc', "src/it's.ts", 'src/a&b.ts',
  'src/100%.css', 'src/a=b.ts', 'src/a,b.ts', 'src/{braces}.ts', 'src/^caret.ts', 'src/my file.ts',
  'src/console.ts', 'src/context.ts', 'src/auxiliary.ts', 'src/null.ts', 'src/command.ts', 'src/com10.ts', 'src/company1.ts',
  'src/gitignore.ts', 'src/git.ts', 'src/git/index.ts', 'src/relaycode/a.ts', 'src/cvs/cv.ts', 'src/svn.ts',
  // other alphabets and pictures
  'src/größe.ts', 'docs/日本語.md', 'docs/日本　語.md', 'docs/Ελλάδα.md', 'docs/русский.md', 'docs/עברית.md', 'docs/العربية.md',
  'docs/한국어.md', 'docs/हिन्दी.md', 'docs/🚀 launch.md', 'docs/❤️.md', 'docs/👩🏽‍💻.md', 'docs/1️⃣ first.md', 'src/cafe\u0301.ts',
] // biome-ignore format: one path a line would be ten screens
