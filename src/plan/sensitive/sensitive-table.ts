/** Said of a file that tells agents what to do, and runs nothing by itself where it is only prose. */
export const INSTRUCTS = 'instructs AI agents that work in this project'

/** Said of a package.json where nothing more is known: of one that can be read, what changed in it is. */
export const OF_PACKAGES = 'decides what npm installs and runs'

/** One reason, and the files that it holds for. */
export interface SensitiveRow {
  /** Said of the file, for the user: `runs on npm install`. */
  readonly why: string
  /**
   * Separated by blanks: `name` in any folder, `*` and `{a,b}` in a name, `folder/` with all that is in it,
   * `folder/name` at the end of a path. Case does not count. The longest plain text of a glob should be rare: it tells the
   * paths on which the glob is tried.
   */
  readonly files: string
  /**
   * Where the names are wide, what they do not mean: files that are code by their ending (globs only), files that lie
   * among an app's own code, or pages of the documentation, whose names are not in capitals.
   */
  readonly unless?: 'source-file' | 'source-folder' | 'page'
}

/**
 * Every file that makes commands run or opens doors, with the reason in the user's words. Folders are asked first, then whole names,
 * then globs, each from the top. What is hidden is asked about anyway: of such names only those are here of which people
 * want to be told more, or whose content is a secret.
 *
 * What must not be here is as important: an ordinary source file, a test, a document, an app's own settings. They are
 * what patches are made of, and a question about each of them would teach people to say yes unread.
 *
 * Scripts (`deploy.sh`) are here. A patch never makes a file executable, but one that is keeps that, package scripts,
 * pipelines and people call them by name and with all their rights, and no linter of the project's vouches for them.
 * Those that have no ending (`bin/tool`) are told by their mode, in `doubts.ts`.
 */
