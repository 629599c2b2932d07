/** Settings of the V8 heap for the server. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * The objects of concurrent statements live and die together. If V8 collects garbage while they live, it takes them for
 * long-lived and allocates such objects in the old generation from then on, where only a full collection frees them.
 */
export function switchOffPretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}

/** `bin/grantor.js` starts without optimization, which would not pay for itself; it begins when the server serves. */
export function switchOnOptimizing(): void {
  setFlagsFromString('--opt')
  setFlagsFromString('--maglev')
}

type CollectGarbage = (options: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void

/** Frees memory used by the start: Node keeps some 50 MiB from compiling the modules until a collection is forced. */
export function releaseMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as CollectGarbage
  // The only kind of collection that shrinks the young generation at once.
  collect({ type: 'major', flavor: 'last-resort' })
}
