/** Apps with access, as a person sees them: what of many permissions counts, in which order, and how they are taken back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant } from '@grantor/protocol/types'
import { connectedApps, disconnectAll } from '../../src/account/apps.ts'
import { root } from '../support/deployment.ts'

const now = 1_800_000_000_000
const account = { person: { tenant: root, id: 'alice' } } as never
const visitor = { tenant: root, ip: '192.0.2.1', traceId: null } as never

const grant = (createdAt: number, more: object = {}) => ({
  createdAt,
  expiresAt: now + 1000,
  lastUsedAt: null,
  scope: new Set(['openid']),
  resources: ['https://api.example'],
  ...more,
})

interface World {
  readonly absent?: readonly string[]
  /** By client, the oldest first. */
  readonly consents?: Readonly<Record<string, readonly object[]>>
}

/** By client, the newest first, as the store has them. */
function world(grants: Readonly<Record<string, readonly object[]>>, { absent = [], consents = {} }: World = {}) {
  const withdrawn: { clientId: string; event: { name: string }; grantEvent: { name: string; reason: string } }[] = []
  const pages: unknown[] = []
  const limits: number[] = []
  const deps = {
    clock: { now: () => now as Instant },
    ids: { id: () => 'id' },
    issuers: { issuerOf: () => 'https://as.example' },
    logos: { cachedVersion: ({ id }: { id: string }) => `logo of ${id}` },
    directory: {
      client: async (_: string, id: string) => {
        const metadata = { client_name: `The ${id}`, redirect_uris: [`https://${id}.example/cb`] }
        return absent.includes(id) ? null : { tenant: root, id, origin: 'declared', metadata }
      },
    },
    store: {
      grants: {
        clientsOf: async (_: string, subject: string, page: { after: string | null; limit: number }) => {
          pages.push(page)
          const ids = [...new Set([...Object.keys(grants), ...Object.keys(consents)])].toSorted()
          return subject === 'alice' ? ids.filter((id) => id > (page.after ?? '')).slice(0, page.limit) : []
        },
        ofSubject: async (_: string, __: string, { clientId, limit }: { clientId: string; limit: number }) => {
          limits.push(limit)
          return grants[clientId] ?? []
        },
      },
      consents: {
        inForce: async (_: string, __: string, clientId: string) => consents[clientId] ?? [],
        withdraw: async (it: (typeof withdrawn)[number]) => void withdrawn.push(it),
      },
    },
  }
  return { deps: deps as never, withdrawn, pages, limits }
}

test('the one that was given access last comes first, whatever it is called', async () => {
  const { deps, limits } = world({ a: [grant(1)], b: [grant(3), grant(0)], c: [grant(2)] })
  const { apps, further } = await connectedApps(account, null, deps)
  assert.deepEqual([apps.map(({ clientId }) => clientId), further], [['b', 'c', 'a'], null])
  assert.deepEqual(limits, [100, 100, 100])
  const [first] = apps
  assert.deepEqual(
    [first?.name, first?.logo, first?.provenHost, first?.vouchedBy],
    ['The b', 'logo of b', 'b.example', 'operator'],
  )
})

test('what it may do is all that lives; it ends with the last of it, and was used from the first to the last time', async () => {
  const held = [
    grant(9, { scope: new Set(['a', 'b']), expiresAt: now + 1, lastUsedAt: 50 }),
    grant(8, { scope: new Set(['b', 'c']), resources: ['https://other.example'], expiresAt: now + 9, lastUsedAt: 70 }),
    grant(7, { lastUsedAt: null, resources: [] }),
    grant(6, { scope: new Set(['over']), expiresAt: now, lastUsedAt: 99 }),
  ]
  const { apps } = await connectedApps(account, null, world({ a: held }).deps)
  const [app] = apps
  assert.deepEqual([...(app?.scope ?? [])], ['a', 'b', 'c', 'openid'])
  assert.deepEqual(app?.resources, ['https://api.example', 'https://other.example'])
  assert.deepEqual([app.endsAt, app.firstUsedAt, app.lastUsedAt], [now + 1000, 8, 70])
  const unused = (await connectedApps(account, null, world({ a: [grant(1)] }).deps)).apps[0]
  assert.deepEqual([unused?.firstUsedAt, unused?.lastUsedAt], [null, null])
})

test('an app that is gone, or whose every permission is over, is none; and the page after it is named', async () => {
  const over = world(
    { gone: [grant(1)], over: [grant(1, { expiresAt: now })], there: [grant(1)] },
    { absent: ['gone'] },
  )
  const { apps } = await connectedApps(account, null, over.deps)
  assert.deepEqual(
    apps.map(({ clientId }) => clientId),
    ['there'],
  )
  const ids = Array.from({ length: 21 }, (_, n) => `c${String(n).padStart(2, '0')}`)
  const many = world(Object.fromEntries(ids.map((id, n) => [id, [grant(n)]])))
  const first = await connectedApps(account, null, many.deps)
  assert.deepEqual([first.apps.length, first.further], [20, 'c19'])
  const second = await connectedApps(account, first.further, many.deps)
  assert.deepEqual([second.apps.map(({ clientId }) => clientId), second.further], [['c20'], null])
})

test('what was allowed and is not used by anything that lives is shown, and taken back with the rest', async () => {
  const consent = (grantedAt: number, scope: string, expiresAt: number | null = null) => ({
    grantedAt,
    scope,
    resources: ['https://api.example'],
    expiresAt,
  })
  const consents = {
    both: [consent(1, 'never shown')],
    ends: [consent(1, '', now + 5), consent(3, 'c', now + 9)],
    stands: [consent(1, 'a b'), consent(7, 'b c', now + 9)],
    gone: [consent(1, 'a')],
  }
  const { deps, withdrawn } = world({ both: [grant(5)] }, { absent: ['gone'], consents })
  const { apps } = await connectedApps(account, null, deps)
  assert.deepEqual(
    apps.map(({ clientId, hasAccess, scope, endsAt }) => [clientId, hasAccess, [...scope].join(' '), endsAt]),
    [
      ['stands', false, 'a b c', null],
      ['both', true, 'openid', now + 1000],
      ['ends', false, 'c', now + 9],
    ],
  )
  assert.deepEqual([apps[0]?.resources, apps[0]?.firstUsedAt], [['https://api.example'], null])
  await disconnectAll(account, visitor, deps)
  assert.deepEqual(
    withdrawn.map(({ clientId }) => clientId),
    ['both', 'ends', 'gone', 'stands'],
  )
})

test('all are taken back, page by page, and each is told of', async () => {
  for (const [count, asks] of [
    [0, 1],
    [19, 1],
    [20, 2],
    [21, 2],
  ] as const) {
    const ids = Array.from({ length: count }, (_, n) => `c${String(n).padStart(2, '0')}`)
    const { deps, withdrawn, pages } = world(Object.fromEntries(ids.map((id) => [id, [grant(1)]])))
    await disconnectAll(account, visitor, deps)
    assert.deepEqual(
      withdrawn.map(({ clientId }) => clientId),
      ids,
    )
    assert.equal(pages.length, asks)
    for (const { event, grantEvent } of withdrawn)
      assert.deepEqual(
        [event.name, grantEvent.name, grantEvent.reason],
        ['consent.withdrawn', 'grant.revoked', 'consent_withdrawn'],
      )
  }
})