export const SENSITIVE: readonly SensitiveRow[] = [
  // ── relay itself, and what other assistants obey ──
  { why: 'decides which commands relay runs', files: 'relaycode.config.json' },
  {
    why: INSTRUCTS,
    files: `AGENTS.override.md CLAUDE.local.md CRUSH.local.md copilot-instructions.md .cursorrules .windsurfrules .clinerules
      .clinerules/ .roorules .cursor/ .windsurf/ .roo/ .kilocode/ .continue/ .junie/ .augment/ .trae/ .amazonq/ .kiro/
      .agents/ *.mdc *.instructions.md *.chatmode.md *.agent.md *.prompt.md`,
  },
  {
    why: INSTRUCTS,
    files: 'AGENT.md AGENTS.md CLAUDE.md GEMINI.md QWEN.md CRUSH.md WARP.md CODEBUDDY.md IFLOW.md SKILL.md replit.md',
    unless: 'page',
  },
  {
    why: 'decides what AI agents may run',
    files: `.claude/ .claude-plugin/ .codex/ .gemini/ .qwen/ .opencode/ .copilot/ .roomodes .aider* .mcp/ .mcp.json
      mcp.json mcp_config.json opencode.json opencode.jsonc crush.json gemini-extension.json qwen-extension.json
      hooks/hooks.json
      .{ai,aider,augment,cline,codeium,continue,cursor,gemini,kilocode,qwen,roo}ignore claude_desktop_config.json`,
  },

  // ── secrets and identities ──
  { why: 'runs when you enter the folder', files: '.envrc .envrc.* .autoenv .autoenv.* .shadowenv.d/ .flox/' },
  { why: 'holds secrets', files: '.env* *.env', unless: 'source-file' },
  {
    why: 'holds keys or passwords',
    files: `*.pem *.key *.p12 *.pfx *.p8 *.jks *.keystore *.ppk *.kdbx *.gpg *.asc id_rsa id_dsa id_ecdsa id_ed25519
      id_{rsa,dsa,ecdsa,ed25519}{.,_,-}* .netrc _netrc .pgpass .my.cnf .htpasswd .git-credentials .vault-token
      .dev.vars .dev.vars.* .dockercfg .dockerconfigjson credentials credentials.json credentials.toml
      client_secret*.json service-account*.json service_account*.json secrets.json secrets.yml secrets.yaml
      secrets.toml .secrets .secrets.* *.tfvars *.tfvars.json *.tfstate credentials.yml.enc credentials.tfrc.json
      kubeconfig local.settings.json .pypirc .s3cfg`,
  },
  {
    why: 'opens access to machines or accounts',
    files: `.ssh/ .gnupg/ .aws/ .azure/ .gcloud/ .kube/ .docker/ authorized_keys known_hosts ssh_config sshd_config
      .rhosts .shosts .sops.yaml .sops.yml .git-crypt/ .gitsecret/`,
  },

  // ── git, and what runs by git ──
  { why: 'runs on git commit', files: '.pre-commit-config.yaml .pre-commit-config.yml prek.toml hk.pkl' },
  {
    why: 'runs on git commit or git push',
    files: `.husky/ .huskyrc .huskyrc.* .githooks/ .git-hooks/ .hooks/ githooks/ git-hooks/ .lefthook/
      .lefthook-local/ {,.}lefthook{,-local}.{yml,yaml,json,jsonc,toml} .lintstagedrc .lintstagedrc.*
      lint-staged.config.* {,.}simple-git-hooks.* .overcommit.yml commitlint.config.* cz.toml cz.yaml cog.toml
      nano-staged.*`,
  },
  {
    why: 'has the name of a git hook',
    files: `pre-commit prepare-commit-msg commit-msg post-commit pre-merge-commit pre-push pre-rebase post-checkout
      post-merge post-rewrite pre-receive post-receive post-update pre-applypatch post-applypatch applypatch-msg
      push-to-checkout pre-auto-gc sendemail-validate fsmonitor-watchman reference-transaction proc-receive
      post-index-change`,
  },
  { why: 'makes git take its folder for a repository', files: 'HEAD' },
  {
    why: 'tells git which programs to run or where to get code from',
    files: '.gitattributes .gitmodules .gitconfig gitconfig',
  },

  // ── pipelines and hosts ──
  {
    why: 'runs on git push',
    files: `.github/ .gitlab/ .gitlab-ci.yml .gitlab-ci.yaml *.gitlab-ci.yml .gitea/ .forgejo/ .circleci/ .buildkite/
      .drone.yml .woodpecker.yml .woodpecker.yaml .woodpecker/ .cirrus.yml .semaphore/ .teamcity/ Jenkinsfile
      Jenkinsfile.* azure-pipelines.yaml azure-pipelines*.yml azure-pipelines/ .travis.yml appveyor.yml
      bitbucket-pipelines.yml cloudbuild*.yaml cloudbuild*.yml cloudbuild.json buildspec*.yml buildspec*.yaml
      codemagic.yaml wercker.yml screwdriver.yaml codeship-steps.yml codefresh.yml atlantis.yaml bitrise.yml
      action.yml action.yaml dagger.json bamboo-specs/ qodana.yaml qodana.yml jitpack.yml *.jenkinsfile zuul.yaml zuul.d/ buddy.yml`,
  },
  { why: 'decides who reviews changes', files: 'CODEOWNERS OWNERS' },
  { why: 'decides what is merged', files: 'bors.toml' },
  {
    why: 'runs on release or deployment',
    files: `Dockerfile Containerfile *.Dockerfile Dockerfile.* Dockerfile-* Containerfile.* compose.yaml compose.yml
      compose.*.yaml compose.*.yml docker-compose*.yml docker-compose*.yaml docker-bake.hcl docker-bake.json
      Vagrantfile Earthfile Tiltfile skaffold.yaml Procfile Procfile.* netlify.toml vercel.json wrangler.toml
      wrangler.json wrangler.jsonc eas.json fly.toml render.yaml railway.json railway.toml nixpacks.toml app.yaml.tmpl
      serverless.yml serverless.yaml serverless.json firebase.json amplify.yml samconfig.toml fastlane/ Fastfile
      Capfile Dangerfile Dangerfile.js Dangerfile.ts heroku.yml Aptfile ansible.cfg supervisord.conf cdk.json
      cdktf.json Pulumi.yaml helmfile.yaml helmfile.yml *.yaml.gotmpl helmfile.d/ appspec.yml appspec.yaml terragrunt.hcl
      goreleaser.yml goreleaser.yaml jreleaser.yml snapcraft.yaml nfpm.yaml devspace.yaml garden.yml cog.yaml
      process-compose*.yml process-compose*.yaml mprocs.yaml modd.conf railpack.json apphosting.yaml uwsgi.ini
      config/deploy.rb kitchen.yml Policyfile.rb pm2.json`,
    unless: 'source-file',
  },
  { why: 'configures the web server', files: '.htaccess web.config php.ini Caddyfile' },

  // ── the machine, the shell, the editor ──
  {
    why: 'runs when a shell or a program starts',
    files: `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin
      .zlogout .gdbinit .lldbinit .Rprofile .pryrc .irbrc renv/activate.R packrat/init.R latexmkrc sitecustomize.py usercustomize.py
      *.pth desktop.ini autorun.inf *.lnk *.url *.hta *.scf *.library-ms *.searchconnector-ms crontab gunicorn.conf.py
      ipython_config.py jupyter_*_config.py {src,clj,dev,test}/user.{clj,cljc}
      data_readers.{clj,cljc}`,
  },
  {
    why: 'runs when a machine or a desktop starts',
    files: '*.desktop *.service *.timer LaunchAgents/ LaunchDaemons/',
    unless: 'source-folder',
  },
  {
    why: 'is run by your editor',
    files: `.vscode/ .idea/ .vs/ .fleet/ .zed/ .helix/ .nvim/ .run/ *.code-workspace *.sublime-project .vimrc .exrc
      .nvimrc .lvimrc _vimrc _exrc .nvim.lua .nvimrc.lua .dir-locals.el .dir-locals-2.el Session.vim *.iml *.ipr
      *.iws *.sublime-build nbproject/ hie.yaml wallaby.js omnisharp.json project.godot *.run.xml
      rust-project.json`,
  },
  {
    why: 'runs when a development container starts',
    files:
      '.devcontainer/ .devcontainer.json devcontainer.json .gitpod.yml .gitpod.yaml .replit replit.nix devbox.json devfile.yaml conductor.json',
  },
  {
    why: 'sets the versions of tools, or where they come from',
    files: `mise.toml .mise.toml mise.*.toml .mise.*.toml .mise/ mise/config.toml mise/config.*.toml mise/tasks/
      mise-tasks/ .tool-versions .*-version rust-toolchain rust-toolchain.toml aqua.yaml Brewfile Mintfile
      {rokit,foreman,aftman}.toml .nvmrc pkgx.yaml project/build.properties bin/hermit.hcl
      gradle/gradle-daemon-jvm.properties lean-toolchain`,
  },

  // ── packages: JavaScript ──
  { why: OF_PACKAGES, files: 'package.json package.json5 package.yaml' },
  { why: 'runs on npm install', files: 'binding.gyp' },
  {
    why: 'decides what is installed, and from where',
    files: `package-lock.json npm-shrinkwrap.json pnpm-lock.yaml *.lock *.lockb .npmrc .yarnrc .yarnrc.yml
      pnpm-workspace.yaml pnpm-workspace.yml bunfig.toml deno.json deno.jsonc import_map.json jsr.json bower.json
      bpm.json packages.config nuget.config Package.resolved gradle.lockfile go.sum go.work.sum *.lock.json
      pubspec_overrides.yaml JuliaManifest.toml Manifest-v*.toml Artifacts.toml guix.scm manifest.scm channels.scm
      {nix,npins}/sources.json Packages/manifest.json openapitools.json conda-lock.yml pylock.toml pylock.*.toml paket.dependencies *.wrap poetry.toml cpanfile.snapshot renovate.json
      vcpkg-configuration.json west.yml idf_component.yml shard.override.yml lake-manifest.json fpm.toml
      gradle/verification-metadata.xml ivysettings.xml qlfile requirements.yml DEPS
      renovate.json5 pip.conf pip.ini`,
  },
  { why: 'runs on install', files: '.pnpmfile.* pnpmfile.* .yarn/ .pnp.* yarn.config.*' },
  {
    why: 'is installed code that commands run',
    files: `node_modules/ .venv/ venv/bin/ venv/Scripts/ pyvenv.cfg site-packages/ __pypackages__/ .bin/ bower_components/
      __pycache__/ *.egg-info/* *.dist-info/* vendor/autoload.php vendor/composer/ vendor/bin/`,
  },
  { why: 'changes installed code', files: 'patches/*.patch' },

  // ── packages and builds: the other ecosystems ──
  {
    why: 'runs on install or build (Python)',
    files: `setup.py setup.cfg pyproject.toml hatch.toml hatch_build.py Pipfile requirements*.txt *requirements.txt
      *requirements.in requirements*.in requirements/*.txt requirements/*.in constraints*.txt uv.toml pdm.toml
      pixi.toml environment.yml environment.yaml pdm_build.py versioneer.py MANIFEST.in noxfile.py tox.ini tox.toml toxfile.py fabfile.py dodo.py
      pavement.py buildout.cfg SConstruct SConscript {SConstruct,SConscript}.py site_scons/ wscript wscript_build`,
  },
  {
    why: 'runs on build (Rust)',
    files: `Cargo.toml build.rs xtask/ .cargo/ Cross.toml clippy.toml rustfmt.toml deny.toml nextest.toml
      rust-analyzer.toml Trunk.toml Tauri.toml tauri.conf.json5 release.toml dylint.toml`,
  },
  {
    why: 'decides what the Go tools load and run',
    files: 'go.mod go.work go.env .golangci.* magefile.go magefiles/ air.toml staticcheck.conf revive.toml',
  },
  {
    why: 'runs on build (JVM)',
    files: `*.gradle *.gradle.kts gradlew gradle.properties gradle-wrapper.* local.properties *.versions.toml
      buildSrc/ build-logic/ gradle/wrapper/* pom.xml .mvn/ mvnw build.xml ivy.xml *.sbt build.mill build.mill.scala
      *.mill *.mill.yaml *.gradle.dcl buildLogic/ build-conventions/ convention-plugins/ gradle/plugins/ *.bnd build.sc deps.edn project.clj
      profiles.clj build.clj build.boot tests.edn nbb.edn shadow-cljs.edn bb.edn detekt.yml checkstyle.xml lombok.config`,
  },
  {
    why: 'runs on build (.NET)',
    files: `*.*proj *proj.user *.projitems *.pubxml *.cake build.fsx
      launchSettings.json *.props *.targets *.sln *.slnx *.rsp *.ruleset *.globalconfig global.json dotnet-tools.json
      *.runsettings *.tt`,
  },
  {
    why: 'runs on install or build (PHP)',
    files: `composer.json phpunit.xml phpunit.xml.dist phpunit.dist.xml phpstan.neon.dist *.neon psalm.xml
      psalm.xml.dist phpcs.xml phpcs.xml.dist RoboFile.php castor.php phpbench.json rector.php ecs.php infection.json
      infection.json5 {infection.json,infection.json5,phpbench.json,box.json,phpmd.xml}.dist pint.json box.json captainhook.json
      {grumphp,behat}{,.dist}.{yml,yaml,php} {grumphp,behat}.{yml,yaml}.dist phpmd.xml kahlan-config.php
      monorepo-builder.php wp-cli.yml scoper.inc.php phparkitect.php phpinsights.php config/insights.php`,
  },
  {
    why: 'runs on install or build (Ruby)',
    files: `Gemfile Gemfile.* *.gemfile gems.rb gems.locked *.gemspec Rakefile Rakefile.rb *.rake rakelib/*.rb
      Thorfile *.thor Appraisals Guardfile .rubocop.yml Berksfile Puppetfile Steepfile Podfile *.podspec Cartfile Cartfile.private`,
  },
  {
    why: 'runs on build',
    files: `Makefile GNUmakefile BSDmakefile mkfile Makevars Makevars.* Kbuild Kconfig Kconfig.* makefile.* *.mk *.mak justfile *.just
      Taskfile.yml Taskfile.yaml Taskfile.*.yml Taskfile.*.yaml CMakeLists.txt *.cmake {CMakeLists.txt,*.cmake}.in CMakePresets.json
      CMakeUserPresets.json CMakeSettings.json meson.build meson_options.txt meson.options configure configure.ac
      configure.in {configure,cleanup}.{win,ucrt} config.guess config.sub install.libs.R acinclude.m4 aclocal.m4 m4/*.m4
      Jamfile Jamfile.v2 Jamroot *.jam *.gn *.gni *.gyp *.gypi *.qbs *.ninja platformio.ini conanfile.py conanfile.txt vcpkg.json compile_commands.json compile_flags.txt BUILD WORKSPACE
      WORKSPACE.bzlmod *.bazel *.bzl *.bazelrc BUCK BUCK.v2 TARGETS pants.toml pants.*.toml moon.yml moon.pkl build.zig build.zig.zon
      Package.swift *.xcconfig *.pbxproj *.xcscheme project.yml.tmpl pubspec.yaml pubspec.yml melos.yaml Tuist/
      Tuist.swift sqlc.yaml sqlc.yml nextflow.config bacon.toml analysis_options.yaml build.yaml dart_test.yaml hook/build.dart hook/link.dart flutter_test_config.dart mix.exs rebar.config
      *.app.src.script Emakefile rebar.config.script rebar3.config stack.yaml *.cabal cabal.project cabal.project.* Setup.hs Setup.lhs dune
      dune-project dune-workspace dune.inc *.opam *.opam.template myocamlbuild.ml _oasis _tags opam esy.json Shakefile.hs Makefile.PL Build.PL cpanfile dist.ini *.nimble nim.cfg *.nim.cfg *.nims flake.nix default.nix
      shell.nix devenv{,.local}.{nix,yaml} elm.json spago.yaml spago.dhall rescript.json bsconfig.json shard.yml
      Project.toml JuliaProject.toml Manifest.toml deps/build.jl foundry.toml remappings.txt Anchor.toml Nargo.toml Scarb.toml *.pro *.pri xmake.lua
      premake5.lua premake4.lua tup.config Tupfile Tupfile.lua Tuprules.tup *.rockspec dub.json dub.sdl gleam.toml v.mod tools/bazel Snakefile *.smk dvc.yaml
      lakefile.lean lakefile.toml *.asd *.ipkg *.hxml alire.toml *.gpr *.lpi *.lpk dfx.json wails.json build.lua
      Cask Eask Eldev maskfile.md Android.bp PRESUBMIT.py *.uproject *.uplugin DESCRIPTION PKGBUILD
      APKBUILD dkms.conf *.ebuild *.SlackBuild *.bb *.bbappend *.bbclass *.spec debian/rules debian/{,*.}{preinst,postinst,prerm,postrm}`,
    unless: 'source-file',
  },
  { why: 'runs on build (JVM)', files: 'project/*.scala', unless: 'source-folder' },
  // Its ending is one of sources.
  { why: 'runs on build', files: 'Package@swift-*.swift' },
  {
    why: 'runs when the documentation is built',
    files: `mkdocs.yml mkdocs.yaml zensical.toml properdocs.yml book.toml _quarto.yml _quarto.yaml _bookdown.yml pelicanconf.py
      publishconf.py _plugins/*.rb antora-playbook.yml Doxyfile Doxyfile.* _config.{yml,yaml}
      {documentation,sphinx}/conf.py {documentation,sphinx}/*/conf.py`,
  },

  // ── what the checks run ──
  {
    why: 'the test runner executes it',
    files: `nf-test.config conftest.py features/environment.py spec/support/jasmine.{json,js,mjs} jest-e2e.json pytest.ini
      pytest.toml mocha.opts {phpspec,codecept,codeception}{,.dist}.yml {phpspec,codeception}.yml.dist cypress.json nightwatch.json testem.js`,
  },
  {
    why: 'configures a linter, formatter or type checker',
    files: `tsconfig.json tsconfig.*.json tsconfig-*.json jsconfig.json jsconfig.*.json .eslintignore
      biome.json biome.jsonc rome.json dprint.json dprint.jsonc oxlint.json tslint.json knip.json knip.jsonc cspell.{json,jsonc,yaml,yml,toml} cspell.config.* mypy.ini
      ruff.toml .flake8 pylintrc pylintrc.toml pyrightconfig.json pyrefly.toml ty.toml .clang-tidy .clang-format
      selene.toml stylua.toml treefmt.toml redocly.{yaml,yml} prospector.{yaml,yml} pylama.ini
      cmake-format.{py,json,yaml} ct.yaml config/brakeman.yml config/i18n-tasks.yml buf.yaml buf.gen.yaml .stylelintignore deptrac.yaml`,
  },
  {
    why: 'the tools of the project execute it',
    files: `{vite,vitest,jest,eslint,prettier,stylelint,babel,webpack,rollup,rolldown,rspack,rsbuild,rslib,esbuild,parcel,tsup,tsdown,unbuild}{.,-}config.*
      {next,nuxt,svelte,astro,remix,react-router,gatsby,vue,quasar,qwik,docusaurus,metro,nitro,wxt}.config.*
      {tailwind,postcss,uno,unocss,panda,windi,playwright,cypress,wdio,nightwatch,ava,karma,c8,nyc,testcafe,codecept}.config{.*,-*.*}
      {tailwind,postcss,uno,unocss,panda,windi,playwright,cypress,wdio,nightwatch,ava,karma,c8,nyc,testcafe,codecept}.conf{.*,-*.*}
      {oxlint,oxfmt,knip,drizzle,orval,kubb,openapi-ts,hardhat,truffle,craco,electron-builder,electron.vite,syncpack,taze,typedoc}.config.*
      webpack.{common,base,dev,development,prod,production,server,client}.* vite*.config.* vitest.workspace.*
      {jest,vitest}{.,-}setup.* {jest,vitest}{.,-}preset.* gatsby-{config,node,browser,ssr}.* gulpfile.* gulpfile
      gulpfile.js/ gulpfile.mjs/ gulpfile.ts/ config-overrides.js package-scripts.js knexfile.{js,cjs,mjs,ts} webpack.mix.js artisan
      config.ru Gruntfile.* Gruntfile Jakefile Jakefile.* Cakefile ember-cli-build.* plopfile.*
      *.conf.{cjs,mjs,cts,mts} *.config.{cjs,mjs,cts,mts} {truffle,migrate-mongo,brunch}-config.js
      {,.}lighthouserc.{js,cjs,json,yml,yaml} angular.json nest-cli.json lerna.json nx.json project.json turbo.json
      turbo.jsonc rush.json common/config/rush/ workspace.json nodemon.json typedoc.{json,jsonc,js,cjs,mjs} .storybook/
      tooling/{eslint,prettier,stylelint,tailwind,jest,vitest,vite,typescript,babel}/
      .vitepress/config.* .vitepress/config/ .vuepress/config.* ecosystem.config.* {doc,docs}/conf.py
      {doc,docs}/*/conf.py {eslint-config,config-eslint,eslint-rules}/*.{js,cjs,mjs,ts,mts,cts,json}
      eslint-local-rules.{js,cjs,mjs,ts} eslint-local-rules/ .babelrc .babelrc.* .swcrc .eslintrc .eslintrc.*
      .prettierrc .prettierrc.* .stylelintrc .stylelintrc.* .mocharc .mocharc.*
      electron-builder.{yml,yaml,json,json5,toml}`,
  },
  {
    why: 'the tools of the project execute it',
    files:
      '{,.}cucumber.{js,cjs,mjs,json,yaml,yml} ormconfig.{js,ts} codegen.{js,ts,yml,yaml} serverless.{js,ts} knip.{js,ts} vercel.{js,cjs,mjs,ts,mts}',
    unless: 'source-folder',
  },
  {
    why: 'configures a tool of the project',
    files: '*.config.{js,cjs,mjs,ts,mts,cts,json} *.conf.{js,cjs,mjs,ts,mts,cts,json}',
    unless: 'source-folder',
  },

  // ── scripts ──
  {
    why: 'is a script that tools and people run',
    files: `*.sh *.bash *.zsh *.fish *.ksh *.csh *.command *.ps1 *.psm1 *.psd1 *.bat *.cmd *.vbs *.vbe *.jse *.wsf *.wsc
      *.wsh *.sct *.reg *.nu *.xsh *.ahk *.au3 *.terminal *.settingcontent-ms *.scpt
      *.applescript`,
  },
]

/** What is said in place of a reason where the file is data. */
export const OF_DATA: ReadonlyMap<string, string> = new Map([
  ['the tools of the project execute it', 'the tools of the project take their settings from it'],
  ['the test runner executes it', 'the test runner takes its settings from it'],
])
