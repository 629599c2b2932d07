/** How the server uses the heap of V8. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * What the statements of one moment bring comes and goes together. If V8 collects just then, it takes that for a long
 * life and makes the like of it among the old from then on, where only a mark of the whole heap finds it dead.
 */
export function switchOffPretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}

/** A start is not worth optimizing: `bin/grantor.js` leaves that to be begun when the server serves. */
export function switchOnOptimizing(): void {
  setFlagsFromString('--opt')
  setFlagsFromString('--maglev')
}

type CollectGarbage = (options: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void

/** Gives back what starting took: Node keeps the room in which the modules were compiled, some 50 MiB, until it is made to collect. */
export function releaseMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as CollectGarbage
  // The only kind of collection that shrinks the young generation at once.
  collect({ type: 'major', flavor: 'last-resort' })
}
