/** Searches the event log: by position, by content, and for one event by its id. */
import { setImmediate as turn } from 'node:timers/promises'
import type { SealedEvent } from '@grantor/protocol/events'
import { ok } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { AdminResult } from './result.ts'
import { type SearchDeadline, searchDeadline, type SearchPage } from './clients/search-page.ts'

export interface EventSearch {
  /** Both exclusive; the log is read from one towards the other. */
  readonly above: number
  readonly below: number
  readonly descending: boolean
  readonly limit: number
  /** Null: every event matches. */
  readonly matches: ((event: SealedEvent) => boolean) | null
}

type Events = Pick<Store['events'], 'after' | 'before' | 'head'>

/** The content of events is not indexed, so a search reads them in pages. */
const pageSize = 500

export async function searchEvents(
  events: Events,
  tenant: TenantId,
  { above, below, descending, limit, matches }: EventSearch,
  isOver: SearchDeadline = searchDeadline(),
): Promise<AdminResult<SearchPage<SealedEvent, number>>> {
  const found: SealedEvent[] = []
  const size = matches === null ? limit : pageSize
  const all = ok({ found, resumesAfter: null })
  for (let at = descending ? below : above; ;) {
    const page = descending ? await events.before(tenant, at, size) : await events.after(tenant, at, size)
    for (const event of page) {
      if (descending ? event.seq <= above : event.seq >= below) return all
      if (matches === null || matches(event)) found.push(event)
      if (found.length === limit) return all
    }
    const last = page.at(-1)
    if (last === undefined || page.length < size) return all
    at = last.seq
    if (isOver()) return ok({ found, resumesAfter: at })
    // A read on SQLite blocks the event loop; this lets others run in between.
    await turn()
  }
}

/** The most events that one request reads when the id does not lead to its event at once. */
const mostRead = 100_000

/** By how many milliseconds the order of the log and the clocks of the nodes that wrote it may disagree. */
const disorder = 10_000

/** An event by its id. */
export const findEvent = (events: Events, tenant: TenantId, id: string): Promise<SealedEvent | null> =>
  findAtTime(events, tenant, { id, matches: (event) => event.id === id })

/**
 * The event that was written with a generated id: its own, or that of a token. Ids are UUIDs of version 7 (RFC 9562
 * §5.7): they begin with the time, and the log is in the order of time but for `disorder`. So binary search finds the
 * position, without an index that every write would pay for.
 */
export async function findAtTime(
  events: Events,
  tenant: TenantId,
  { id, matches }: { readonly id: string; readonly matches: (event: SealedEvent) => boolean },
): Promise<SealedEvent | null> {
  const time = timeOf(id)
  const [first] = await events.after(tenant, 0, 1)
  const head = await events.head(tenant)
  if (time === null || first === undefined || head === null) return null
  let [low, high] = [first.seq, head.seq]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [event] = await events.after(tenant, middle - 1, 1)
    if (event === undefined || event.at >= time - disorder) high = middle
    else low = middle + 1
  }
  for (let at = low - 1, read = 0; read < mostRead; read += pageSize) {
    const page = await events.after(tenant, at, pageSize)
    const found = page.find(matches)
    const last = page.at(-1)
    if (found !== undefined) return found
    if (last === undefined || page.length < pageSize || last.at > time + disorder) return null
    at = last.seq
    await turn()
  }
  return null
}

function timeOf(id: string): number | null {
  const uuid = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.exec(id)
  return uuid === null ? null : Number.parseInt(`${uuid[1]}${uuid[2]}`, 16)
}
