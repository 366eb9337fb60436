import { annotations } from './annotations.ts'
import { bareSummary } from './bare-summary.ts'
import { biome } from './biome.ts'
import { eslint } from './eslint.ts'
import { oxlint } from './oxlint.ts'
import { ruff } from './ruff.ts'
import type { Tool } from './tool.ts'
import { tsc } from './tsc.ts'

/** Every tool that is understood. A line goes to the first that knows it: the more particular ones come first. */
export const tools: readonly Tool[] = [tsc, eslint, biome, oxlint, ruff, annotations, bareSummary]
