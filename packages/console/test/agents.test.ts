/** Lines that make agents know a server, and the policy of registration as fields of a form. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isServerAddress, knownClients, serverName } from '../src/pages/agents/known-clients.ts'
import { editablePolicy, policyPatch } from '../src/pages/tenants/policy-fields.ts'

test('every known client is told the name and the address, whatever they are', () => {
  const server = { name: serverName('<img src=x> Nötes 🛒'), url: "https://mcp.example.com/it's" }
  assert.equal(server.name, 'img-src-x-no-tes')
  for (const { title, text } of knownClients) {
    const lines = text(server)
    assert.ok(lines.includes(server.url) || lines.includes(`'https://mcp.example.com/it'\\''s'`), title)
    if (lines.startsWith('{')) assert.ok(JSON.parse(lines), title)
  }
  assert.equal(serverName('שלום'), 'server')
})

test('an address of a server is https, or this very machine', () => {
  for (const good of ['https://mcp.example.com/mcp', 'http://localhost:8450/mcp', 'http://127.0.0.1:1'])
    assert.ok(isServerAddress(good), good)
  for (const bad of ['javascript:alert(1)', 'http://mcp.example.com', 'urn:x', '', 'mcp.example.com'])
    assert.ok(!isServerAddress(bad), bad)
})

test('a policy that is read and written again is the same, and an empty field leaves it to the deployment', () => {
  const registration = {
    mode: 'token',
    metadata_documents: false,
    scopes: ['openid', 'profile'],
    most_clients: 5,
    unused_life: 129_600,
  }
  const fields = editablePolicy({ registration: registration as never })
  assert.deepEqual(fields, {
    mode: 'token',
    metadata_documents: 'false',
    error_redirects: '',
    scopes: 'openid profile',
    most_clients: '5',
    unused_life: '1.5',
  })
  assert.deepEqual(policyPatch(fields), { ...registration, error_redirects: null })
  assert.deepEqual(policyPatch({ most_clients: 'many', unused_life: ' 2,5 ' }), {
    most_clients: 'many',
    unused_life: 216_000,
  })
})
