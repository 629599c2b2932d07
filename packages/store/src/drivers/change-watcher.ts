/** Notices what was committed, by this process or beside it, and tells watchers. */
import type { TenantId } from '@grantor/protocol/types'
import type { Engine } from './engine.ts'
import { changedSince } from '../verbs/directory/clock.ts'
import { position } from '../verbs/events.ts'

export class Watch {
  readonly #read: Engine['read']
  readonly #every: number
  readonly #events = new Set<() => void>()
  readonly #directory = new Set<(tenant: TenantId) => void>()
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void> | null = null
  #again = false
  /** Unknown at first: the first look tells watchers of everything, which is spurious but misses nothing. */
  #pos = -1
  #clock = -1

  /** `every` bounds how late a commit is noticed that nobody announced. */
  constructor(read: Engine['read'], every: number) {
    this.#read = read
    this.#every = every
  }

  events(wake: () => void): () => void {
    // Each subscription is its own, also when one function subscribes twice.
    return this.#join(this.#events, () => wake())
  }

  directory(changed: (tenant: TenantId) => void): () => void {
    return this.#join(this.#directory, (tenant: TenantId) => changed(tenant))
  }

  #join<T>(watchers: Set<T>, watcher: T): () => void {
    watchers.add(watcher)
    this.#timer ??= setInterval(() => this.look(), this.#every).unref()
    this.look()
    return () => {
      watchers.delete(watcher)
      if (this.#events.size + this.#directory.size === 0) this.#stop()
    }
  }

  /** Something was sealed in this process: no need to look. */
  wake(): void {
    for (const wake of this.#events) wake()
  }

  /** Looks now; while a look is on its way, once more after it. */
  look(): void {
    if (this.#timer === null) return
    if (this.#looking !== null) {
      this.#again = true
      return
    }
    this.#again = false
    this.#looking = this.#lookOnce()
      // Not readable now; the next look asks again from the same place.
      .catch(() => {})
      .finally(() => {
        this.#looking = null
        if (this.#again) this.look()
      })
  }

  async #lookOnce(): Promise<void> {
    const pos = await this.#read(position())
    if (pos !== this.#pos) {
      this.#pos = pos
      for (const wake of this.#events) wake()
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

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    this.#pos = this.#clock = -1
  }

  async close(): Promise<void> {
    this.#stop()
    await this.#looking
  }
}
