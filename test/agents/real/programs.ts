import { expect } from 'vitest'
import type { Backend } from '../../../src/agents/backends/backend.ts'
import { claude } from '../../../src/agents/backends/claude.ts'
import { codex } from '../../../src/agents/backends/codex.ts'
import { copilot } from '../../../src/agents/backends/copilot.ts'
import { gemini } from '../../../src/agents/backends/gemini.ts'
import { opencode } from '../../../src/agents/backends/opencode.ts'
import type { AgentUsage } from '../../../src/model/agent.ts'
import { type ToolCall, tokens } from './dialects.ts'
import { type Wide, wideClaude, wideCodex, wideCopilot, wideGemini, wideOpencode } from './wide.ts'

/** A program as npm installs it, and how it is made to speak with a model of ours. */
export interface RealProgram {
  readonly backend: Backend
  readonly package: string
  /** Packages that it needs to be installed with. */
  readonly besides?: readonly string[]
  /** Settings of a user's and of a project's that allow everything. */
  readonly wide: Wide
  /** Its words for its help, once for each command that relay uses. */
  readonly help: readonly (readonly string[])[]
  readonly model?: string
  /** What it tells of one request to the model. */
  readonly usage: AgentUsage
  /** The tools that it offers nevertheless when it is asked for a text alone. */
  readonly textTools: readonly string[]
  env(url: string): Readonly<Record<string, string>>
  /** Files below the home. */
  home?(url: string): Readonly<Record<string, string>>
  /** How its tools are called. */
  write(path: string, text: string): ToolCall
  run(command: string): ToolCall
}

const claudeProgram: Omit<RealProgram, 'package'> = {
  backend: claude,
  wide: wideClaude,
  help: [['--help']],
  usage: { ...tokens, cost: expect.any(Number) as number },
  textTools: [],
  // As root it refuses to do all, but in a container, which this says.
  env: url => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'key-to-nothing', IS_SANDBOX: '1' }),
  write: (path, text) => ({ name: 'Write', input: { file_path: path, content: text } }),
  run: command => ({ name: 'Bash', input: { command, description: 'runs a command' } }),
}

export const programs: readonly RealProgram[] = [
  // What npm takes for Node 20, and for 22 and newer.
  { ...claudeProgram, package: '@anthropic-ai/claude-code@2.1.197' },
  { ...claudeProgram, package: '@anthropic-ai/claude-code@2.1.332', besides: ['node@22'] },
  {
    backend: codex,
    wide: wideCodex,
    package: '@openai/codex',
    help: [['exec', '--help']],
    // One that it knows: the others get no patches.
    model: 'gpt-5.5',
    usage: tokens,
    textTools: ['request_user_input', 'apply_patch', 'view_image', 'tool_search'],
    env: () => ({ DUMMY_KEY: 'key-to-nothing' }),
    home: url => ({
      '.codex/config.toml': [
        'model_provider = "dummy"',
        '[model_providers.dummy]',
        'name = "dummy"',
        `base_url = "${url}/v1"`,
        'env_key = "DUMMY_KEY"',
        'wire_api = "responses"',
        'request_max_retries = 0',
        'stream_max_retries = 0',
        '',
      ].join('\n'),
    }),
    write: (path, text) => ({
      name: 'apply_patch',
      input: `*** Begin Patch\n*** Add File: ${path}\n+${text}\n*** End Patch\n`,
    }),
    run: command => ({ name: 'exec_command', input: { cmd: command } }),
  },
  {
    backend: gemini,
    wide: wideGemini,
    package: '@google/gemini-cli',
    help: [['--help']],
    model: 'gemini-2.5-pro',
    usage: tokens,
    textTools: [],
    env: url => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'key-to-nothing' }),
    home: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
      }),
    }),
    write: (path, text) => ({ name: 'write_file', input: { file_path: path, content: text } }),
    run: command => ({ name: 'run_shell_command', input: { command } }),
  },
  {
    backend: opencode,
    wide: wideOpencode,
    package: 'opencode-ai',
    help: [['run', '--help']],
    usage: { ...tokens, cost: 0 },
    textTools: [],
    env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    home: url => ({
      '.config/opencode/opencode.json': JSON.stringify({
        model: 'dummy/dummy-model',
        small_model: 'dummy/dummy-model',
        autoupdate: false,
        share: 'disabled',
        provider: {
          dummy: {
            npm: '@ai-sdk/openai-compatible',
            name: 'dummy',
            options: { baseURL: `${url}/v1`, apiKey: 'key-to-nothing' },
            models: { 'dummy-model': { name: 'dummy', limit: { context: 128_000, output: 8000 } } },
          },
        },
      }),
    }),
    write: (path, text) => ({ name: 'write', input: { filePath: path, content: text } }),
    run: command => ({ name: 'bash', input: { command, description: 'runs a command' } }),
  },
  {
    backend: copilot,
    wide: wideCopilot,
    package: '@github/copilot',
    help: [['--help']],
    model: 'dummy-model',
    usage: {},
    textTools: [],
    env: url => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'key-to-nothing',
      // It knows no such model, and counts what it sends.
      COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '1000000',
    }),
    write: (path, text) => ({ name: 'create', input: { path, file_text: text } }),
    run: command => ({ name: 'bash', input: { command, description: 'runs a command' } }),
  },
]
