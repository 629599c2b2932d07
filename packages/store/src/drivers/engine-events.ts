/** The part of the Store for the event log, event receivers and their deliveries, over a driver's engine. */
import type { Store } from '../contract/store.ts'
import { entriesOf, entryOf } from '../verbs/entry.ts'
import * as events from '../verbs/events.ts'
import * as deliveries from '../verbs/outgoing/event-deliveries.ts'
import * as receivers from '../verbs/outgoing/event-receivers.ts'
import { latest } from '../verbs/directory/set-back.ts'
import * as streamSubjects from '../verbs/outgoing/stream-subjects.ts'
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
  lost: () => engine.snapshot(() => events.lost()),
  tenants: ({ after, limit }) => engine.snapshot(() => events.tenants(after ?? '', limit)),
  checkpoint: (tenant) => engine.read(events.checkpoint(tenant)),
  prunable: (tenant, before, limit) => engine.read(events.prunable(tenant, before, limit)),
  prune: (checkpoint, events) => engine.run('events.prune', [checkpoint, events.map(entryOf)]),
  oldestPart: async (before) => (await engine.logParts?.oldest(before)) ?? null,
  dropPart: async (part) => (await engine.logParts?.drop(part)) ?? false,
  keepPartsAhead: async (now) => engine.logParts?.keepAhead(now),
  macOf: (head, purpose) => engine.mac(head, purpose),
  watch: (wake) => engine.watchEvents(wake),
})

export const receiverStore = (engine: Engine): Store['eventReceivers'] => ({
  add: (receiver, events, most) => engine.run('eventReceivers.add', [receiver, entriesOf(events), most]),
  find: (tenant, id) => engine.read(receivers.find(tenant, id)),
  list: (tenant, page) => engine.read(receivers.list(tenant, page)),
  listening: (tenant) => engine.read(receivers.listening(tenant)),
  replace: ({ events, ...change }) => engine.run('eventReceivers.replace', [change, entriesOf(events)]),
  remove: (tenant, id, events) => engine.run('eventReceivers.remove', [tenant, id, entriesOf(events)]),
  reading: () => engine.read(receivers.reading()),
})

export const eventDeliveryStore = (engine: Engine): Store['eventDeliveries'] => ({
  news: (pos, limit) => engine.read(deliveries.news(pos, limit)),
  derive: (reading) => engine.run('eventDeliveries.derive', [reading]),
  queue: (delivery, events) => engine.run('eventDeliveries.queue', [delivery, entriesOf(events)]),
  due: (now) => engine.read(deliveries.due(now)),
  take: (request) => engine.run('eventDeliveries.take', [request]),
  settle: ({ tenant, receiver, id, orderKey, attempts, to }, outcome, events) =>
    engine.run('eventDeliveries.settle', [
      { tenant, receiver, id, orderKey, attempts, tried: to?.version ?? null },
      outcome,
      entriesOf(events),
    ]),
  search: (tenant, search) => engine.read(deliveries.search(tenant, search)),
  find: (tenant, receiver, id) => engine.read(deliveries.find(tenant, receiver, id)),
  waiting: ({ tenant, id, status }, limit) => engine.read(deliveries.waiting({ tenant, id, status }, limit)),
  acknowledge: ({ events, ...answer }) => engine.run('eventDeliveries.acknowledge', [answer, entriesOf(events)]),
  replay: ({ events, ...which }) => engine.run('eventDeliveries.replay', [which, entriesOf(events)]),
})

export const streamSubjectStore = (engine: Engine): Store['streamSubjects'] => ({
  put: (subject) => engine.run('streamSubjects.put', [subject]),
  find: (tenant, stream, subject) => engine.read(streamSubjects.find(tenant, stream, subject)),
  isKnown: (tenant, subject, clientId) => engine.read(streamSubjects.isKnown(tenant, subject, clientId)),
})
