/** Serializes an action: each call runs after the previous one, also after a failed one. */
export function inTurn(act: () => Promise<void>, failed: (error: unknown) => void): () => Promise<void> {
  let last = Promise.resolve()
  return () => (last = last.then(act).catch(failed))
}
