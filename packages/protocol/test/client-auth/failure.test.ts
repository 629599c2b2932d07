/** Why a client was not authenticated, as the operator's log says it: the first thing that is wrong, and of whom. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authenticationFailure, unrecognised } from '../../src/client-auth/failure.ts'
import type { ClientAuthInput } from '../../src/client-auth/rule.ts'
import { parseJwt } from '../../src/jose/jwt.ts'
import type { Handle } from '../../src/types.ts'
import { at, client, issuer } from '../samples.ts'

const presented = { method: 'client_secret_basic', clientId: 'web', secret: 'h' as Handle } as const
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const assertion =
  parseJwt(`${encoded({ alg: 'ES256' })}.${encoded({ iss: 'other', sub: 'web' })}.AAAA`) ?? assert.fail()
const signed: ClientAuthInput['presented'] = { method: 'private_key_jwt', clientId: 'web', secret: null, assertion }
const signer = { token_endpoint_auth_method: 'private_key_jwt' }
const requirements = { audiences: new Set<string>(), issuer, keys: [], leeway: 0 }

test('the failure says whether the client is unknown, came by another way, is disabled or was wrong', () => {
  const now = at(0)
  const why = (of: ReturnType<typeof client> | null, by: ClientAuthInput['presented'] = presented) =>
    authenticationFailure({ presented: by, client: of, now, requirements })
  assert.deepEqual(why(null), { clientId: null, reason: 'client_unknown' })
  assert.deepEqual(why(client()), { clientId: 'web', reason: 'secret_wrong' })
  assert.deepEqual(why(client({}, { disabledAt: at(1) })), { clientId: 'web', reason: 'client_disabled' })
  assert.deepEqual(why(client({ token_endpoint_auth_method: 'client_secret_post' })), {
    clientId: 'web',
    reason: 'sent_client_secret_basic',
    expected: 'client_secret_post',
  })
  assert.deepEqual(why(client(signer), signed), { clientId: 'web', reason: 'assertion_iss' })
  assert.deepEqual(why(client(signer, { disabledAt: at(1) }), signed), { clientId: 'web', reason: 'client_disabled' })
})

test('RFC 7523 §2.1: the assertion of the grant alone is no other way to come', () => {
  const shown = (asGrant: boolean): ClientAuthInput['presented'] => ({
    method: 'federated_jwt',
    clientId: 'web',
    secret: null,
    workload: { jwt: assertion, asGrant, named: null },
  })
  const why = (asGrant: boolean) =>
    authenticationFailure({ presented: shown(asGrant), client: client({}, { disabledAt: at(1) }), now: at(0) })
  assert.deepEqual(why(true), { clientId: 'web', reason: 'client_disabled' })
  assert.deepEqual(why(false), {
    clientId: 'web',
    reason: 'sent_federated_jwt',
    expected: 'client_secret_basic',
  })
})

test('whoever shows nothing that is known here is named by nothing', () => {
  assert.deepEqual(unrecognised, { clientId: null, reason: 'credentials_missing' })
})
