/** A handler of one's own as a protected resource, behind each adapter: metadata, preflights, challenges, scopes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { proofAlgorithms } from '@grantor/protocol/dpop'
import { mcpCors } from '../../src/protect/cors.ts'
import { type ProtectedResource, protectedResource } from '../../src/protect/protected-resource.ts'
import { createTestIssuer } from '../../src/testing/test-issuer.ts'
import type { Caller } from '../../src/validate/caller.ts'
import { createValidator } from '../../src/validate/validator.ts'
import { resources } from '../adapters.ts'

const audience = 'https://notes.example/mcp'
const dev = createTestIssuer({ audience, issuer: 'https://issuer.example' })
const validator = createValidator({ audience, issuers: [dev.trust] })
const plan = {
  validator,
  audience,
  name: 'Notes',
  issuers: ['https://issuer.example'],
  scope: 'notes:read',
  scopes: ['notes:read', 'notes:write'],
  insufficientScopeStatus: 403,
  cors: mcpCors,
  methods: ['GET', 'POST', 'DELETE'],
} as const
const resource = protectedResource(plan)
const metadataAddress = 'https://notes.example/.well-known/oauth-protected-resource/mcp'

/** What every handler here does: a POST needs another scope; the answer says who calls. */
const lackingFor = (method: string | undefined, caller: Caller) =>
  method === 'POST' ? resource.lacking('notes:write', caller) : method === 'DELETE' ? broken() : null

const broken = (): never => {
  throw new Error('zz9canary')
}

const bearer = (scope: string): Record<string, string> => ({
  authorization: `Bearer ${dev.mint({ scope, sub: 'alice' })}`,
})

