import { amp } from './amp.ts'
import type { Backend } from './backend.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'

/** The supported agents, in the order in which people see them. */
export const backends = [claude, codex, gemini, opencode, copilot, amp] satisfies readonly Backend[]
