/** All of a kind, however many there are: each once, and no page more than is needed to know that it was the last. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allClients,
  allGroups,
  allTenants,
  allUsers,
  type Everything,
} from '../../src/admin/declared/present/everything.ts'
import { root } from '../support/deployment.ts'

const nameOf = (n: number): string => String(n).padStart(5, '0')

/** A store of so many of each; `pages` are counted. */
function storeOf(count: number) {
  const all = Array.from({ length: count }, (_, n) => ({ id: nameOf(n), name: nameOf(n) }))
  const seen = { pages: 0 }
  const page = ({ after, limit }: { after: string | null; limit: number }) => {
    seen.pages += 1
    return Promise.resolve(all.filter(({ id }) => after === null || id > after).slice(0, limit))
  }
  const listed = { list: (_: string, asked: Parameters<typeof page>[0]) => page(asked) }
  const groups = {
    search: (_: string, { after, limit }: { after: { name: string } | null; limit: number }) =>
      page({ after: after?.name ?? null, limit }),
  }
  return {
    seen,
    store: { clients: listed, users: listed, groups, directory: { tenants: page } } as unknown as Everything,
  }
}

const kinds: Readonly<Record<string, (store: Everything) => AsyncIterable<{ readonly id: string }>>> = {
  clients: (store) => allClients(store, root),
  users: (store) => allUsers(store, root),
  groups: (store) => allGroups(store, root),
  tenants: allTenants,
}

for (const [kind, all] of Object.entries(kinds))
  test(`all ${kind}, page by page`, async () => {
    for (const [count, pages] of [
      [0, 1],
      [1, 1],
      [199, 1],
      [200, 2],
      [201, 2],
      [450, 3],
    ] as const) {
      const { seen, store } = storeOf(count)
      const found: string[] = []
      for await (const { id } of all(store)) found.push(id)
      assert.deepEqual([found, seen.pages], [Array.from({ length: count }, (_, n) => nameOf(n)), pages])
    }
  })
