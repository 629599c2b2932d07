/** What a validator makes of an issuer's options: whom it believes about tenants, of what kinds, and whom it asks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { GivenKeys } from '../../src/issuer/given-keys.ts'
import { connectIssuers } from '../../src/validate/issuer-connections.ts'
import type { IssuerOptions } from '../../src/validate/validator-options.ts'

const address = 'https://as.example'
const credentials = { clientId: 'api', clientSecret: 'secret' }

function connected(more: Partial<IssuerOptions>, issuer = address) {
  const { trusted, feeds, reports, faults } = connectIssuers({
    audience: 'https://api.example',
    issuers: [{ issuer, keys: new GivenKeys({ keys: [] }), ...more }],
  })
  const found = (at: string) => {
    const one = trusted.find(at)
    return one.kind === 'ok' ? one.value : null
  }
  return { found, counts: [feeds.length, reports.length, faults.length], own: found(issuer) ?? assert.fail() }
}

const tenants = (own: { tenantOf(claims: never): string | null | undefined }, ...claims: readonly JsonObject[]) =>
  claims.map((it) => own.tenantOf(it as never))
const [none, acme] = [{}, { tenant: 'acme' }]

test('a foreign issuer names no tenant of ours; an issuer of ours names its own and no other', () => {
  const foreign = connected({ revocation: 'none' }).own
  assert.deepEqual(tenants(foreign, none, acme), [null, null])
  const ours = connected({ revocation: 'feed', credentials }).own
  assert.deepEqual(tenants(ours, none, acme), [null, undefined])
  const tenant = connected({ revocation: 'feed', credentials }, `${address}/t/acme`).own
  assert.deepEqual(tenants(tenant, none, acme, { tenant: 'other' }), [undefined, 'acme', undefined])
  const all = connected({ revocation: 'none', tenants: true }).own
  assert.deepEqual(tenants(all, none, acme), [null, undefined], 'not foreign: it has tenants')
  const said = connected({ revocation: 'none', tenant: () => 'said' }).own
  assert.deepEqual(tenants(said, none, acme), ['said', 'said'])
})

test('tenants are trusted only where that is said, each with its own name and place', () => {
  assert.equal(connected({ revocation: 'none' }).found(`${address}/t/acme`), null)
  const { found } = connected({ revocation: 'none', tenants: true })
  const one = found(`${address}/t/acme`) ?? assert.fail()
  assert.equal(one.issuer, `${address}/t/acme`)
  assert.deepEqual(tenants(one, none, acme, { tenant: 'other' }), [undefined, 'acme', undefined])
})

test('kinds of tokens are compared without their case; without a word access tokens are meant', () => {
  const types = (given?: readonly string[]) => [
    ...connected({ revocation: 'none', ...(given === undefined ? {} : { types: given }) }).own.types,
  ]
  assert.deepEqual([types(), types(['AT+JWT', 'JWT'])], [['at+jwt'], ['at+jwt', 'jwt']])
})

test('what is told of revocations: by the feed, by status lists beside it, or by nobody', () => {
  const shape = (more: Partial<IssuerOptions>) => {
    const { own, counts } = connected(more)
    return [...counts, own.revocation !== null, own.statusLists !== null, own.introspector !== null, own.apiKeys]
  }
  const given = { isRevoked: () => false } as never
  assert.deepEqual(shape({ revocation: 'none' }), [0, 0, 1, false, false, false, false])
  assert.deepEqual(shape({ revocation: 'none', statusLists: {} }), [0, 0, 1, false, false, false, false])
  assert.deepEqual(shape({ credentials }), [1, 1, 1, true, true, true, false])
  assert.deepEqual(shape({ revocation: 'feed', credentials, reports: false }), [1, 0, 1, true, true, true, false])
  assert.deepEqual(shape({ credentials, statusLists: false, introspection: false }), [
    1,
    1,
    1,
    true,
    false,
    false,
    false,
  ])
  assert.deepEqual(shape({ revocation: given, apiKeys: true }), [0, 0, 1, true, true, false, true])
  assert.deepEqual(shape({ revocation: 'none', credentials, reports: true }), [0, 1, 1, false, false, true, false])
})
