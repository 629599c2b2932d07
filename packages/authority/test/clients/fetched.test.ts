/** What is asked of strangers: of which kinds, how large at most, how new, and what for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outbound } from '@grantor/authority'
import { served } from '@grantor/protocol/documents'
import { defaultPolicy } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import { documentClient } from '../../src/clients/document.ts'
import { keysOfClient } from '../../src/clients/keys.ts'
import { openLogos } from '../../src/clients/logos.ts'
import { registrationContext, requestedMetadata } from '../../src/clients/registration.ts'
import { keysOfIssuer, issuerKeys } from '../../src/trust/issuer-keys.ts'
import { nowhere } from '../support/deployment.ts'

type Asked = Parameters<Outbound['fetch']>[0]

async function askedBy(act: (outbound: Outbound) => unknown): Promise<readonly Asked[]> {
  const asked: Asked[] = []
  await act({ ...nowhere, fetch: (it) => (asked.push(it), Promise.resolve(err('unreachable'))) })
  return asked
}

const url = 'https://client.example/there'
const maxBytes = 65_536
const json = 'application/json'
const keySets = [json, 'application/jwk-set+json']

test('keys of a client: what is there, and once more no older than ten seconds', async () => {
  const cause = { purpose: 'jwks_uri', clientId: 'c' }
  const client = { id: 'c', metadata: { jwks_uri: url } } as never
  assert.deepEqual(await askedBy((outbound) => keysOfClient(client, () => false, outbound)), [
    { url, types: keySets, maxBytes, cause },
    { url, types: keySets, maxBytes, cause, noOlderThan: 10 },
  ])
  assert.equal((await askedBy((outbound) => keysOfClient(client, () => true, outbound))).length, 1)
})

test('keys of an issuer: its document, what is there, and once more no older than half a minute', async () => {
  const cause = { purpose: 'trusted_issuers', clientId: null }
  const found = await askedBy((outbound) => keysOfIssuer({ issuer: 'https://idp.example/' }, outbound))
  assert.deepEqual(found, [
    { url: 'https://idp.example/.well-known/openid-configuration', types: [json], maxBytes, cause },
  ])
  const given = { issuer: 'https://idp.example', jwks_uri: url } as never
  assert.deepEqual(await askedBy((outbound) => issuerKeys(given, {} as never, outbound)), [
    { url, types: keySets, maxBytes, cause },
    { url, types: keySets, maxBytes, cause, noOlderThan: 30 },
  ])
})

test('a logo: a picture', async () => {
  const clock = { now: () => 0 }
  const asked = await askedBy((outbound) =>
    openLogos({ clock, outbound } as never).cachedVersion({ id: 'c', metadata: { logo_uri: url } } as never),
  )
  assert.deepEqual(
    asked.map(({ types, ...it }) => [it, types.every((type) => type.startsWith('image/'))]),
    [[{ url, maxBytes, cause: { purpose: 'logo_uri', clientId: 'c' } }, true]],
  )
})

const inSector = {
  redirect_uris: ['https://client.example/cb'],
  subject_type: 'pairwise',
  sector_identifier_uri: url,
}
const on = registrationContext({ tenant: {}, resources: [], scopes: [] } as never, { policy: defaultPolicy, served })

test('the sector of a client: a list, always anew', async () => {
  const asked = await askedBy((outbound) => requestedMetadata(inSector, on, outbound))
  const cause = { purpose: 'sector_identifier_uri', clientId: null }
  assert.deepEqual(asked, [{ url, types: [json], maxBytes, anew: true, cause }])
  const { sector_identifier_uri: _, ...without } = inSector
  assert.deepEqual(await askedBy((outbound) => requestedMetadata(without, on, outbound)), [])
})

test('OIDC Registration §5: a sector is theirs whom its document names with every address', async () => {
  const [uri] = inSector.redirect_uris
  const unnamed = 'must hold a JSON list that names every redirect URI'
  for (const [text, problem] of [
    [JSON.stringify([uri]), null],
    [JSON.stringify(['https://other.example/cb', uri]), null],
    [JSON.stringify(['https://other.example/cb']), unnamed],
    [JSON.stringify({ 0: uri }), unnamed],
    ['[', unnamed],
    [null, 'could not be read: nobody answered there'],
  ] as const) {
    const fetch = async () => (text === null ? err('unreachable') : ok({ body: Buffer.from(text) }))
    const read = await requestedMetadata(inSector, on, { fetch } as never)
    assert.deepEqual(
      read.kind === 'ok' ? null : read.error,
      problem === null ? null : { reason: 'client_metadata_invalid', field: 'sector_identifier_uri', problem },
    )
  }
})

test('the document that a client is known by', async () => {
  const catalogue = { tenant: {}, resources: [], scopes: [] } as never
  const asked = await askedBy((outbound) =>
    documentClient(
      { id: url, origin: { tenant: 'default', ip: null }, catalogue } as never,
      {
        clock: { now: () => 0 },
        directory: { currentClient: () => Promise.resolve(null) },
        limits: { takeByAddress: () => Promise.resolve(null) },
        policy: defaultPolicy,
        served,
        outbound,
      } as never,
    ),
  )
  const cause = { purpose: 'client_metadata_document', clientId: url }
  assert.deepEqual(asked, [{ url, types: [json, 'application/*+json'], maxBytes: 5 * 1024, cause }])
})
