/** Whether a variable of the environment says anything: one that is empty counts as none. */
export function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== ''
}
