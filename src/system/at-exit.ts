const duties = new Set<() => void>()

/** Has this done should the process end before `off` is called, which it gives. One listener serves all: Node warns of more than ten. */
export function atExit(duty: () => void): () => void {
  // Two that are the same function are two duties.
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
