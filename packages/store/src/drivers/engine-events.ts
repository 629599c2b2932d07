/** The event log of the contract over a driver's engine: appended by verbs, read in order, pruned behind a checkpoint. */
import type { Store } from '../contract/store.ts'
import { entryOf } from '../verbs/entry.ts'
import * as events from '../verbs/events.ts'
import { latest } from '../verbs/directory/set-back.ts'
import type { Engine } from './engine.ts'

export const eventStore = (engine: Engine): Store['events'] => ({
  append: (events) => engine.run('events.append', [events.map(entryOf)]),
  after: (tenant, seq, limit) => engine.read(events.after(tenant, seq, limit)),
  before: (tenant, seq, limit) => engine.read(events.before(tenant, seq, limit)),
  feed: ({ pos, tenant, limit }) => engine.read(events.feed(pos, tenant, limit)),
  feedBefore: ({ pos, limit }) => engine.read(events.feedBefore(pos, limit)),
  ofSubject: (tenant, subject, { before, limit }) =>
    engine.read(events.ofSubject(tenant, subject, { before: before ?? Number.MAX_SAFE_INTEGER, limit })),
  position: () => engine.position(),
  latest: async () => {
    await engine.position()
    return engine.read(latest())
  },
  head: (tenant) => engine.read(events.head(tenant)),
  rows: (tenant, afterSeq, limit) => engine.read(events.rows(tenant, afterSeq, limit)),
  lost: () => engine.read(events.lost()),
  tenants: ({ after, limit }) => engine.snapshot(events.tenants(after ?? '', limit)),
  checkpoint: (tenant) => engine.read(events.checkpoint(tenant)),
  prunable: (tenant, before, limit) => engine.read(events.prunable(tenant, before, limit)),
  prune: (checkpoint, events) => engine.run('events.prune', [checkpoint, events.map(entryOf)]),
  macOf: (head, purpose) => engine.mac(head, purpose),
  watch: (wake) => engine.watchEvents(wake),
})
