/** Resources that ask for tokens of type JWT: the same rights, and nothing else of that type is taken for one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formOf } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import {
  api,
  asking,
  databases,
  declare,
  type Deployment,
  isActive,
  openDeployment,
  operator,
  root,
} from '../support/deployment.ts'
import { authorizeQuery, declarePeople, PersonAtBrowser, redemption } from '../support/person.ts'

const origin = { tenant: root, ip: null, traceId: null }
const headerOf = (jwt: string): JsonObject =>
  JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()) as JsonObject

async function tokens({ authority }: Deployment): Promise<Readonly<Record<string, string>>> {
  const code = await new PersonAtBrowser(authority).code(authorizeQuery())
  const answer = await authority.token(asking(redemption(code), { as: 'web' }))
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  return answer.value as Record<string, string>
}

for (const database of databases) {
  test(`${database}: RFC 9068 §2.1: a resource has tokens of type at+jwt, or JWT where it asks for it`, async () => {
    const it = await openDeployment(database)
    await declarePeople(it, { userinfo_signed_response_alg: 'ES256' })
    const { authority } = it
    assert.equal(headerOf((await tokens(it))['access_token'] ?? '')['typ'], 'at+jwt')
    const wanted = { resources: [{ identifier: api, name: 'Invoices API', token_typ: 'JWT' }] }
    await declare(it, wanted)
    const exported = await authority.admin.declared.export()
    assert.ok(JSON.stringify(exported).includes('"token_typ":"JWT"'))
    const again = await authority.admin.declared.plan(wanted)
    assert.ok(again.kind === 'ok', JSON.stringify(again))

    const { access_token: access = '', id_token: idToken = '' } = await tokens(it)
    assert.equal(headerOf(access)['typ'], 'JWT')
    assert.equal(headerOf(idToken)['typ'], 'JWT')
    // The server knows its own: by introspection, at userinfo and in a revocation.
    assert.ok(await isActive(authority, access, { as: 'api' }))
    const about = await authority.userinfo(access, origin)
    assert.ok(about.kind === 'ok' && about.value.signed !== null)
    assert.equal(headerOf(about.value.signed)['typ'], 'JWT')
    for (const other of [idToken, about.value.signed]) {
      for (const as of ['api', 'web']) assert.equal(await isActive(authority, other, { as }), false)
      const refused = await authority.userinfo(other, origin)
      assert.equal(refused.kind === 'error' && refused.error, 'invalid_token')
      const revoked = await authority.revoke(asking(`token=${other}`, { as: 'web' }))
      assert.equal(revoked.kind === 'error' && revoked.error.reason, 'token_type_unsupported')
    }
    // Nor is an access token a hint, not even of a client that has the name of the API.
    const hint = formOf(new URLSearchParams({ id_token_hint: access }))
    const begun = await authority.browser.logout.begin(hint, new PersonAtBrowser(authority).visitor())
    assert.equal(begun.kind === 'error' && begun.error.reason, 'parameter_malformed')
    assert.equal((await authority.revoke(asking(`token=${access}`, { as: 'web' }))).kind, 'ok')
    assert.equal(await isActive(authority, access, { as: 'api' }), false)
  })
}

test('a token_typ that nobody knows is refused, with its place', async () => {
  const it = await openDeployment()
  const wrong = { resources: [{ identifier: api, token_typ: 'jwt' }] }
  const outcome = await it.authority.admin.declared.apply(operator, wrong)
  assert.ok(outcome.kind === 'error' && JSON.stringify(outcome.error).includes('resources[0].token_typ'))
})
