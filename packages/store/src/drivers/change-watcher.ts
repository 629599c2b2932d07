/** Notices commits of this and other processes, and informs watchers. */
import type { TenantId } from '@grantor/protocol/types'
import { changedSince } from '../verbs/directory/clock.ts'
import { position } from '../verbs/events.ts'
import { type BackgroundLoop, openBackgroundLoop, throttled } from './background-loop.ts'
import type { Engine } from './engine.ts'

/** Milliseconds. Under load each sealed batch is announced; readers of the log rest as long between two reads. */
const restBetweenChecks = 10

export class ChangeWatcher {
  readonly #read: Engine['read']
  readonly #loop: BackgroundLoop
  readonly #announced = throttled(() => this.checkNow(), restBetweenChecks)
  readonly #events = new Set<() => void>()
  readonly #directory = new Set<(tenant: TenantId) => void>()
  /** Unknown at first: the first check informs watchers of everything, which is superfluous but misses nothing. */
  #pos = -1
  #clock = -1

  /** `every` bounds how late an unannounced commit is noticed. */
  constructor(read: Engine['read'], every: number) {
    this.#read = read
    // After a failed read, the next check reads from the same position.
    this.#loop = openBackgroundLoop(
      () => this.#check(),
      { every },
      () => {},
    )
  }

  watchEvents(wake: () => void): () => void {
    // Each subscription is its own, also when one function subscribes twice.
    return this.#join(this.#events, () => wake())
  }

  watchDirectory(changed: (tenant: TenantId) => void): () => void {
    return this.#join(this.#directory, (tenant: TenantId) => changed(tenant))
  }

  #join<T>(watchers: Set<T>, watcher: T): () => void {
    watchers.add(watcher)
    this.#loop.begin()
    this.#loop.wake()
    return () => void watchers.delete(watcher)
  }

  /** Events were sealed in this process: no read is needed. */
  announceEvents(): void {
    for (const wake of this.#events) wake()
  }

  /** Some process sealed the log up to this position: no read is needed either. */
  announceSealed(pos: number): void {
    if (pos === this.#pos) return
    this.#pos = pos
    this.announceEvents()
  }

  /** The directory may have changed. */
  checkNow(): void {
    this.#loop.wake()
  }

  /** Another process announced a commit, and may announce further ones in a moment. */
  checkAnnounced(): void {
    this.#announced.call()
  }

  async #check(): Promise<void> {
    if (this.#events.size + this.#directory.size === 0) return
    const pos = await this.#read(position())
    if (pos !== this.#pos) {
      this.#pos = pos
      this.announceEvents()
    }
    for (;;) {
      const changes = await this.#read(changedSince(this.#clock))
      for (const { tenant, clock } of changes) {
        this.#clock = clock
        for (const changed of this.#directory) changed(tenant)
      }
      if (changes.length === 0) return
    }
  }

  close(): Promise<void> {
    this.#announced.stop()
    return this.#loop.close()
  }
}
