/**
 * Which entries of a tenant's status lists belong to revoked tokens: all revocations of the feed, looked up among the
 * tokens that have an entry. It is kept in memory only, so a list can never say less than the feed; a node that starts
 * computes it anew.
 */
import type { CutoffMessage, RevokeMessage } from '@grantor/protocol/feed'
import { emptyStatuses, setInvalid } from '@grantor/protocol/status-list'
import { defaultTenant, type Instant, type TenantId } from '@grantor/protocol/types'
import { type ListedPopulation, statusListKeeping, type StatusListRow, type Store } from '@grantor/store'
import type { FeedLog } from '../feed/feed-log.ts'
import type { Clock } from '../ports/environment.ts'

export interface RevokedPlacesDependencies {
  readonly clock: Pick<Clock, 'now'>
  readonly feedLog: FeedLog
  readonly store: Pick<Store, 'statusLists'>
}

/** The content of one list at one moment. */
export interface ListState {
  /** Increases with every change. */
  readonly version: number
  readonly bytes: Uint8Array
}

type Ending = RevokeMessage | CutoffMessage

/** A revocation that is to be looked up again. */
interface Unsettled {
  readonly ending: Ending
  readonly due: number
}

/**
 * A token whose commit began before the revocation may become visible a moment after it (PostgreSQL orders neither), so
 * each revocation is looked up again when no statement of that time can still be running. Milliseconds.
 */
const settledAfter = 30_000
const lookedUpAtOnce = 500

interface MutableList {
  version: number
  bytes: Uint8Array
  row: StatusListRow
}

/** The lists of one tenant. `advance` must not be called again before it has ended. */
export class RevokedPlaces {
  readonly #tenant: TenantId
  readonly #deps: RevokedPlacesDependencies
  #epoch = ''
  #position = 0
  #lists = new Map<string, MutableList>()
  #unsettled: Unsettled[] = []

  constructor(tenant: TenantId, deps: RevokedPlacesDependencies) {
    this.#tenant = tenant
    this.#deps = deps
  }

  /** The names of the lists that are served. */
  names(): readonly string[] {
    return [...this.#lists.keys()]
  }

  list(name: string): ListState | null {
    return this.#lists.get(name) ?? null
  }

  /** Reads the new revocations: afterwards all are included that were committed before the call. */
  async advance(): Promise<void> {
    const { clock, feedLog, store } = this.#deps
    const { epoch, head } = await feedLog.advance()
    const resumed = this.#epoch === epoch ? feedLog.since(this.#position) : null
    const messages = resumed?.map((it) => it.message) ?? feedLog.living(clock.now())
    const news = messages
      .filter((message): message is Ending => message.kind !== 'key')
      .filter((message) => concerns(message, this.#tenant))
    const rows = await store.statusLists.lists(this.#tenant, (clock.now() - statusListKeeping) as Instant)
    const lists = new Map(rows.map((row) => [row.id, this.#listOf(row)]))
    const now = performance.now()
    const again = this.#unsettled.filter((it) => it.due <= now)
    await this.#markAll([...news, ...again.map((it) => it.ending)], lists)
    // Assigned together: a read that fails halfway is repeated from the same position.
    this.#lists = lists
    this.#unsettled = [
      ...this.#unsettled.filter((it) => it.due > now),
      ...news.map((ending) => ({ ending, due: now + settledAfter })),
    ]
    this.#epoch = epoch
    this.#position = head
  }

  #listOf(row: StatusListRow): MutableList {
    const known = this.#lists.get(row.id)
    if (known !== undefined && known.row.endedAt === row.endedAt) return known
    // In a list that has ended every token is revoked, whether recorded or not.
    const bytes = row.endedAt === null ? emptyStatuses() : emptyStatuses().fill(0xff)
    return { version: (known?.version ?? 0) + 1, bytes, row }
  }

  async #markAll(endings: readonly Ending[], lists: ReadonlyMap<string, MutableList>): Promise<void> {
    if (lists.size === 0) return
    for (const ending of endings)
      if (ending.kind === 'revoke' && ending.listed !== undefined) mark(lists, ending.listed)
    const populations = endings.flatMap((it) => (it.kind === 'cutoff' ? populationsOf(it, lists) : []))
    for (let i = 0; i < populations.length; i += lookedUpAtOnce) {
      const some = populations.slice(i, i + lookedUpAtOnce)
      const places = await this.#deps.store.statusLists.places(this.#tenant, some)
      for (const place of places) mark(lists, place)
    }
  }
}

function mark(lists: ReadonlyMap<string, MutableList>, { list: name, idx }: { list: string; idx: number }): void {
  const list = lists.get(name)
  if (list === undefined || ((list.bytes[idx >> 3] ?? 0) & (1 << (idx & 7))) !== 0) return
  setInvalid(list.bytes, idx)
  list.version += 1
}

/** The root's feed carries all tenants, but its lists only its own tokens. */
const concerns = (message: Ending, tenant: TenantId): boolean =>
  (message.kind === 'cutoff' && message.dimension === 'issuer') || (message.tenant ?? defaultTenant) === tenant

function populationsOf(
  { dimension, key, issuedUpTo }: CutoffMessage,
  lists: ReadonlyMap<string, unknown>,
): readonly ListedPopulation[] {
  if (dimension === 'tenant' || dimension === 'issuer')
    return [...lists.keys()].map((list) => ({ dimension: 'list', key: list, issuedUpTo }))
  return key === null ? [] : [{ dimension, key, issuedUpTo }]
}
