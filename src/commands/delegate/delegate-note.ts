import type { System } from '../../ports.ts'
import type { DelegateOptions } from '../delegate.ts'

export async function delegateNote(_path: string, _options: DelegateOptions, _system: System): Promise<number> {
  return 2
}
