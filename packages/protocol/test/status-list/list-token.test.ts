import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStatusListClaims, statusClaim, statusListClaims, statusReference } from '@grantor/protocol/status-list'
import type { Instant, JsonObject } from '@grantor/protocol/types'

const uri = 'https://as.example/status-lists/one'
const now = 1_800_000_000_500 as Instant
const written = statusListClaims({ uri, issuedAt: now, lst: 'eNrbuRgAAhcBXQ', aggregationUri: 'https://as.example/x' })
const expected = { uri, issuer: 'https://as.example', now, leeway: 60_000 }

test('draft-ietf-oauth-status-list §5.1: a list says its own address, when it was made and how long it may be used', () => {
  assert.deepEqual(written, {
    sub: uri,
    iat: 1_800_000_000,
    exp: 1_800_000_120,
    ttl: 60,
    status_list: { bits: 1, lst: 'eNrbuRgAAhcBXQ', aggregation_uri: 'https://as.example/x' },
  })
  assert.deepEqual(readStatusListClaims(written, expected), {
    issuedAt: 1_800_000_000_000,
    expiresAt: 1_800_000_120_000,
    ttl: 60,
    bits: 1,
    lst: 'eNrbuRgAAhcBXQ',
  })
})

const without = (name: string): JsonObject => Object.fromEntries(Object.entries(written).filter(([it]) => it !== name))
const listed = (more: JsonObject): JsonObject => ({ ...written, status_list: { bits: 1, lst: 'eNr', ...more } })

const accepted: readonly (readonly [string, JsonObject])[] = [
  ['without exp', without('exp')],
  ['without ttl', without('ttl')],
  ['that names its issuer', { ...written, iss: 'https://as.example' }],
  ['a little from the future', { ...written, iat: 1_800_000_060 }],
  ['expired within the leeway', { ...written, exp: 1_799_999_941 }],
  ['with eight bits', listed({ bits: 8 })],
]
for (const [what, claims] of accepted)
  test(`draft-ietf-oauth-status-list §8.3: a list ${what} is read`, () => {
    assert.notEqual(readStatusListClaims(claims, expected), null)
  })

const refused: readonly (readonly [string, JsonObject])[] = [
  ['of another address', { ...written, sub: `${uri}/` }],
  ['without an address', without('sub')],
  ['of another issuer', { ...written, iss: 'https://other.example' }],
  ['without iat', without('iat')],
  ['from the future', { ...written, iat: 1_800_000_061 }],
  ['that is not valid yet', { ...written, nbf: 1_800_000_061 }],
  ['that has expired', { ...written, exp: 1_799_999_940 }],
  ['with exp as a text', { ...written, exp: '1800000120' }],
  ['with exp null', { ...written, exp: null }],
  ['with ttl 0', { ...written, ttl: 0 }],
  ['with a negative ttl', { ...written, ttl: -1 }],
  ['with ttl as a text', { ...written, ttl: '60' }],
  ['without a list', without('status_list')],
  ['with a list of lists', { ...written, status_list: [] }],
  ['with three bits', listed({ bits: 3 })],
  ['with bits as a text', listed({ bits: '1' })],
  ['without bits', { ...written, status_list: { lst: 'eNr' } }],
  ['without statuses', { ...written, status_list: { bits: 1 } }],
]
for (const [what, claims] of refused)
  test(`draft-ietf-oauth-status-list §8.3: a list ${what} is none`, () => {
    assert.equal(readStatusListClaims(claims, expected), null)
  })

test('draft-ietf-oauth-status-list §6.1: the status claim of a token is read as it is written', () => {
  const claim = statusClaim({ uri, idx: 412 })
  assert.deepEqual(claim, { status_list: { idx: 412, uri } })
  assert.deepEqual(statusReference({ status: claim }), { uri, idx: 412 })
  assert.deepEqual(statusReference({ status: { ...claim, other: {} } }), { uri, idx: 412 })
})

const unreadable: readonly (readonly [string, JsonObject])[] = [
  ['absent', {}],
  ['null', { status: null }],
  ['a text', { status: uri }],
  ['of another mechanism', { status: { other: {} } }],
  ['without an index', { status: { status_list: { uri } } }],
  ['with a negative index', { status: { status_list: { uri, idx: -1 } } }],
  ['with a broken index', { status: { status_list: { uri, idx: 0.5 } } }],
  ['with an index beyond all numbers', { status: { status_list: { uri, idx: 2 ** 53 } } }],
  ['with an index as a text', { status: { status_list: { uri, idx: '0' } } }],
  ['without an address', { status: { status_list: { idx: 0 } } }],
  ['with an empty address', { status: { status_list: { idx: 0, uri: '' } } }],
  ['with an endless address', { status: { status_list: { idx: 0, uri: `https://${'a'.repeat(2048)}` } } }],
]
for (const [what, claims] of unreadable)
  test(`draft-ietf-oauth-status-list §6.1: a status claim that is ${what} refers to nothing`, () => {
    assert.equal(statusReference(claims), null)
  })
