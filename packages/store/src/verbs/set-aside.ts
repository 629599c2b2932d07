/** Reads rows of the directory one by one: unreadable ones are recorded and left out, so that the rest is served. */
import { normaliseUsername } from '@grantor/protocol/people'
import type { TenantId } from '@grantor/protocol/types'
import { StoreUnreadable } from '../contract/store.ts'
import type { UnreadableRow, UnreadableRows } from '../contract/unreadable.ts'

/** The most rows recorded; with more than that, single rows no longer matter. */
const most = 1_000

export class SetAsideRows implements UnreadableRows {
  readonly #rows = new Map<string, UnreadableRow>()
  readonly #watchers = new Set<(row: UnreadableRow) => void>()

  /** Null where the row cannot be read. */
  read<T>(which: Omit<UnreadableRow, 'problem'>, parse: () => T): T | null {
    try {
      const value = parse()
      if (this.#rows.size > 0) this.#rows.delete(keyOf(which))
      return value
    } catch (cause) {
      if (!(cause instanceof StoreUnreadable)) throw cause
      this.add({ ...which, problem: cause.message })
      return null
    }
  }

  add(row: UnreadableRow): void {
    const key = keyOf(row)
    const isNew = !this.#rows.has(key)
    if (isNew && this.#rows.size >= most) return
    this.#rows.set(key, row)
    if (isNew) for (const found of this.#watchers) found(row)
  }

  /** The row no longer exists. */
  forget(which: Pick<UnreadableRow, 'kind' | 'tenant' | 'id'>): void {
    if (this.#rows.size > 0) this.#rows.delete(keyOf(which))
  }

  list(): readonly UnreadableRow[] {
    return [...this.#rows.values()]
  }

  client(tenant: TenantId, id: string): UnreadableRow | null {
    return this.#rows.get(keyOf({ kind: 'client', tenant, id })) ?? null
  }

  user(tenant: TenantId, username: string): UnreadableRow | null {
    const name = normaliseUsername(username)
    const isThis = (row: UnreadableRow): boolean =>
      row.kind === 'user' && row.tenant === tenant && normaliseUsername(row.username ?? '') === name
    return name === null ? null : (this.list().find(isThis) ?? null)
  }

  watch(found: (row: UnreadableRow) => void): () => void {
    const watcher = (row: UnreadableRow): void => found(row)
    this.#watchers.add(watcher)
    for (const row of this.#rows.values()) watcher(row)
    return () => void this.#watchers.delete(watcher)
  }
}

const keyOf = ({ kind, tenant, id }: { kind: string; tenant: TenantId; id: string }): string =>
  `${kind} ${tenant} ${id}`
