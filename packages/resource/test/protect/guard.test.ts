/** The guard by itself, on each framework: the scopes of a route, and tokens that come twice. */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { fastify } from 'fastify'
import { guard } from '../../src/adapters/fastify.ts'
import { guardFetch, protectedFetch } from '../../src/adapters/fetch.ts'
import { protectedResource } from '../../src/protect/protected-resource.ts'
import { protection } from '../../src/protect/protection.ts'
import type { ScopeNeed } from '../../src/protect/scope-need.ts'
import { createTestIssuer } from '../../src/testing/test-issuer.ts'
import { createValidator } from '../../src/validate/validator.ts'

const audience = 'https://notes.example'
const dev = createTestIssuer({ audience, issuer: 'https://issuer.example' })
const validator = createValidator({ audience, issuers: [dev.trust] })
const options = { validator, audience }

type Send = (path: string, headers: Record<string, string>) => Promise<Response>

async function onFastify(need: ScopeNeed): Promise<Send> {
  const app = fastify()
  app.decorateRequest('access', null)
  app.get('/notes', { onRequest: guard(options, need) }, async (request) => request.access?.subject)
  await app.listen({ port: 0, host: '127.0.0.1' })
  after(() => app.close())
  const { port } = app.server.address() as AddressInfo
  return (path, headers) => fetch(`http://127.0.0.1:${port}${path}`, { headers })
}

const onFetch = async (need: ScopeNeed): Promise<Send> => {
  const handler = guardFetch(options, need, (_, caller) => new Response(caller.subject))
  return (path, headers) => handler(new Request(audience + path, { headers }))
}

const asResource = async (need: ScopeNeed): Promise<Send> => {
  const resource = protectedResource({ ...options, name: 'Notes', issuers: ['https://issuer.example'], scope: need })
  const handler = protectedFetch(resource, (_, caller) => new Response(caller.subject))
  return (path, headers) => handler(new Request(audience + path, { headers }))
}

const bearer = (scope: string) => ({ authorization: `Bearer ${dev.mint({ scope, sub: 'alice' })}` })

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

for (const [adapter, open] of Object.entries({
  fastify: onFastify,
  fetch: onFetch,
  'a protected resource': asResource,
})) {
  describe(`the guard on ${adapter}`, () => {
    test('admits with one, any or all of the scopes, as the route says, and not with some of all', async () => {
      for (const [need, scope, enough] of table) {
        const got = await (await open(need))('/notes', bearer(scope))
        assert.equal(got.status, enough ? 200 : 401, `${JSON.stringify(need)} with "${scope}"`)
        if (!enough) assert.match(String(got.headers.get('www-authenticate')), /error="insufficient_scope"/)
      }
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
