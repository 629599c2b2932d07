/** Named issuers stay; tenants that do not exist are forgotten, and not asked about again for a while. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GivenKeys } from '../../src/issuer/given-keys.ts'
import { type NamedIssuer, type TrustedIssuer, TrustedIssuers } from '../../src/issuer/trusted-issuers.ts'
import { FakeTime } from '../fake-time.ts'

const issuer = 'https://as.example'

function open() {
  const time = new FakeTime()
  const trust = (address: string): TrustedIssuer => ({
    issuer: address,
    keys: new GivenKeys({ keys: [] }),
    revocation: null,
    statusLists: null,
    introspector: null,
    apiKeys: false,
    foreign: null,
    types: new Set(['at+jwt']),
    tenantOf: () => null,
  })
  const named: NamedIssuer = { ...trust(issuer), trustTenant: (_, address) => trust(address) }
  return { time, named, trusted: new TrustedIssuers([named], time) }
}

test('an issuer that is named is never forgotten', () => {
  const { named, trusted } = open()
  trusted.forget(named)
  const found = trusted.find(issuer)
  assert.equal(found.kind === 'ok' && found.value, named)
})

test('a tenant that is not there is untrusted for half a minute, and then looked for again', () => {
  const { time, trusted } = open()
  const first = trusted.find(`${issuer}/t/acme`)
  assert.ok(first.kind === 'ok')
  trusted.forget(first.value)
  assert.equal(trusted.find(`${issuer}/t/acme`).kind, 'error')
  time.mono += 29_999
  assert.equal(trusted.find(`${issuer}/t/acme`).kind, 'error')
  time.mono += 1
  assert.equal(trusted.find(`${issuer}/t/acme`).kind, 'ok')
})
