/** Runs an act each time it is asked for, one run after the other; one that fails does not end those after it. */
export function inTurn(act: () => Promise<void>, failed: (error: unknown) => void): () => Promise<void> {
  let last = Promise.resolve()
  return () => (last = last.then(act).catch(failed))
}
