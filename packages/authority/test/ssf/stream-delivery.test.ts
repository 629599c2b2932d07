/** What a stream of shared signals is told, and of whom: over a store that is a table. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SealedEvent } from '@grantor/protocol/events'
import type { Client } from '@grantor/protocol/registration'
import { signalType } from '@grantor/protocol/ssf'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { ReceiverRow } from '@grantor/store'
import { findNamedPerson } from '../../src/ssf/named-person.ts'
import { openPolls } from '../../src/ssf/polls.ts'
import { pushedSet, signedSet } from '../../src/ssf/signed-set.ts'
import { streamDeliveries } from '../../src/ssf/stream-delivery.ts'

const tenant = 'acme' as TenantId
const at = Date.parse('2026-11-15T12:00:00.900Z')
const issuers = { issuerOf: (of: string) => `https://as.example/t/${of}` }

interface Facts {
  readonly client?: Partial<Client['metadata']> | null
  readonly disabled?: boolean
  readonly known?: boolean
  readonly named?: { readonly removed: boolean; readonly subId: JsonObject } | null
  readonly delivered?: readonly string[]
  readonly groups?: readonly string[]
  readonly scope?: readonly string[]
  readonly person?: boolean
}

const every = [signalType.sessionRevoked, signalType.credentialChange, signalType.tokenClaimsChange]

async function told(event: Partial<SealedEvent>, facts: Facts = {}) {
  const { client = {}, disabled = false, known = true, named = null, delivered = every } = facts
  const { groups = ['staff'], scope = ['openid', 'profile'], person = true } = facts
  const held = client === null ? null : { tenant, id: 'web', metadata: client, disabledAt: disabled ? at : null }
  const config = { clientId: 'web', delivered }
  const store = {
    keys: { derived: (purpose: string) => Buffer.from(purpose) },
    streamSubjects: { find: async () => named, isKnown: async () => known },
    grants: { search: async () => [{ scope: new Set(scope) }] },
    users: { byId: async () => (person ? { id: 'u1', claims: {}, groups } : null) },
  }
  const deps = { clock: { now: () => at }, directory: { client: async () => held }, issuers, store }
  const base = { id: 'e1', pos: 7, tenant, at, subject: 'u1', actor: { kind: 'operator', id: 'x' }, data: {} }
  const whole = { ...base, ...event } as unknown as SealedEvent
  const made = await streamDeliveries(whole, { id: 's1', tenant, config } as unknown as ReceiverRow, deps as never)
  return made.map(({ payload, ...rest }) => ({ ...rest, payload: JSON.parse(payload) as JsonObject }))
}

const ended = { name: 'session.ended', data: { sid: 'sid-1' } } as Partial<SealedEvent>
const added = { name: 'factor.removed', data: { factor: 'all' } } as Partial<SealedEvent>
const roles = { name: 'admin.user_changed', data: { roles: 'x' } } as Partial<SealedEvent>
const user = { format: 'iss_sub', iss: 'https://as.example/t/acme', sub: 'u1' }

test('SSF 1.0 §4.2.1: each signal of an event is one SET with an id of its own, about the person as the client knows them', async () => {
  const [only, ...more] = await told(ended)
  assert.deepEqual(more, [])
  assert.ok(only)
  const { payload, ...row } = only
  assert.deepEqual(
    { ...row, orderKey: '' },
    { tenant, receiver: 's1', id: 'e1', pos: 7, type: signalType.sessionRevoked, orderKey: '', madeAt: at },
  )
  assert.deepEqual(payload, {
    sub_id: { format: 'complex', user, session: { format: 'opaque', id: 'sid-1' } },
    events: {
      [signalType.sessionRevoked]: { event_timestamp: Math.floor(at / 1000), initiating_entity: 'admin' },
    },
  })
  assert.deepEqual(
    (await told(added)).map(({ id, payload: { sub_id } }) => [id, sub_id]),
    [
      ['e1', user],
      ['e1-1', user],
    ],
  )
})

test('a stream is told what it asked for, and nothing where its client is gone or disabled', async () => {
  assert.deepEqual(await told(ended, { delivered: [signalType.credentialChange] }), [])
  assert.deepEqual(await told({ name: 'token.issued' }), [])
  assert.deepEqual(await told(ended, { client: null }), [])
  assert.deepEqual(await told(ended, { disabled: true }), [])
})

test('a client hears of whom it knows or has named, by the name it gave, and never of whom it removed', async () => {
  const subId = { format: 'email', email: 'ada@corp.example' }
  assert.deepEqual(await told(ended, { known: false }), [])
  assert.deepEqual(await told(ended, { named: { removed: true, subId } }), [])
  assert.deepEqual(await told(ended, { known: false, named: { removed: true, subId } }), [])
  for (const known of [true, false]) {
    const [one] = await told(added, { known, named: { removed: false, subId } })
    assert.deepEqual(one?.payload['sub_id'], subId)
  }
})

test('OIDC Core §8.1: a client with pairwise subjects hears of neither the person’s own id nor the session’s', async () => {
  const client = { subject_type: 'pairwise', redirect_uris: ['https://client.example/cb'] } as const
  const [one] = await told(ended, { client })
  assert.ok(one)
  assert.doesNotMatch(JSON.stringify(one.payload), /u1|sid-1/)
})

test('CAEP 1.0 §3.2: changed claims are told as they are now, where a sign-in of the client told them', async () => {
  const client = {
    scope: 'openid profile',
    claim_mappings: [
      { claim: 'teams', from: 'groups' },
      { claim: 'mail', from: 'email' },
    ],
  } as const
  const body = async (facts: Facts) => {
    const [one] = await told(roles, { client, ...facts })
    const events = one?.payload['events'] as Record<string, JsonObject> | undefined
    return events?.[signalType.tokenClaimsChange]?.['claims']
  }
  assert.deepEqual(await body({}), { teams: ['staff'] })
  // What became empty is told as such.
  assert.deepEqual(await body({ groups: [] }), { teams: [] })
  assert.equal(await body({ scope: ['openid'] }), undefined)
  assert.equal(await body({ person: false }), undefined)
  assert.equal(await body({ client: {} }), undefined)
  // Who was only named never had a token, and so no claims in one.
  const named = { removed: false, subId: { format: 'email', email: 'a@b.example' } }
  assert.equal(await body({ known: false, named }), undefined)
  assert.deepEqual(await body({ known: true, named }), { teams: ['staff'] })
})

const row = { tenant, id: 'e1', payload: '{"sub_id":{"format":"opaque"}}', madeAt: at }
const signing = (there = true) => {
  const asked: string[] = []
  const signer = { sign: async (typ: string, claims: JsonObject) => JSON.stringify({ typ, claims }) }
  return {
    asked,
    directory: { currentCatalogue: async () => (there ? {} : null) },
    issuers,
    keyring: { signer: async (_: unknown, alg: string) => (asked.push(alg), signer) },
    vault: {
      open: (sealed: Uint8Array, context: string) =>
        context === 'webhook acme s1' && sealed.length > 0 ? Buffer.from('Bearer x') : null,
    },
  }
}
const to = {
  tenant,
  id: 's1',
  status: 'enabled',
  sealedSecret: null,
  config: { clientId: 'web' },
} as never as ReceiverRow

test('RFC 8417 §2.2: a SET has its issuer, its audience, its time and an id that stays the same', async () => {
  const deps = signing()
  const set = JSON.parse((await signedSet(row as never, to, deps as never)) ?? '') as JsonObject
  assert.deepEqual(set, {
    typ: 'secevent+jwt',
    claims: {
      iss: 'https://as.example/t/acme',
      jti: 'e1',
      iat: Math.floor(at / 1000),
      aud: 'web',
      sub_id: { format: 'opaque' },
    },
  })
  assert.deepEqual(deps.asked, ['RS256'])
  assert.equal(await signedSet(row as never, to, signing(false) as never), null)
})

test('RFC 8935 §2.1: it is pushed as a SET, with the header of the receiver or not at all', async () => {
  const push = async (sealedSecret: Uint8Array | null, there = true) =>
    pushedSet({ ...row, to: { ...to, sealedSecret } } as never, signing(there) as never)
  const plain = await push(null)
  assert.deepEqual([plain?.type, plain?.headers], ['application/secevent+jwt', { accept: 'application/json' }])
  assert.deepEqual((await push(Buffer.of(1)))?.headers, { accept: 'application/json', authorization: 'Bearer x' })
  assert.equal(await push(Buffer.of()), null, 'no key of ours opens it')
  assert.equal(await push(null, false), null)
})

test('a receiver names people as its client knows them: by a verified address of one person, or by their id here', async () => {
  const person = (id: string, email_verified = true) => ({ id, claims: { email_verified } })
  const find = async (named: object, people: readonly object[], client: object = {}) =>
    findNamedPerson(
      named as never,
      { tenant, id: 'web', metadata: { redirect_uris: ['https://client.example/cb'], ...client } } as never,
      {
        issuers,
        store: {
          keys: { derived: () => Buffer.from('k') },
          users: { byEmail: async () => people, byId: async () => people[0] ?? null },
        },
      } as never,
    )
  const byEmail = { by: 'email', email: 'ada@corp.example' }
  assert.equal(await find(byEmail, [person('u1')]), 'u1')
  assert.equal(await find(byEmail, [person('u1', false)]), null)
  assert.equal(await find(byEmail, [person('u1'), person('u2')]), null)
  assert.equal(await find(byEmail, []), null)
  for (const [iss, found] of [
    [null, 'u1'],
    ['https://as.example/t/acme', 'u1'],
    ['https://as.example', null],
  ] as const)
    assert.equal(await find({ by: 'sub', iss, sub: 'u1' }, [person('u1')]), found, String(iss))
  assert.equal(await find({ by: 'sub', iss: null, sub: 'u1' }, []), null)
  assert.equal(await find({ by: 'sub', iss: null, sub: 'u1' }, [person('u1')], { subject_type: 'pairwise' }), null)
})

const polling = { ...to, config: { clientId: 'web', method: 'poll' } } as never as ReceiverRow
const unchanged = { find: async () => polling }
const patient = { maxEvents: 9, returnImmediately: false, ack: [], setErrs: [], over: () => false }

test('nobody waits for one who has left, and the next one who comes waits again', async () => {
  const waiting: object[] = []
  const store = { eventDeliveries: { waiting: async () => [...waiting] }, eventReceivers: unchanged }
  const poll = openPolls({ ...signing(), store } as never)
  assert.deepEqual((await poll(polling, { ...patient, over: () => true })).sets, {})
  let left = false
  const first = poll(polling, { ...patient, over: () => left })
  left = true
  assert.deepEqual((await first).sets, {})
  let waited = 0
  const next = poll(polling, { ...patient, waited: (milliseconds) => void (waited += milliseconds) })
  waiting.push(row)
  assert.deepEqual(Object.keys((await next).sets), ['e1'])
  assert.ok(waited > 0, 'it says that it only waited')
})

test('whoever waits gets nothing more of a stream that is paused, pushed or deleted meanwhile', async () => {
  for (const now of [{ ...polling, status: 'paused' }, { ...polling, config: { method: 'push' } }, null]) {
    let looks = 0
    const eventDeliveries = {
      waiting: async ({ status }: Pick<ReceiverRow, 'status'>) => (looks++ > 0 && status === 'enabled' ? [row] : []),
    }
    const store = { eventDeliveries, eventReceivers: { find: async () => now } }
    assert.deepEqual((await openPolls({ ...signing(), store } as never)(polling, patient)).sets, {})
  }
})

test('whoever does not acknowledge gets the same again, signed once; another key and another stream sign anew', async () => {
  const signed: string[] = []
  let kid = 'k1'
  const signer = () => ({
    kid,
    sign: (_: string, { aud, jti }: { readonly aud: string; readonly jti: string }) => (
      signed.push(`${kid} ${aud} ${jti}`),
      `${kid} ${aud}`
    ),
  })
  const store = { eventDeliveries: { waiting: async () => [row, { ...row, id: 'e2' }] }, eventReceivers: unchanged }
  const poll = openPolls({ ...signing(), keyring: { signer }, store } as never)
  const other = { ...polling, id: 's2', config: { clientId: 'app', method: 'poll' } }
  for (const from of [polling, polling, other]) await poll(from, patient)
  assert.deepEqual(signed, ['k1 web e1', 'k1 web e2', 'k1 app e1', 'k1 app e2'])
  kid = 'k2'
  assert.deepEqual((await poll(polling, patient)).sets, { e1: 'k2 web', e2: 'k2 web' })
})

test('RFC 8936 §2.4: what waits is fetched at once, so many at a time; who is patient gets it when it comes', async () => {
  const waiting: { id: string; payload: string; tenant: TenantId; madeAt: number }[] = []
  const limits: number[] = []
  const eventDeliveries = {
    waiting: async ({ status }: Pick<ReceiverRow, 'status'>, limit: number) => (
      limits.push(limit),
      status === 'enabled' ? waiting.slice(0, limit) : []
    ),
  }
  const poll = openPolls({ ...signing(), store: { eventDeliveries, eventReceivers: unchanged } } as never)
  const fetch = async (more: object = {}, from: object = {}) => {
    const asked = { maxEvents: 2, returnImmediately: true, over: () => false, ...more }
    const { sets, moreAvailable } = await poll({ ...to, ...from }, asked as never)
    return [Object.keys(sets), moreAvailable] as const
  }
  assert.deepEqual(await fetch(), [[], false])
  for (const id of ['a', 'b', 'c']) waiting.push({ ...row, id })
  assert.deepEqual(await fetch(), [['a', 'b'], true])
  assert.deepEqual(await fetch({ maxEvents: 3 }), [['a', 'b', 'c'], false])
  assert.deepEqual(limits, [3, 3, 4])
  // To be acknowledged only, nothing is waited for (§2.4.2).
  assert.deepEqual(await fetch({ maxEvents: 0, returnImmediately: false }), [[], true])
  assert.deepEqual(await fetch({ returnImmediately: false }, { status: 'paused' }), [[], false])
  waiting.length = 0
  assert.deepEqual(await fetch({ maxEvents: 0, returnImmediately: false }), [[], false])
  const patient = fetch({ returnImmediately: false })
  // One request of a stream waits at a time; another stream has its own.
  assert.deepEqual(await fetch({ returnImmediately: false }), [[], false])
  const others = Array.from({ length: 199 }, (_, n) => fetch({ returnImmediately: false }, { id: `other-${n}` }))
  assert.deepEqual(await fetch({ returnImmediately: false }, { id: 'one too many' }), [[], false])
  waiting.push({ ...row, id: 'd' })
  assert.deepEqual(await patient, [['d'], false])
  for (const other of others) assert.deepEqual(await other, [['d'], false])
  waiting.length = 0
  // They are gone: there is room to wait again.
  const again = fetch({ returnImmediately: false })
  waiting.push({ ...row, id: 'e' })
  assert.deepEqual(await again, [['e'], false])
})
