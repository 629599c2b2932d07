/** The guard by itself, on each framework: the scopes of a route, and tokens that come twice. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { guardFetch, protectedFetch } from '../../src/adapters/fetch.ts'
import { protectedResource } from '../../src/protect/protected-resource.ts'
import { protection } from '../../src/protect/protection.ts'
import type { Json, JsonObject } from '@grantor/protocol/types'
import type { ScopeNeed } from '../../src/protect/scope-need.ts'
import { createTestIssuer } from '../../src/testing/test-issuer.ts'
import { createValidator } from '../../src/validate/validator.ts'
import { guards } from '../adapters.ts'

const audience = 'https://notes.example'
const dev = createTestIssuer({ audience, issuer: 'https://issuer.example' })
const validator = createValidator({ audience, issuers: [dev.trust] })
const options = { validator, audience }

type Send = (path: string, headers: Record<string, string>) => Promise<Response>
type Open = (need: ScopeNeed) => Promise<Send>

const asGuard: Record<string, Open> = Object.fromEntries(
  Object.entries(guards).map(([name, open]) => [
    name,
    async (need: ScopeNeed) => {
      const send = await open({ options, need }, { path: '/notes' })
      return (path: string, headers: Record<string, string>) => send(path, { headers })
    },
  ]),
)

const asResource: Open = async (need) => {
  const resource = protectedResource({ ...options, name: 'Notes', issuers: ['https://issuer.example'], scope: need })
  const handler = protectedFetch(resource, (_, caller) => new Response(caller.subject))
  return (path, headers) => handler(new Request(audience + path, { headers }))
}

const bearer = (scope: string, claims: JsonObject = {}) => ({
  authorization: `Bearer ${dev.mint({ scope, sub: 'alice', claims })}`,
})

/** What a route needs, what the token has, whether that is enough. */
const table: readonly (readonly [ScopeNeed, string, boolean])[] = [
  ['notes:read', 'notes:read', true],
  ['notes:read', 'notes:read notes:write', true],
  ['notes:read', 'notes:write', false],
  ['notes:read', 'notes', false],
  ['notes:read', '', false],
  [{ all: ['notes:read', 'notes:write'] }, 'notes:read', false],
  [{ all: ['notes:read', 'notes:write'] }, 'notes:write', false],
  [{ all: ['notes:read', 'notes:write'] }, 'notes:write other notes:read', true],
  [{ all: ['a', 'b', 'c'] }, 'a b', false],
  [{ all: ['a', 'b', 'c'] }, 'c', false],
  [{ any: ['notes:read', 'notes:write'] }, 'notes:read', true],
  [{ any: ['notes:read', 'notes:write'] }, 'notes:write', true],
  [{ any: ['notes:read', 'notes:write'] }, 'notes:delete', false],
]

for (const [adapter, open] of Object.entries({ ...asGuard, 'a protected resource': asResource })) {
  describe(`the guard on ${adapter}`, () => {
    test('admits with one, any or all of the scopes, as the route says, and not with some of all', async () => {
      for (const [need, scope, enough] of table) {
        const got = await (await open(need))('/notes', bearer(scope))
        assert.equal(got.status, enough ? 200 : 401, `${JSON.stringify(need)} with "${scope}"`)
        if (!enough) assert.match(String(got.headers.get('www-authenticate')), /error="insufficient_scope"/)
      }
    })

    test('RFC 9396 §9: admits with authorization details of the type that the route needs, and not with a scope of its name', async () => {
      const send = await open({ details: 'payment' })
      const details = (value: Json) => bearer('payment', { authorization_details: value })
      assert.equal((await send('/notes', details([{ type: 'other' }, { type: 'payment' }]))).status, 200)
      for (const short of [bearer('payment'), details([]), details([{ type: 'Payment' }])]) {
        const refused = await send('/notes', short)
        assert.equal(refused.status, 401)
        const { required_authorization_details_type: needed } = (await refused.json()) as JsonObject
        assert.equal(needed, 'payment')
      }
      for (const broken of ['payment', { type: 'payment' }, [null], [{}], [{ type: 1 }], ['payment']] as Json[])
        assert.match(
          String((await send('/notes', details(broken))).headers.get('www-authenticate')),
          /error="invalid_token"/,
          JSON.stringify(broken),
        )
    })

    test('RFC 6750 §2: a token in the header and in the query is refused, also when the header is known already', async () => {
      const send = await open('notes:read')
      const headers = bearer('notes:read')
      const twice = [
        '/notes?access_token=x',
        '/notes?a=b&access_token=x',
        '/notes?access%5Ftoken=x',
        '/notes?access_token',
      ]
      for (const warm of [false, true]) {
        if (warm) assert.equal((await send('/notes', headers)).status, 200)
        for (const path of twice) assert.equal((await send(path, headers)).status, 400, path)
      }
      for (const path of ['/notes?other=access_token', '/notes?xaccess_token=1', '/notes?a=b'])
        assert.equal((await send(path, headers)).status, 200, path)
      assert.equal((await send('/notes?access_token=x', {})).status, 400, 'in the query alone it is no token of ours')
    })
  })
}

test('what an operation lacks is all of what it needs, not some of it', () => {
  const { lacking } = protection(options, 'notes:read')
  const caller = (scope: string) => {
    const verdict = validator.validate(bearer(scope))
    assert.ok(!(verdict instanceof Promise) && verdict.kind === 'ok')
    return verdict.value
  }
  const need = { all: ['notes:write', 'notes:share'] }
  assert.equal(lacking(need, caller('notes:read notes:write notes:share')), null)
  for (const scope of ['notes:read notes:write', 'notes:read notes:share', 'notes:read'])
    assert.match(
      String(lacking(need, caller(scope))?.headers['www-authenticate']),
      /scope="notes:read notes:write notes:share"/,
      scope,
    )
})

test('RFC 9396 §9: a handler reads the details of its caller, and the metadata tell the types', async () => {
  const detail = { type: 'payment', amount: '1.00' }
  const resource = protectedResource({
    ...options,
    name: 'Notes',
    issuers: ['https://issuer.example'],
    scope: { details: 'payment' },
  })
  const handler = protectedFetch(resource, (_, caller) => Response.json(caller.authorizationDetails))
  const headers = bearer('', { authorization_details: [detail] })
  assert.deepEqual(await (await handler(new Request(`${audience}/notes`, { headers }))).json(), [detail])
  const plain = guardFetch(options, 'notes:read', (_, caller) => Response.json(caller.authorizationDetails))
  assert.deepEqual(await (await plain(new Request(`${audience}/notes`, { headers: bearer('notes:read') }))).json(), [])
  const told = await handler(new Request(`${audience}/.well-known/oauth-protected-resource`))
  const { authorization_details_types_supported: types, scopes_supported: scopes } = (await told.json()) as JsonObject
  assert.deepEqual([types, scopes], [['payment'], []])
})
