/** A request once more: the same brings the same, another scope or resource is told so. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryRefusal, spentFor } from '../../src/grants/retry.ts'
import { issuer, resource } from '../samples.ts'

const api = resource('https://a.example')
const issued = { scope: new Set(['a:read', 'a:write']), resource: api }

test('a retry is held to what was spent: its audience, and the scope that it brought', () => {
  const before = spentFor(issued, issuer)
  const refusal = (
    again: { scope?: ReadonlySet<string>; resource?: typeof api | null },
    asked: readonly string[] | null,
  ) =>
    retryRefusal(
      {
        before,
        asked: { scope: asked === null ? null : new Set(asked), authorizationDetails: null },
        issued: { ...issued, ...again },
      },
      issuer,
    )?.reason ?? null
  const less = { scope: new Set(['a:read']) }
  const more = { scope: new Set(['a:read', 'a:write', 'a:admin']) }
  assert.equal(refusal({}, null), null)
  assert.equal(refusal({}, ['a:read', 'a:write']), null)
  assert.equal(refusal(less, null), null, 'what was lost between the two is not brought, and not refused for')
  assert.equal(refusal(less, ['a:read']), 'retry_of_another_scope')
  for (const asked of [null, ['a:read', 'a:write', 'a:admin']])
    assert.equal(refusal(more, asked), 'retry_of_another_scope')
  assert.equal(refusal({ resource: resource('https://b.example') }, null), 'retry_of_another_resource')
  assert.equal(refusal({ resource: null }, null), 'retry_of_another_resource')
})

test('whether what was spent began a binding is no part of what it was spent for', () => {
  const authorizationDetails = [{ type: 'x' }]
  const details = { ...issued, details: authorizationDetails }
  const again = { asked: { scope: null, authorizationDetails }, issued: details }
  assert.equal(retryRefusal({ before: spentFor(details, issuer, true), ...again }, issuer), null)
})

test('what was spent before it was written down for what is not held to anything', () => {
  assert.equal(
    retryRefusal(
      { before: null, asked: { scope: new Set(['x']), authorizationDetails: [{ type: 'x' }] }, issued },
      issuer,
    ),
    null,
  )
})
