/** Reads by key that arrive together: PostgreSQL is asked about them together, and nobody can tell. */
import { deepEqual, equal } from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import type { Store } from '../src/contract/store.ts'
import { acme, at, basisNow, grantId, handle, issuance, jti, opaqueToken, other, revocable } from './samples.ts'
import { type OpenEngine, storeTest } from './store-test.ts'
import { populated } from './verb-calls.ts'

type Ask = (store: Store, tenant: typeof acme, key: string) => Promise<unknown>

/** What is found by the key, in the populated store. */
const lookups: Readonly<Record<string, readonly [key: string, Ask]>> = {
  'the stamp of a tenant': ['', (store, tenant) => store.directory.stamp(tenant)],
  'an opaque token': ['handle of expired', (store, tenant, key) => store.tokens.opaque(tenant, handle(key))],
  'the status of a token': [
    'revoked',
    (store, tenant, key) => store.tokens.status(tenant, revocable({ jti: jti(key) })),
  ],
  'the status of a token of a grant': [
    'g1',
    (store, tenant, key) => store.tokens.status(tenant, revocable({ grantId: grantId(key) })),
  ],
  'a code': ['code g1', (store, tenant, key) => store.grants.code(tenant, handle(key))],
  'a refresh token': ['refresh r1', (store, tenant, key) => store.grants.refresh(tenant, handle(key))],
  'a grant': ['g2', (store, tenant, key) => store.grants.find(tenant, grantId(key))],
  'a device that polls': ['device d1', (store, tenant, key) => store.grants.device(tenant, handle(key))],
  'a device': ['device d1', (store, tenant, key) => store.devices.find(tenant, handle(key))],
  'a person by name': ['ada', (store, tenant, key) => store.users.byUsername(tenant, key)],
  'a person by id': ['ada', (store, tenant, key) => store.users.byId(tenant, key)],
  'a session': ['session s1', (store, tenant, key) => store.sessions.find(tenant, handle(key))],
  'a session by id': ['s1', (store, tenant, key) => store.sessions.byId(tenant, key)],
  'an interaction': ['interaction i1', (store, tenant, key) => store.interactions.find(tenant, handle(key))],
  'a pushed request': ['pushed p1', (store, tenant, key) => store.pushedRequests.find(tenant, handle(key))],
}

export function lookupSuite(open: OpenEngine): void {
  storeTest(open, 'what is asked together is answered as if each had asked alone', async ({ store }) => {
    await populated(store)
    await store.tokens.revoke({ tenant: acme, jti: jti('revoked'), at: at(2), expiresAt: at(9_000), events: [] })
    for (const [name, [key, ask]] of Object.entries(lookups)) {
      // Nothing can be kept under the last one: PostgreSQL refuses it as a value, and then only to whoever asked.
      const keys = [key, `no ${key}`, key, '', '\0']
      const questions = [acme, other].flatMap((tenant) => keys.map((it) => () => ask(store, tenant, it).catch(String)))
      const alone: unknown[] = []
      for (const question of questions) alone.push(await question())
      deepEqual(await Promise.all(questions.map((question) => question())), alone, name)
    }
  })

  storeTest(open, 'a lookup among many sees what was committed before it began', async ({ store }) => {
    await populated(store)
    const basis = await basisNow(store)
    const stamped = await store.directory.stamp(acme)
    const over = new AbortController()
    const others = Array.from({ length: 20 }, async (_, n) => {
      while (!over.signal.aborted) {
        await store.tokens.opaque(acme, handle(`handle of t${n}`))
        await setImmediate()
      }
    })
    for (let n = 0; n < 20; n += 1) {
      await store.tokens.issue(issuance(basis, { opaque: opaqueToken(`t${n}`) }))
      equal((await store.tokens.opaque(acme, handle(`handle of t${n}`)))?.jti, `jti of t${n}`)
    }
    over.abort()
    await Promise.all(others)
    equal(await store.directory.stamp(acme), stamped)
  })
}
