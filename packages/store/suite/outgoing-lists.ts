/** Lists of what goes out and of who may come in: as modelled, in the order of their ids, page after page. */
import { deepEqual, equal } from 'node:assert/strict'
import type { EventDeliveryState } from '../src/contract/outgoing/event-deliveries.ts'
import { initialToken } from './clients/registrations.ts'
import { combinations, isAsModelled } from './list-model.ts'
import { arrived, delivery, receiver } from './outgoing/event-samples.ts'
import { acme, at, change, client, handle, mail, other, user } from './samples.ts'
import { type OpenEngine, storeTest } from './store-test.ts'

const tenants = [acme, other] as const
/** Ids that are not in the order of anything else. */
const named = (letter: string, count: number) =>
  Array.from({ length: count }, (_, place) => ({
    id: `${letter}${String((place * 7) % count).padStart(2, '0')}`,
    place,
  }))
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
const ascending = (one: { readonly id: string }, another: { readonly id: string }) => one.id < another.id
const newestFirst = (one: { readonly id: string }, another: { readonly id: string }) => one.id > another.id
const nameOf = ({ id }: { readonly id: string }) => id
const shows = () => true

type Direction = { readonly descending: boolean }
const directions = combinations<Direction>({ descending: [false, true] })
const inDirection = (one: { readonly id: string }, another: { readonly id: string }, { descending }: Direction) =>
  descending ? one.id > another.id : one.id < another.id

