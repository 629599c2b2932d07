/** What is found of what a grant presents: the facts by their names, whose they are, and the person as they are now. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DevicePollTimes, recordPollOnce } from '../../src/device/device-poll-times.ts'
import { findGrantFacts } from '../../src/tokens/grant-facts.ts'
import { signedToken, signingKey } from '../support/trusted-issuer.ts'

const grantOf = (subject: string) => ({ id: `grant of ${subject}`, authentication: { subject } })
const [code, refresh, waiting] = [{ grant: grantOf('alice') }, { grant: grantOf('bob') }, { grant: null }]

const jwt = (header: object, claims: object) =>
  [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') + '.AAAA'
const own = { alg: 'RS256', kid: 'ours' }

const home = 'https://idp.example'
const key = signingKey('k1')
const people = { linked: [{ sub: 'u-1', username: 'carol' }] }
const trusted = { issuer: home, jwks: { keys: [key.jwk] }, people }

function open() {
  let now = 1_000
  const found =
    (known: Readonly<Record<string, object>>) =>
    async (tenant: string, key: string): Promise<object | null> =>
      (tenant === 'acme' ? known[key] : undefined) ?? null
  const deps = {
    clock: { now: () => now },
    directory: {
      currentCatalogue: async () => ({ tenant: { trustedIssuers: [trusted] } }),
      client: async () => ({ disabledAt: null }),
    },
    ids: { handleOf: (text: string) => `handle of ${text}` },
    issuers: { issuerOf: () => 'https://as.example' },
    keyring: {
      verifier: (_: object, kid: string) => (kid === 'ours' ? { alg: 'RS256', verify: () => true } : null),
    },
    policy: { leeway: 0 },
    people: { find: async (tenant: string, id: string) => ({ tenant, id }) },
    store: {
      grants: {
        code: found({ c: code }),
        refresh: found({ r: refresh }),
        device: found({ d: waiting }),
        find: found({ 'grant of alice': grantOf('alice') }),
      },
      users: { byUsername: found({ carol: { id: 'carol' } }) },
      tokens: {
        opaque: found({ 'handle of ga_known': { grantId: 'grant of alice', scope: new Set(), claims: {} } }),
        status: async () => ({ revokedAt: 5, grantRevokedAt: null }),
      },
    },
  }
  const catalogue = { tenant: { id: 'acme' }, resources: [], scopes: [] }
  const times = new DevicePollTimes()
  const request = () => {
    const sources = { catalogue, recordPoll: recordPollOnce(deps.clock as never, times) }
    return (lookups: object) => findGrantFacts(lookups as never, sources as never, deps as never)
  }
  const facts = (lookups: object) => request()(lookups)
  return { facts, request, later: () => (now += 5_000) }
}

const nobody = { subject: null, person: null, grant: null }

test('a code and a refresh token are found with whose they are; what is not there is nobody’s', async () => {
  const { facts } = open()
  for (const [lookup, it, subject] of [
    [{ find: 'code', by: 'c' }, code, 'alice'],
    [{ find: 'refresh', by: 'r' }, refresh, 'bob'],
  ] as const)
    assert.deepEqual(await facts({ it: lookup }), {
      facts: { it },
      subject,
      person: { tenant: 'acme', id: subject },
      grant: it.grant,
    })
  for (const find of ['code', 'refresh', 'device', 'token'])
    assert.deepEqual(await facts({ it: { find, by: 'x' } }), { facts: { it: null }, ...nobody }, find)
  assert.deepEqual(await facts({}), { facts: {}, ...nobody })
  assert.deepEqual(await facts({ it: null }), { facts: { it: null }, ...nobody })
})

test('RFC 8693 §2.1: of several that are presented the first says whose it is, and no other, though it be nobody’s', async () => {
  const { facts } = open()
  const others = { second: { find: 'code', by: 'c' }, none: null }
  const found = await facts({ first: { find: 'refresh', by: 'r' }, ...others })
  assert.deepEqual([Object.keys(found.facts), found.subject], [['first', 'second', 'none'], 'bob'])
  const { facts: ownerless, ...whose } = await facts({ first: { find: 'device', by: 'd' }, ...others })
  assert.deepEqual([Object.keys(ownerless), whose], [['first', 'second', 'none'], nobody])
})

test('RFC 8628 §3.5: a device is found with when it polled before', async () => {
  const { request, later } = open()
  const polled = async (facts = request()) => (await facts({ it: { find: 'device', by: 'd' } })).facts['it']
  assert.deepEqual(await polled(), { ...waiting, polledAt: null })
  later()
  const second = request()
  assert.deepEqual(await polled(second), { ...waiting, polledAt: 1_000 })
  assert.deepEqual(await polled(second), { ...waiting, polledAt: 1_000 }, 'decided anew, it is the same poll')
})

test('a presented token is ours, or perhaps another issuer’s; what can be neither is nothing', async () => {
  const { facts } = open()
  const presented = async (by: string) => {
    const { facts: found, subject } = await facts({ it: { find: 'token', by } })
    return [found['it'], subject]
  }
  const claims = { sub: 'x', jti: 'grant of alice.1' }
  assert.deepEqual(await presented(jwt({ ...own, typ: 'JWT' }, claims)), [
    { kind: 'jwt', typ: 'jwt', claims, grant: grantOf('alice') },
    'alice',
  ])
  const grantless = { sub: 'x', jti: 'none' }
  assert.deepEqual(await presented(jwt({ ...own, typ: 'JWT' }, grantless)), [
    { kind: 'jwt', typ: 'jwt', claims: grantless, grant: null },
    null,
  ])
  const stranger = { kind: 'refused', problem: 'token_issuer_unknown' }
  assert.deepEqual(await presented(jwt({ ...own, kid: 'theirs' }, claims)), [stranger, null])
  assert.deepEqual(await presented('ga_unknown'), [null, null], 'not even another issuer’s')
  const [found, subject] = await presented('ga_known')
  assert.ok(found !== null && typeof found === 'object' && 'active' in found)
  assert.deepEqual([found.active, subject], [false, 'alice'], 'it was revoked')
  assert.deepEqual(await presented('gr_refresh'), [null, null])
})

test('whom a trusted issuer speaks of is the person, whatever else is presented', async () => {
  const { facts } = open()
  const theirs = (more: object) => {
    const claims = { iss: home, aud: 'https://as.example', sub: 'u-1', iat: 0, exp: 60, ...more }
    return { find: 'foreign', by: signedToken(claims, { by: key }) }
  }
  const { facts: found, ...whose } = await facts({ it: theirs({}) })
  assert.deepEqual(whose, { subject: 'carol', person: { id: 'carol' }, grant: null })
  const { it } = found
  assert.ok(it != null && 'issuer' in it && it.issuer === home)
  const both = await facts({ it: theirs({}), code: { find: 'code', by: 'c' } })
  assert.deepEqual([both.subject, both.person, both.grant], ['carol', { id: 'carol' }, null])
  assert.deepEqual(await facts({ it: theirs({ iss: 'https://other.example' }) }), {
    facts: { it: { kind: 'refused', problem: 'token_issuer_unknown' } },
    ...nobody,
  })
})
