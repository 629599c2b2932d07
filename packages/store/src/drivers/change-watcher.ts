/** Notices what was committed, by this process or beside it, and tells watchers. */
import type { TenantId } from '@grantor/protocol/types'
import { changedSince } from '../verbs/directory/clock.ts'
import { position } from '../verbs/events.ts'
import { type BackgroundLoop, openBackgroundLoop, throttled } from './background-loop.ts'
import type { Engine } from './engine.ts'

/** Milliseconds. Under load each batch that is sealed is announced; whoever reads the log rests as long between two looks. */
const restBetweenChecks = 10

export class ChangeWatcher {
  readonly #read: Engine['read']
  readonly #loop: BackgroundLoop
  readonly #announced = throttled(() => this.checkNow(), restBetweenChecks)
  readonly #events = new Set<() => void>()
  readonly #directory = new Set<(tenant: TenantId) => void>()
  /** Unknown at first: the first check tells watchers of everything, which is spurious but misses nothing. */
  #pos = -1
  #clock = -1

  /** `every` bounds how late a commit is noticed that nobody announced. */
  constructor(read: Engine['read'], every: number) {
    this.#read = read
    // What is not readable now is asked for by the next check, from the same place.
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

  /** Something was sealed in this process: no need to read. */
  announceEvents(): void {
    for (const wake of this.#events) wake()
  }

  /** Some process sealed the log as far as this: no need to read, either. */
  announceSealed(pos: number): void {
    if (pos === this.#pos) return
    this.#pos = pos
    this.announceEvents()
  }

  /** The directory may have changed. */
  checkNow(): void {
    this.#loop.wake()
  }

  /** Some process announced a commit, and may announce the next in a moment. */
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