export function outgoingListSuite(open: OpenEngine): void {
  storeTest(open, 'deliveries of a receiver, in one state or in any', async ({ store }) => {
    const rows = combinations<{ receiver: string; state: EventDeliveryState; n: number }>({
      receiver: ['r1', 'r2'],
      state: ['dead', 'waiting', 'delivered'],
      n: [1, 2, 3],
    }).map((it, place) => ({ ...it, id: `d${String((place * 7) % 18).padStart(2, '0')}` }))
    for (const tenant of tenants) {
      await store.directory.apply([change({ tenant })])
      for (const id of ['r1', 'r2']) await store.eventReceivers.add(receiver(id, { tenant }), [])
      for (const { id, receiver: to, state } of rows) {
        await store.eventDeliveries.queue(delivery(id, { tenant, receiver: to, orderKey: id }), [])
        const row = await store.eventDeliveries.find(tenant, to, id)
        if (row === null) throw new Error('it is not there')
        if (state !== 'waiting') await store.eventDeliveries.settle(row, arrived({ state }), [])
      }
    }
    type Filter = { readonly receiver: string; readonly state: EventDeliveryState | null }
    await isAsModelled<(typeof rows)[number], Filter>({
      rows,
      filters: combinations<Filter>({ receiver: ['r1', 'r2'], state: [null, 'waiting', 'dead', 'delivered'] }),
      shows: (row, filter) => row.receiver === filter.receiver && (filter.state === null || row.state === filter.state),
      before: newestFirst,
      nameOf,
      read: async (filter, after, limit) =>
        idsOf(await store.eventDeliveries.search(acme, { ...filter, before: after?.id ?? null, limit })),
    })
  })

  storeTest(open, 'receivers of a kind, and those who listen', async ({ store }) => {
    const kinds = ['webhook', 'stream'] as const
    const rows = named('r', 12).map((it) => ({ ...it, kind: kinds[it.place % 2] ?? 'stream' }))
    for (const tenant of tenants) {
      await store.directory.apply([change({ tenant })])
      for (const { id, kind, place } of rows) {
        const status = place % 3 === 0 && tenant === acme ? 'disabled' : 'enabled'
        await store.eventReceivers.add(receiver(id, { tenant, kind, status }), [])
      }
    }
    await isAsModelled<(typeof rows)[number], { readonly kind: (typeof kinds)[number] }>({
      rows,
      filters: combinations({ kind: kinds }),
      shows: (row, { kind }) => row.kind === kind,
      before: ascending,
      nameOf,
      read: async ({ kind }, after, limit) =>
        idsOf(await store.eventReceivers.list(acme, { kind, after: after?.id ?? null, limit })),
    })
    const listening = rows.filter(({ place }) => place % 3 !== 0).map(nameOf)
    deepEqual(idsOf(await store.eventReceivers.listening(acme)), listening.toSorted())
  })

  storeTest(open, 'mails that wait, the newest first', async ({ store }) => {
    const rows = named('m', 9)
    for (const tenant of tenants)
      await store.mails.queue(
        rows.map(({ id }) => mail(id, { tenant })),
        [],
      )
    await isAsModelled<(typeof rows)[number], object>({
      rows,
      filters: [{}],
      shows,
      before: newestFirst,
      nameOf,
      read: async (_, after, limit) => idsOf(await store.mails.search(acme, { before: after?.id ?? null, limit })),
    })
  })

  storeTest(
    open,
    'clients with their own secrets and uses, and tokens to register with, in either direction',
    async ({ store }) => {
      const rows = named('c', 9)
      for (const tenant of tenants) {
        const createClients = rows.map(({ id, place }) => {
          const secrets = Array.from({ length: place % 3 }, (_, n) => ({
            handle: handle(`${tenant} ${id} ${n}`),
            createdAt: at(n),
            expiresAt: null,
          }))
          return client(id, { tenant, secrets })
        })
        await store.directory.apply([change({ tenant, createClients })])
        for (const { id } of rows) await store.registrations.addToken(initialToken(id, { tenant }), [])
        if (tenant === other) await store.clients.noteUses(rows.map(({ id }) => ({ tenant, id, at: at(90_000) })))
      }
      const list = { rows, filters: directions, shows, before: inDirection, nameOf }
      await isAsModelled<(typeof rows)[number], Direction>({
        ...list,
        read: async ({ descending }, after, limit) =>
          idsOf(await store.clients.list(acme, { after: after?.id ?? null, limit, descending })),
      })
      await isAsModelled<(typeof rows)[number], Direction>({
        ...list,
        read: async ({ descending }, after, limit) =>
          idsOf(await store.registrations.tokens(acme, { after: after?.id ?? null, limit, descending })),
      })
      for (const descending of [false, true])
        for (const found of await store.clients.list(acme, { after: null, limit: 99, descending })) {
          const { place = 0 } = rows.find(({ id }) => id === found.id) ?? {}
          deepEqual(
            found.secrets.map((secret) => secret.handle),
            Array.from({ length: place % 3 }, (_, n) => `acme ${found.id} ${n}`),
          )
          equal(found.lastUsedAt ?? null, null, 'what was used elsewhere was not used here')
        }
    },
  )

  storeTest(open, 'people by the beginning of their names, in whatever case', async ({ store }) => {
    const rows = named('p', 18).map((it) => ({ ...it, username: `${it.place % 2 === 0 ? 'An' : 'bo'}-${it.id}` }))
    for (const tenant of tenants) {
      await store.directory.apply([change({ tenant })])
      for (const { id, username } of rows) await store.users.create(user(id, { tenant, username }), [])
    }
    type Filter = { readonly prefix: string }
    await isAsModelled<(typeof rows)[number], Filter>({
      rows,
      filters: combinations<Filter>({ prefix: ['', 'an', 'bo-p', 'bo-p05', 'c'] }),
      shows: (row, { prefix }) => row.username.toLowerCase().startsWith(prefix),
      before: (one, another) => one.username.toLowerCase() < another.username.toLowerCase(),
      nameOf,
      read: async ({ prefix }, after, limit) =>
        idsOf(await store.users.search(acme, { prefix, after: after?.username ?? null, limit })),
    })
    const whole = { prefix: 'bo-p05', after: 'bo-p04', limit: 9 }
    deepEqual(idsOf(await store.users.search(acme, whole)), ['p05'], 'a whole name begins with itself')
  })
}
