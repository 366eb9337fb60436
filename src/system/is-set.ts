/** An empty variable of the environment counts as none. */
export function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== ''
}
