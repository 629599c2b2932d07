/** What people are shown of a client and of an account: who vouches for it, and where it is proven to live. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '@grantor/protocol/registration'
import { displayedClient, displayedPerson } from '../../src/interact/display.ts'

const redirectUri = 'https://app.example:8443/cb'
const shown = (
  origin: Client['origin'],
  metadata: Partial<Client['metadata']> = {},
  more: Partial<Client> = {},
  uri = redirectUri,
) => displayedClient({ id: 'web', origin, metadata, ...more } as Client, uri)

test('RFC 9700 §4.11: a host is shown where somebody vouches for it, or where it is the address of the document', () => {
  const document = { id: 'https://docs.example/client.json' }
  const rows: readonly (readonly [ReturnType<typeof shown>, vouchedBy: string, provenHost: string | null])[] = [
    [shown('manual'), 'operator', 'app.example:8443'],
    [shown('declared'), 'operator', 'app.example:8443'],
    [shown('declared', { client_uri: 'https://home.example/' }), 'operator', 'home.example'],
    [shown('declared', { client_uri: 'http://localhost:3000/' }), 'operator', null],
    [shown('declared', {}, {}, 'https://localhost/cb'), 'operator', null],
    [shown('declared', {}, {}, 'http://app.example/cb'), 'operator', null],
    [shown('declared', {}, {}, 'com.example.app:/cb'), 'operator', null],
    [shown('declared', {}, {}, ''), 'operator', null],
    [shown('dynamic', { client_uri: 'https://bank.example/' }), 'nobody', null],
    [shown('dynamic', { client_uri: 'https://bank.example/' }, { vouched: true }), 'operator', null],
    [shown('document', { client_uri: 'https://bank.example/' }, document), 'domain', 'docs.example'],
  ]
  for (const [it, vouchedBy, provenHost] of rows)
    assert.deepEqual([it.vouchedBy, it.provenHost], [vouchedBy, provenHost])
})

test('a client is shown by its name, else by its id, with the pages and colours it has', () => {
  const whole = {
    client_name: 'Web shop',
    policy_uri: 'https://app.example/policy',
    tos_uri: 'https://app.example/terms',
    accent: '#123456',
    background: '#abcdef',
  }
  const { name, policyUri, termsUri, colours, id } = shown('manual', whole)
  assert.deepEqual(
    [id, name, policyUri, termsUri, colours],
    ['web', 'Web shop', whole.policy_uri, whole.tos_uri, { accent: '#123456', background: '#abcdef' }],
  )
  const bare = shown('manual')
  assert.deepEqual([bare.name, bare.policyUri, bare.termsUri], ['web', null, null])
  assert.deepEqual(bare.colours, { accent: null, background: null })
})

test('a person is shown by their name, else by what they sign in with', () => {
  const person = (claims: object) => displayedPerson({ id: 'u1', username: 'ada', claims } as never)
  assert.deepEqual(person({ name: 'Ada' }), { subject: 'u1', username: 'ada', name: 'Ada' })
  for (const claims of [{}, { name: 7 }]) assert.equal(person(claims).name, 'ada')
})
