import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { served } from '../../src/documents/served.ts'
import { clientMetadata } from '../../src/registration/client-metadata.ts'
import { derivePairwiseSubject, subjectOf } from '../../src/oidc/subject.ts'
import type { ClientMetadata } from '../../src/registration/client-fields.ts'
import type { Client } from '../../src/registration/client.ts'
import type { Instant, TenantId } from '../../src/types.ts'
import { client } from '../samples.ts'

const key = new Uint8Array(32).fill(7)

const pairwise = (id: string, metadata: Partial<ClientMetadata> = {}, tenant = 'default') => {
  const redirect_uris = ['https://app.example/cb']
  return client({ redirect_uris, subject_type: 'pairwise', ...metadata }, { id, tenant: tenant as TenantId })
}
const sub = (it: Client, person = 'alice') => derivePairwiseSubject(it, person, key)

test('OIDC Core §8: a public client knows people by their id', () => {
  assert.equal(sub(pairwise('a', { subject_type: 'public' })), null)
  const authentication = { subject: 'alice', sessionId: 's', at: 0 as Instant, acr: '', amr: [] }
  assert.equal(subjectOf({ pairwiseSubject: null, authentication }), 'alice')
  assert.equal(subjectOf({ pairwiseSubject: 'x', authentication }), 'x')
})

test('OIDC Core §8.1: clients of one sector get one subject, of two sectors two, of one person only', () => {
  const first = pairwise('a')
  assert.match(sub(first) ?? '', /^[\w-]{43}$/)
  assert.equal(sub(pairwise('b', { redirect_uris: ['https://app.example/other'] })), sub(first))
  const sector = {
    sector_identifier_uri: 'https://app.example/sector.json',
    redirect_uris: ['https://else.example/cb'],
  }
  assert.equal(sub(pairwise('c', sector)), sub(first))
  assert.notEqual(sub(pairwise('d', { redirect_uris: ['https://else.example/cb'] })), sub(first))
  assert.notEqual(sub(first, 'bob'), sub(first))
  assert.notEqual(sub(pairwise('a', {}, 'acme')), sub(first))
  assert.notEqual(derivePairwiseSubject(first, 'alice', new Uint8Array(32)), sub(first))
})

test('OIDC Core §8.1: a client without a sector shares its subjects with nobody', () => {
  const loose = (id: string) => pairwise(id, { redirect_uris: ['http://127.0.0.1/cb'] })
  assert.notEqual(sub(loose('a')), sub(loose('b')))
  assert.notEqual(sub(loose('app.example')), sub(pairwise('x')))
})

test('no two of tenant, sector and person run into each other', () => {
  const host = fc.constantFrom('a.example', 'aa.example', 'b.example')
  const part = fc.string({ maxLength: 4 }).map((text) => text.replaceAll('\0', ''))
  fc.assert(
    fc.property(fc.tuple(part, host, part), fc.tuple(part, host, part), (one, two) => {
      const made = ([tenant, at, person]: readonly [string, string, string]) =>
        sub(pairwise('x', { redirect_uris: [`https://${at}/cb`] }, tenant), person)
      assert.equal(made(one) === made(two), JSON.stringify(one) === JSON.stringify(two))
    }),
  )
})

test('OIDC Registration §5: pairwise needs a sector to be registered', () => {
  const registering = (more: object) =>
    clientMetadata({ redirect_uris: ['https://app.example/cb'], subject_type: 'pairwise', ...more }, served)
  assert.equal(registering({}).kind, 'ok')
  const two = { redirect_uris: ['https://app.example/cb', 'https://else.example/cb'] }
  const refused = registering(two)
  assert.deepEqual(refused.kind === 'error' && refused.error.map((it) => it.field), ['subject_type'])
  assert.equal(registering({ ...two, sector_identifier_uri: 'https://app.example/sector.json' }).kind, 'ok')
  assert.equal(registering({ redirect_uris: ['http://127.0.0.1/cb'], application_type: 'native' }).kind, 'error')
})
