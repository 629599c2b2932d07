/** Named issuers stay; tenants that do not exist are forgotten, and not asked about again for a while. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GivenKeys } from '../../src/issuer/given-keys.ts'
import { type NamedIssuer, type TrustedIssuer, TrustedIssuers } from '../../src/issuer/trusted-issuers.ts'
import { FakeTime } from '../fake-time.ts'

const issuer = 'https://as.example'

function open() {
  const time = new FakeTime()
  const closed: string[] = []
  /** Tenants that are not there. */
  const keyless = new Set<string>()
  const trust = (address: string): TrustedIssuer => ({
    issuer: address,
    keys: Object.assign(new GivenKeys({ keys: [] }), {
      close: () => void closed.push(address),
      ready: () => !keyless.has(address),
    }),
    revocation: null,
    statusLists: null,
    introspector: null,
    apiKeys: false,
    foreign: null,
    types: new Set(['at+jwt']),
    tenantOf: () => null,
    seen: { listed: false, asked: false },
    isAway: () => false,
  })
  const named: NamedIssuer = { ...trust(issuer), trustTenant: (_, address) => trust(address) }
  const plain: NamedIssuer = { ...trust('https://plain.example'), trustTenant: null }
  return { time, named, plain, closed, keyless, trusted: new TrustedIssuers([named, plain], time) }
}

test('an issuer that is named is never forgotten', () => {
  const { named, trusted, closed } = open()
  assert.equal(trusted.forget(named), false)
  assert.deepEqual(closed, [])
  const found = trusted.find(issuer)
  assert.equal(found.kind === 'ok' && found.value, named)
})

test('a tenant that is not there is untrusted for half a minute, and then looked for again', () => {
  const { time, trusted, closed } = open()
  const first = trusted.find(`${issuer}/t/acme`)
  assert.ok(first.kind === 'ok')
  assert.equal(trusted.forget(first.value), true)
  assert.deepEqual(closed, [`${issuer}/t/acme`])
  assert.equal(trusted.find(`${issuer}/t/acme`).kind, 'error')
  time.mono += 29_999
  assert.equal(trusted.find(`${issuer}/t/acme`).kind, 'error')
  time.mono += 1
  assert.equal(trusted.find(`${issuer}/t/acme`).kind, 'ok')
})

const saying = (trusted: TrustedIssuers, address: string): string => {
  const found = trusted.find(address)
  return found.kind === 'ok' ? found.value.issuer : found.error
}

test('strangers who make up tenants cost fifty questions at once, then ten a second; tenants that are known cost none', () => {
  const { time, trusted } = open()
  for (let n = 0; n < 50; n += 1) assert.equal(saying(trusted, `${issuer}/t/t${n}`), `${issuer}/t/t${n}`)
  assert.equal(saying(trusted, `${issuer}/t/more`), 'unavailable')
  assert.equal(saying(trusted, `${issuer}/t/t0`), `${issuer}/t/t0`)
  time.mono += 99
  assert.equal(saying(trusted, `${issuer}/t/more`), 'unavailable')
  time.mono += 1
  assert.equal(saying(trusted, `${issuer}/t/more`), `${issuer}/t/more`)
  assert.equal(saying(trusted, `${issuer}/t/and-more`), 'unavailable')
})

test('whoever is neither named nor a tenant of one that is asked for tenants is untrusted', () => {
  const { trusted } = open()
  for (const address of ['https://other.example', 'https://plain.example/t/acme', `${issuer}/x/acme`, `${issuer}/t/`])
    assert.equal(saying(trusted, address), 'untrusted', address)
  assert.equal(saying(trusted, 'https://plain.example'), 'https://plain.example')
})

test('a thousand tenants are remembered; the keys of the one that was used longest ago are let go of', () => {
  const { time, trusted, closed } = open()
  for (let n = 0; n < 1000; n += 1) {
    time.mono += 100
    saying(trusted, `${issuer}/t/t${n}`)
  }
  saying(trusted, `${issuer}/t/t0`)
  assert.deepEqual(closed, [])
  time.mono += 100
  saying(trusted, `${issuer}/t/one-more`)
  assert.deepEqual(closed, [`${issuer}/t/t1`])
  trusted.close()
  assert.equal(closed.length, 1003, 'in the end all are')
})

test('tenants that were only named go before those whose keys are there', () => {
  const { time, trusted, closed, keyless } = open()
  for (let n = 0; n < 1000; n += 1) {
    time.mono += 100
    saying(trusted, `${issuer}/t/t${n}`)
  }
  const madeUp = Array.from({ length: 20 }, (_, n) => `${issuer}/t/x${n}`)
  for (const address of madeUp) {
    time.mono += 100
    keyless.add(address)
    saying(trusted, address)
  }
  assert.deepEqual(closed, [`${issuer}/t/t0`, ...madeUp.slice(0, -1)])
})

test('what issued a token that is at work somewhere is known without a question, by its own name or its deployment’s', () => {
  const { named, plain, trusted } = open()
  const acme = trusted.find(`${issuer}/t/acme`)
  assert.ok(acme.kind === 'ok')
  for (let n = 0; n < 60; n += 1) trusted.find(`${issuer}/t/x${n}`)
  assert.equal(trusted.revokerOf(`${issuer}/t/acme`), acme.value)
  assert.deepEqual([trusted.revokerOf(`${issuer}/t/beta`), trusted.revokerOf(issuer)], [named, named])
  assert.deepEqual([trusted.revokerOf(plain.issuer), trusted.revokerOf(`${plain.issuer}/t/acme`)], [plain, null])
})

test('news of keys reaches those of the tenant that it is about, or all of the deployment, and nobody beside it', () => {
  const { trusted } = open()
  const keysAt = (address: string) => {
    const found = trusted.find(address)
    assert.ok(found.kind === 'ok')
    return found.value.keys
  }
  const [root, acme, beta] = ['', '/t/acme', '/t/beta'].map((path) => keysAt(issuer + path))
  assert.deepEqual(trusted.keysOf(issuer, 'acme'), [acme])
  assert.deepEqual(trusted.keysOf(issuer, null), [root])
  assert.deepEqual(trusted.keysOf(issuer, 'gamma'), [])
  assert.deepEqual(trusted.keysOf(issuer), [root, acme, beta])
  assert.deepEqual(trusted.keysOf('https://plain.example'), [keysAt('https://plain.example')])
})
