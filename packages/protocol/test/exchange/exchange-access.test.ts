/** Where an exchanged token is for: what is asked for, else where the presented one was for, if that is anywhere here. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowedExchange } from '../../src/exchange/exchange-access.ts'
import { catalogue, client, issuer } from '../samples.ts'

const [a, b] = ['https://a.example', 'https://b.example']

function allowed(target: string | null, audience: string | null) {
  const exchange = [a, issuer].map((row) => ({ audience: row, as: 'delegate' }) as const)
  const context = { params: { target }, client: client({ exchange }), catalogue: catalogue(), issuer }
  const found = allowedExchange({ audience } as never, context as never)
  return found.kind === 'error'
    ? found.error
    : [found.value.rule.audience, found.value.target.resource?.identifier ?? null, found.value.sameAudience]
}

test('RFC 8693 §2.1: the audience asked for counts, else that of the presented token', () => {
  assert.deepEqual(allowed(a, b), [a, a, false])
  assert.deepEqual(allowed(a, a), [a, a, true])
  assert.deepEqual(allowed(null, a), [a, a, true])
  assert.deepEqual(allowed(null, issuer), [issuer, null, true])
  assert.deepEqual(allowed(issuer, a), [issuer, null, false])
})

test('RFC 8693 §2.1: a token that is for no API of ours says nothing of where another may be for', () => {
  assert.deepEqual(allowed(null, null), { reason: 'parameter_missing', name: 'audience' })
  assert.deepEqual(allowed(a, null), [a, a, false])
  assert.deepEqual(allowed(issuer, null), [issuer, null, false])
})

test('RFC 8693 §2.2.2: what no row names is not allowed, though it is there', () => {
  assert.deepEqual(allowed(b, a), { reason: 'exchange_not_allowed' })
})
