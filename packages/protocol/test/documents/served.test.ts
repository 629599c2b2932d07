/** What a tenant serves of all that the lists hold: nothing that rests on others where it believes nobody. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { served, servedBy, servedFor } from '../../src/documents/served.ts'
import { jwtBearerGrant } from '../../src/grants/grant-types.ts'
import type { Tenant } from '../../src/oauth/tenant.ts'

const others = { issuer: 'https://ci.example', rules: [] }
const of = (more: object) => servedFor(more as Tenant, served)

test('RFC 7523: the grant and the method of others are served where their issuers are believed', () => {
  const alone = of({})
  assert.equal(alone.grantTypes.includes(jwtBearerGrant), false)
  assert.equal(alone.clientAuthMethods.includes('federated_jwt'), false)
  assert.equal(alone.grantTypes.length, served.grantTypes.length - 1)
  assert.equal(alone.clientAuthMethods.length, served.clientAuthMethods.length - 1)
  const trusting = of({ trustedIssuers: [others] })
  assert.deepEqual(trusting.grantTypes, served.grantTypes)
  assert.deepEqual(trusting.clientAuthMethods, served.clientAuthMethods)
})

test('FAPI 2.0 §5.3.2.1: a tenant with a profile serves the methods of the profile alone, trusting or not', () => {
  const strong = ['private_key_jwt', 'self_signed_tls_client_auth', 'tls_client_auth']
  for (const trustedIssuers of [[], [others]])
    assert.deepEqual(of({ profile: 'fapi2-security', trustedIssuers }).clientAuthMethods.toSorted(), strong)
})

test('ID-JAGs are redeemed where one of the issuers is believed about people', () => {
  assert.equal(of({}).redeemsIdJags, false)
  assert.equal(of({ trustedIssuers: [others] }).redeemsIdJags, false)
  assert.equal(of({ trustedIssuers: [others, { ...others, people: {} }] }).redeemsIdJags, true)
})

test('certificates are asked for where a method rests on them', () => {
  const grants = [{ type: 'client_credentials' }]
  assert.equal(servedBy(grants, [{ method: 'none' }]).certificates, false)
  assert.equal(servedBy(grants, [{ method: 'none' }, { method: 'tls', byCertificate: true }]).certificates, true)
})