for (const [adapter, opener] of Object.entries(resources)) {
  const open = (behind: ProtectedResource) => opener(behind, { path: '/mcp', judge: lackingFor })
  describe(`a protected resource on ${adapter}`, () => {
    test('RFC 9728 §3.1: its metadata is where the path is inserted and at the root, for anyone', async () => {
      const send = await open(resource)
      for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource?x=1']) {
        const got = await send(path, { headers: { authorization: 'Bearer nonsense' } })
        assert.deepEqual([got.status, got.headers.get('content-type')], [200, 'application/json'])
        assert.equal(got.headers.get('access-control-allow-origin'), '*')
        assert.deepEqual(await got.json(), {
          resource: audience,
          authorization_servers: ['https://issuer.example'],
          scopes_supported: ['notes:read', 'notes:write'],
          bearer_methods_supported: ['header'],
          dpop_signing_alg_values_supported: [...proofAlgorithms],
          resource_name: 'Notes',
        })
      }
      const posted = await send('/.well-known/oauth-protected-resource', { method: 'POST', body: 'x' })
      assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD'])
      assert.equal(posted.headers.get('content-type'), 'application/problem+json')
    })

    test('RFC 9457 §3.1.1: the page behind `type` of a refusal is there for who has no token', async () => {
      const send = await open(resource)
      const refused = (await (await send('/mcp', { method: 'POST', body: '{}' })).json()) as { readonly type: string }
      const page = await send(new URL(refused.type).pathname)
      assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
      assert.match(await page.text(), /Authentication required/)
      assert.equal((await send(new URL(refused.type).pathname, { method: 'POST', body: 'x' })).status, 405)
      assert.equal((await send('/problems/nothing-of-ours')).status === 200, false)
    })

    test('RFC 9728 §5.1, RFC 6750 §3: who comes without a good token is told where to ask and for what', async () => {
      const send = await open(resource)
      const missing = await send('/mcp', { method: 'POST', body: '{}' })
      assert.equal(missing.status, 401)
      const where = `scope="notes:read", resource_metadata="${metadataAddress}"`
      assert.equal(missing.headers.get('www-authenticate'), `Bearer realm="Notes", ${where}`)
      const strange = await send('/mcp', { headers: { authorization: 'Bearer a.b.c' } })
      assert.equal(strange.status, 401)
      assert.match(String(strange.headers.get('www-authenticate')), /error="invalid_token".*scope="notes:read"/)
      // A page that cannot read the challenge cannot follow it.
      assert.match(String(strange.headers.get('access-control-expose-headers')), /WWW-Authenticate.*Mcp-Session-Id/)
      assert.equal((await send('/mcp?access_token=x', { headers: bearer('notes:read') })).status, 400)
    })

    test('RFC 6750 §3.1: a scope that one operation lacks is 403 where the switch says so, and named', async () => {
      const send = await open(resource)
      const poor = await send('/mcp', { method: 'POST', headers: bearer('notes:read'), body: '{}' })
      assert.equal(poor.status, 403)
      assert.match(
        String(poor.headers.get('www-authenticate')),
        /error="insufficient_scope", scope="notes:read notes:write"/,
      )
      assert.equal(poor.headers.get('content-type')?.split(';')[0], 'application/problem+json')
      assert.equal((await send('/mcp', { headers: bearer('other') })).status, 403)
      const rich = await send('/mcp', { method: 'POST', headers: bearer('notes:read notes:write'), body: '{}' })
      assert.deepEqual([rich.status, await rich.text()], [200, 'alice'])
    })

    test('Fetch §3.3: a preflight is answered without a token, and names what MCP clients send', async () => {
      const send = await open(resource)
      const got = await send('/mcp', {
        method: 'OPTIONS',
        headers: {
          origin: 'https://inspector.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization, mcp-protocol-version',
        },
      })
      assert.equal(got.status, 204)
      assert.equal(got.headers.get('access-control-allow-methods'), 'GET, POST, DELETE')
      const allowed = String(got.headers.get('access-control-allow-headers')).toLowerCase().split(', ')
      for (const name of `authorization content-type mcp-protocol-version mcp-method mcp-name mcp-session-id
        last-event-id`.split(/\s+/)) {
        assert.ok(allowed.includes(name), name)
      }
      const answered = await send('/mcp', { headers: { ...bearer('notes:read'), origin: 'https://inspector.example' } })
      assert.equal(answered.headers.get('access-control-allow-origin'), '*')
      assert.deepEqual([answered.headers.get('mcp-session-id'), await answered.text()], ['s1', 'alice'])
    })

    test('a handler that throws is a 500 that tells nothing, and the next is served', async () => {
      const faults: unknown[] = []
      const send = await open(protectedResource({ ...plan, onError: (error) => void faults.push(error) }))
      const got = await send('/mcp', { method: 'DELETE', headers: bearer('notes:read') })
      assert.equal(got.status, 500)
      assert.equal(got.headers.get('content-type'), 'application/problem+json')
      assert.doesNotMatch(await got.text(), /zz9canary/)
      assert.equal(faults.length, 1)
      assert.equal((await send('/mcp', { headers: bearer('notes:read') })).status, 200)
    })

    test('without a word about other origins none is let in', async () => {
      const { cors: _, ...silent } = plan
      const send = await open(protectedResource(silent))
      const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
      const got = await send('/mcp', { method: 'OPTIONS', headers })
      assert.deepEqual([got.status, got.headers.get('access-control-allow-origin')], [204, null])
      const read = await send('/mcp', { headers: { ...bearer('notes:read'), origin: 'https://evil.example' } })
      assert.deepEqual([read.status, read.headers.get('access-control-allow-origin')], [200, null])
    })
  })
}

test('a resource or an operation that names no scope does not start', () => {
  assert.throws(() => protectedResource({ ...plan, scope: { all: [] } }), /names no scope/)
  const caller = { scope: new Set<string>() } as unknown as Caller
  assert.throws(() => resource.lacking({ any: [] }, caller), /names no scope/)
})

test('Fetch §3.3: where nothing else is said a preflight names the usual methods', async () => {
  const { methods: _, ...usual } = plan
  const received = await protectedResource(usual).receive({
    method: 'OPTIONS',
    target: '/mcp',
    headers: [
      ['origin', 'https://inspector.example'],
      ['access-control-request-method', 'PATCH'],
    ],
    ip: null,
    body: () => assert.fail('nobody reads it'),
  })
  assert.ok(received.kind === 'answered')
  assert.equal(received.response.headers['access-control-allow-methods'], 'GET, HEAD, POST, PUT, PATCH, DELETE')
})
