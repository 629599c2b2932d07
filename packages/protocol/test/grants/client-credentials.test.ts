import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formOf } from '../../src/oauth/form.ts'
import { clientCredentials } from '../../src/grants/client-credentials.ts'
import { defaultPolicy } from '../../src/oauth/policy.ts'
import type { ClientMetadata } from '../../src/registration/client-fields.ts'
import type { Handle } from '../../src/types.ts'
import { at, catalogue, client, issuer, resource } from '../samples.ts'

const a = resource('https://a.example')
const b = resource('https://b.example')
function run(body: Record<string, string>, metadata: Partial<ClientMetadata>) {
  const params = clientCredentials.parse(formOf(Object.entries(body)), (s) => s as Handle)
  if (params.kind === 'error') return params.error.reason
  const decision = clientCredentials.decide({
    params: params.value,
    facts: {},
    client: client({ grant_types: ['client_credentials'], scope: '', ...metadata }, { id: 'svc' }),
    catalogue: catalogue(),
    issuer,
    policy: defaultPolicy,
    now: at(0),
  })
  if (decision.do === 'refuse') return decision.refusal.reason
  assert.equal(decision.subject, 'svc')
  assert.equal(decision.grantId, null)
  return `${decision.resource?.identifier ?? 'issuer'} ${[...decision.scope].toSorted().join(' ')}`.trim()
}

const ab = { scope: 'a:read a:write b:read openid' }
type Row = readonly [title: string, body: Record<string, string>, metadata: Partial<ClientMetadata>, outcome: string]
const table: readonly Row[] = [
  ['RFC 6749 §4.4.2: a registered scope is issued as asked', { scope: 'a:read' }, ab, 'https://a.example a:read'],
  [
    'RFC 6749 §3.3: without scope, all registered ones of the one resource',
    {},
    { scope: 'a:read a:write' },
    'https://a.example a:read a:write',
  ],
  ['RFC 6749 §3.3: OIDC scopes are never given unasked', {}, { scope: 'openid a:read' }, 'https://a.example a:read'],
  [
    'RFC 6749 §3.3: a registered name that left the catalogue is not given',
    {},
    { scope: 'a:read gone' },
    'https://a.example a:read',
  ],
  [
    'RFC 8707 §2: without scope, `resource` chooses among the registered ones',
    { resource: b.identifier },
    ab,
    'https://b.example b:read',
  ],
  ['without scope, two resources are ambiguous', {}, ab, 'resource_ambiguous'],
  [
    'without scope, default_resource decides',
    {},
    { ...ab, default_resource: a.identifier },
    'https://a.example a:read a:write',
  ],
  ['scopes of two resources are ambiguous', { scope: 'a:read b:read' }, ab, 'resource_ambiguous'],
  ['built-in scopes are for the issuer', { scope: 'metrics:read' }, { scope: 'metrics:read' }, 'issuer metrics:read'],
  ['a client registered for nothing gets a token that opens nothing', {}, {}, 'issuer'],
  [
    'a client registered for nothing of a resource cannot address it',
    { resource: a.identifier },
    { scope: 'b:read' },
    'resource_not_allowed',
  ],
  [
    'a client made for a resource may address it without scopes',
    {},
    { default_resource: a.identifier },
    'https://a.example',
  ],
  ['RFC 6749 §5.2: a scope beyond the registration', { scope: 'a:write' }, { scope: 'a:read' }, 'scope_exceeds_client'],
  ['RFC 6749 §5.2: a scope nobody declared', { scope: 'c:read' }, { scope: 'c:read' }, 'scope_unknown'],
  ['RFC 6749 §5.2: an OIDC scope, even a registered one', { scope: 'openid' }, ab, 'scope_unknown'],
  ['RFC 6749 §5.2: a malformed scope', { scope: 'a:read  a:write' }, ab, 'scope_malformed'],
  [
    'RFC 8707 §2: a scope of another resource',
    { scope: 'b:read', resource: a.identifier },
    ab,
    'scope_of_another_resource',
  ],
  ['RFC 8707 §2: an unknown resource', { resource: 'https://c.example' }, ab, 'resource_unknown'],
  ['RFC 8707 §2: a malformed resource', { resource: 'c' }, ab, 'resource_malformed'],
  [
    'RFC 6749 §4.4: a public client',
    { scope: 'a:read' },
    { ...ab, token_endpoint_auth_method: 'none' },
    'public_client_has_no_credentials',
  ],
]
for (const [title, body, metadata, outcome] of table)
  test(`${title} → ${outcome}`, () => assert.equal(run(body, metadata), outcome))

test('what is issued is always registered, of one place, and never of a person', () => {
  const names = ['a:read', 'a:write', 'b:read', 'openid', 'metrics:read', 'gone']
  const maybe = fc.option(fc.subarray(names, { minLength: 1 }), { nil: undefined })
  fc.assert(
    fc.property(
      fc.subarray(names),
      maybe,
      fc.constantFrom(undefined, a.identifier, b.identifier),
      (own, asked, place) => {
        const body = { ...(asked && { scope: asked.join(' ') }), ...(place && { resource: place }) }
        const outcome = run(body, { scope: own.join(' ') })
        const [where, ...granted] = outcome.split(' ')
        if (!where?.startsWith('https:') && where !== 'issuer') return
        for (const name of granted) {
          assert.ok(own.includes(name) && (asked?.includes(name) ?? true) && name !== 'openid')
          const owner = name.startsWith('a:') ? a.identifier : name.startsWith('b:') ? b.identifier : 'issuer'
          assert.equal(where, owner)
        }
      },
    ),
  )
})
