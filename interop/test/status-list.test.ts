/** `@sd-jwt/jwt-status-list`, unmodified: somebody else's reader finds in our lists what we revoked, and nothing else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getListFromStatusListJWT, getStatusListFromJWT } from '@sd-jwt/jwt-status-list'
import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose'
import { api, type Deployment, deployments, ledger, secret } from '../deployments.ts'

const asking = (fields: Readonly<Record<string, string>>) => ({
  method: 'POST',
  headers: { authorization: `Basic ${Buffer.from(`basic:${secret('basic')}`).toString('base64')}` },
  body: new URLSearchParams(fields),
})

async function tokenOf({ fetch, server }: Deployment): Promise<string> {
  const form = { grant_type: 'client_credentials', scope: 'invoices:read' }
  const answer = await fetch(`${server.issuer}/token`, asking(form))
  return ((await answer.json()) as { access_token: string }).access_token
}

/** As its readme says: the reference of the token, the list behind it, checked, unpacked, looked at. */
async function listOf({ fetch, server }: Deployment, uri: string) {
  const answer = await fetch(uri, { headers: { accept: 'application/statuslist+jwt' } })
  assert.equal(answer.headers.get('content-type'), 'application/statuslist+jwt')
  const written = await answer.text()
  const keys = createRemoteJWKSet(new URL(`${server.issuer}/jwks`), { [customFetch]: fetch })
  await jwtVerify(written, keys, { typ: 'statuslist+jwt', subject: uri, maxTokenAge: '2 minutes' })
  return getListFromStatusListJWT(written)
}

const resources = [
  { identifier: api, name: 'Invoices', token_format: 'jwt', status_list: true },
  { identifier: ledger, name: 'Ledger', token_format: 'opaque' },
]

for (const { on, open } of deployments)
  test(`draft-ietf-oauth-status-list §8.3: @sd-jwt/jwt-status-list reads a list of ${on}`, async () => {
    await using deployment = await open({}, { resources })
    const tokens = await Promise.all(Array.from({ length: 20 }, () => tokenOf(deployment)))
    const dead = tokens.filter((_, at) => at % 3 === 0)
    for (const token of dead) {
      const answer = await deployment.fetch(`${deployment.server.issuer}/revoke`, asking({ token }))
      assert.equal(answer.status, 200)
    }
    const { uri } = getStatusListFromJWT(tokens[0] ?? '')
    const list = await listOf(deployment, uri)
    assert.equal(list.getBitsPerStatus(), 1)
    assert.equal(list.statusList.length, 2 ** 20)
    const places = tokens.map((token) => getStatusListFromJWT(token))
    assert.deepEqual(new Set(places.map((place) => place.uri)), new Set([uri]))
    assert.deepEqual(
      places.map(({ idx }) => list.getStatus(idx)),
      tokens.map((token) => (dead.includes(token) ? 1 : 0)),
    )
    assert.equal(
      list.statusList.reduce((sum, status) => sum + status, 0),
      dead.length,
    )
    assert.throws(() => list.getStatus(2 ** 20))
  })
