/** The CPU that an API needs to check a remembered API key, and a mistyped one, in process. */
import { randomBytes } from 'node:crypto'
import type { Instant } from '@grantor/protocol/types'
import { apiKeyOf } from '@grantor/protocol/oauth'
import { createValidator, GivenKeys, RevocationView } from '@grantor/resource'
import { keepReport } from './report.ts'
import { spread } from './statistics.ts'
import { audience, issuer, jwks } from './tokens.ts'

const perRound = 5_000
const rounds = 9
const known = Array.from({ length: perRound }, () => apiKeyOf(randomBytes(32)))
const numbers = new Map(known.map((key, n) => [key as string, n]))

const view = new RevocationView({ leeway: 60_000, capacity: 250_000, now: Date.now })
// As many revoked tokens as a busy deployment has within the lifetime of a token.
for (let n = 0; n < 100_000; n++) {
  const [at, until] = [Date.now() as Instant, (Date.now() + 600_000) as Instant]
  view.apply({ kind: 'revoke', tenant: null, jti: `t${n}`, at, until }, performance.now())
}

/** Every second key is limited to an address. */
const describe = (n: number) => ({
  active: true,
  token_type: 'api_key',
  iss: issuer,
  sub: 'export',
  client_id: 'export',
  aud: audience,
  scope: 'orders:read',
  iat: Math.floor(Date.now() / 1000),
  jti: `k${n}`,
  ...(n % 2 === 0 ? {} : { addresses: ['192.0.2.0/24'] }),
})

const answer = (url: string, init?: RequestInit): Response => {
  if (!url.endsWith('/introspect'))
    return Response.json({ issuer, jwks_uri: `${issuer}/jwks`, introspection_endpoint: `${issuer}/introspect` })
  const n = numbers.get(new URLSearchParams(init?.body as string).get('token') ?? '')
  return Response.json(n === undefined ? { active: false } : describe(n))
}

const validator = createValidator({
  audience,
  introspectionCache: 59,
  fetch: ((url: string, init?: RequestInit) => Promise.resolve(answer(url, init))) as typeof globalThis.fetch,
  issuers: [
    {
      issuer,
      keys: new GivenKeys(jwks),
      credentials: { clientId: 'api', clientSecret: 'secret' },
      reports: false,
      apiKeys: true,
      revocation: {
        isRevoked: (token) => view.isRevoked(token),
        hasNewsOf: (token, since) => view.hasNewsOf(token, since),
        freshness: () => 'live',
        age: () => 0,
      },
    },
  ],
})
const request = { method: 'GET', url: `${audience}/v1/orders`, address: () => '192.0.2.7' }
const check = (key: string) => validator.validate({ authorization: `Bearer ${key}`, request })

const mistyped = known.map((key) => `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`)

function timed(keys: readonly string[], expected: 'ok' | 'error'): number {
  const began = process.cpuUsage()
  for (const key of keys) {
    const verdict = check(key)
    if (verdict instanceof Promise || verdict.kind !== expected) throw new Error('not from memory, or not as expected')
  }
  const { user, system } = process.cpuUsage(began)
  return (user + system) / keys.length
}

const times: Record<string, number[]> = { remembered: [], mistyped: [] }
for (let round = 0; round < rounds; round++) {
  // Each key is checked once first, so that only remembered keys are timed.
  for (const key of known) await check(key)
  times['remembered']?.push(timed(known, 'ok'))
  times['mistyped']?.push(timed(mistyped, 'error'))
}
const rows = Object.entries(times).map(([what, all]) => ({ check: what, microseconds: spread(all) }))
keepReport('api-keys', { perRound, rounds, rows })
for (const { check: what, microseconds } of rows) console.log(what, JSON.stringify(microseconds))
await validator.close()
