/** What the log says of another issuer's word that was not taken. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertionProblem } from '../../src/trust/asserted-grant.ts'

test('the check that failed, that it was used, or that it speaks of nobody; nothing where it was not refused for it', () => {
  const refused = { kind: 'refused', problem: 'token_aud' } as const
  const invalid = { reason: 'assertion_invalid' } as const
  assert.equal(assertionProblem({ assertion: refused }, invalid), 'token_aud')
  assert.equal(assertionProblem({ subject: null, actor: refused }, { reason: 'actor_token_invalid' }), 'token_aud')
  assert.equal(assertionProblem({ assertion: refused }, { reason: 'assertion_used' }), 'assertion_used')
  assert.equal(assertionProblem({ assertion: null }, invalid), 'token_of_nobody')
  assert.equal(assertionProblem({ assertion: { kind: 'unavailable' } }, invalid), 'token_of_nobody')
  assert.equal(assertionProblem({ assertion: null }, { reason: 'scope_missing' }), null)
  assert.equal(assertionProblem({}, { reason: 'subject_token_invalid' }), null)
})
