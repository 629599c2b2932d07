/** A client that shows nothing: taken as one only where it shows nothing of any kind. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { none } from '../../src/client-auth/none.ts'
import { formOf } from '../../src/oauth/form.ts'

test('RFC 6749 §3.2.1: who shows credentials of any kind wants to be checked by them', () => {
  const shown = (fields: Readonly<Record<string, string>>, authorization: string | null = null) => {
    const found = none.recognise({ form: formOf(Object.entries(fields)), authorization } as never, (it) => it as never)
    return found === null ? null : found.kind === 'ok' ? found.value : found.error
  }
  assert.deepEqual(shown({ client_id: 'web' }), { method: 'none', clientId: 'web', secret: null })
  assert.equal(shown({}), null)
  for (const name of ['client_secret', 'client_assertion', 'client_assertion_type'])
    assert.equal(shown({ client_id: 'web', [name]: 'x' }), null, name)
  assert.equal(shown({ client_id: 'web' }, 'Basic x'), null)
  assert.deepEqual(shown({ client_id: 'a\nb' }), { reason: 'parameter_malformed', name: 'client_id' })
})
