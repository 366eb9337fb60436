import type { AgentEvent } from '../../model/agent.ts'
import { textAt } from './json-fields.ts'

type Fields = Readonly<Record<string, unknown>>

/** The use of a tool, by the name and the input that a program tells. */
export function toolUse(name: string, input: Fields): AgentEvent {
  const [command, path] = [textAt(input, 'command'), pathIn(input)]
  return {
    ...{ kind: 'tool', name },
    ...(command === undefined ? {} : { command }),
    ...(path === undefined ? {} : { path }),
  }
}

/** A tool that was refused, in words. */
export function refusedTool(name: string | undefined, input: Fields): string {
  return [name, textAt(input, 'command') ?? pathIn(input)].filter(part => part !== undefined).join(': ')
}

function pathIn(input: Fields): string | undefined {
  return textAt(input, 'file_path') ?? textAt(input, 'filePath') ?? textAt(input, 'path')
}
