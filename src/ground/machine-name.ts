/** The name for people in the mark of a machine, without the hash behind it; empty where there is none. */
export function machineName(mark: string): string {
  return mark.slice(0, Math.max(0, mark.lastIndexOf('-')))
}
