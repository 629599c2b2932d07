/**
 * Uses the libraries as a stranger would. pack.test.ts runs it beside the packed packages on the oldest Node that they
 * name, as JavaScript: there are no types in it. Its arguments are entries to load.
 */
import assert from 'node:assert/strict'
import { collection, resourceServer } from '@grantor/api'
import { fetchHandler } from '@grantor/api/fetch'
import { testClient } from '@grantor/api/testing'
import { createValidator } from '@grantor/resource'
import { guardFetch } from '@grantor/resource/fetch'
import { createTestIssuer } from '@grantor/resource/testing'
import { Type } from 'typebox'

for (const entry of process.argv.slice(2)) await import(entry)

const audience = 'https://api.example'
const issuer = createTestIssuer({ audience })
const validator = createValidator({ audience, issuers: [issuer.trust] })

const report = guardFetch({ validator, audience }, 'reports:read', (_request, { subject }) => new Response(subject))
const token = issuer.mint({ scope: 'reports:read', sub: 'alice' })
const ask = () => report(new Request(`${audience}/report`, { headers: { authorization: `Bearer ${token}` } }))
assert.equal(await (await ask()).text(), 'alice')
issuer.revoke(token)
assert.equal((await ask()).status, 401)

const note = { id: 'n-1', text: 'hello' }
const notes = collection({
  name: 'notes',
  description: 'What is written down',
  schema: Type.Object({ id: Type.String({ readOnly: true }), text: Type.String() }),
  example: note,
  scopes: { read: 'notes:read', write: 'notes:write' },
  handlers: {
    list: (_query, { tenant }) => [{ tenant, version: 1, value: note }],
    get: (_id, { tenant }) => ({ tenant, version: 1, value: note }),
    create: ({ text = '' }, { tenant }) => ({ tenant, version: 1, value: { ...note, text } }),
  },
})
const api = resourceServer({
  name: 'Notes',
  audience,
  issuers: [issuer.issuer],
  validator,
  versions: [{ name: 'v1', collections: [notes] }],
})
const client = testClient(api)
const as = { scope: 'notes:read notes:write' }
const made = await client({
  method: 'POST',
  url: '/v1/notes',
  as,
  body: { text: 'hi' },
  headers: { 'idempotency-key': '"1"' },
})
assert.equal(made.status, 201)
assert.equal((await client({ url: '/v1/notes?limit=1', as })).status, 200)
const headers = { authorization: `Bearer ${issuer.mint(as)}` }
assert.equal((await fetchHandler(api)(new Request(`${audience}/v1/notes/n-1`, { headers }))).status, 200)
await validator.close()
