const duties = new Set<() => void>()

/**
 * Does `duty` when the process ends, unless the function that it answers was called before. One listener serves all:
 * Node warns of more than ten.
 */
export function atExit(duty: () => void): () => void {
  // The same function given twice is two duties.
  const own = () => duty()
  if (duties.size === 0) process.on('exit', doAll)
  duties.add(own)
  return () => {
    duties.delete(own)
    if (duties.size === 0) process.off('exit', doAll)
  }
}

function doAll(): void {
  for (const duty of duties) duty()
}
