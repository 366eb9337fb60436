/**
 * Leaves Ctrl+C to a program that has the terminal for a while: both get it, since it is in relay's process group, but
 * until released relay does not hear it.
 */
export function holdInterrupts(): () => void {
  const listeners = process.rawListeners('SIGINT') as (() => void)[]
  const ignore = () => undefined
  process.on('SIGINT', ignore)
  for (const listener of listeners) process.off('SIGINT', listener)
  return () => {
    for (const listener of listeners) process.on('SIGINT', listener)
    process.off('SIGINT', ignore)
  }
}
