/** What a JWT check costs a resource server, in process: first and repeated checks, ours and others', in turns. */
import { randomUUID, verify } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Instant } from '@grantor/protocol/types'
import { createValidator, GivenKeys, RevocationView } from '@grantor/resource'
import { auth } from 'express-oauth2-jwt-bearer'
import { createVerifier } from 'fast-jwt'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { keepReport } from './report.ts'
import { median, quantile, rounded, spread } from './statistics.ts'
import { audience, issuer, jwks, mint, publicKey } from './tokens.ts'

const perRound = 2_000
const rounds = 7

type Check = (token: string) => unknown

const view = new RevocationView({ leeway: 60_000, capacity: 250_000, now: Date.now })
// As many revoked tokens as a busy deployment has within the lifetime of a token.
for (let n = 0; n < 100_000; n++) {
  const [at, until] = [Date.now() as Instant, (Date.now() + 600_000) as Instant]
  view.apply({ kind: 'revoke', tenant: null, jti: randomUUID(), at, until }, performance.now())
}
const validator = createValidator({
  audience,
  // Large enough to remember every token of a round, so that "again" measures repeated checks.
  cacheSize: perRound * 2,
  issuers: [
    {
      issuer,
      keys: new GivenKeys(jwks),
      revocation: { isRevoked: (token) => view.isRevoked(token), freshness: () => 'live', age: () => 0 },
    },
  ],
})
const ours: Check = (token) => {
  const verdict = validator.validate({ authorization: `Bearer ${token}` })
  if (verdict instanceof Promise || verdict.kind === 'error') throw new Error('refused')
  return verdict
}

const key = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
const bare: Check = (token) => {
  const dot = token.lastIndexOf('.')
  const good = verify('sha256', Buffer.from(token.slice(0, dot)), key, Buffer.from(token.slice(dot + 1), 'base64url'))
  if (!good) throw new Error('refused')
  return good
}

const keySet = createLocalJWKSet(jwks)
const expected = { issuer, audience, typ: 'at+jwt', algorithms: ['ES256'] }
const byJose: Check = (token) => jwtVerify(token, keySet, expected)

const pem = publicKey.export({ format: 'pem', type: 'spki' })
const fastJwt = (cache: boolean | number): Check =>
  createVerifier({ key: pem, algorithms: ['ES256'], allowedIss: issuer, allowedAud: audience, cache }) as Check

const keyServer = createServer((_request, response) => void response.end(JSON.stringify(jwks)))
await new Promise<void>((listening) => keyServer.listen(0, '127.0.0.1', listening))
const jwksUri = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/`
// Called without Express: it gets only what it reads of a request, because the rest would only add time.
const middleware = auth({ issuer, audience, jwksUri, tokenSigningAlg: 'ES256' }) as unknown as (
  request: object,
  response: object,
  next: (error?: unknown) => void,
) => Promise<void>
const byExpress: Check = (token) =>
  new Promise<void>((resolve, reject) => {
    const headers = { host: 'api.bench.example', authorization: `Bearer ${token}` }
    const request = {
      method: 'GET',
      protocol: 'https',
      host: headers.host,
      hostname: headers.host,
      originalUrl: '/',
      headers,
      query: {},
      get: (name: string) => (name.toLowerCase() === 'host' ? headers.host : undefined),
      is: () => false,
    }
    void middleware(request, {}, (error?: unknown) => (error === undefined ? resolve() : reject(error)))
  })

const contestants: readonly { readonly name: string; readonly check: Check; readonly again: boolean }[] = [
  { name: 'node:crypto verify, signature only', check: bare, again: false },
  { name: '@grantor/resource, first sight', check: ours, again: false },
  { name: '@grantor/resource, again', check: ours, again: true },
  { name: 'jose.jwtVerify', check: byJose, again: false },
  { name: 'fast-jwt, first sight', check: fastJwt(false), again: false },
  { name: 'fast-jwt with cache, again', check: fastJwt(perRound * 2), again: true },
  { name: 'express-oauth2-jwt-bearer', check: byExpress, again: false },
]

async function round({ check, again }: (typeof contestants)[number]) {
  const tokens = Array.from({ length: perRound }, mint)
  if (again) for (const token of tokens) await check(token)
  const times = new Float64Array(perRound)
  const began = process.cpuUsage()
  for (const [n, token] of tokens.entries()) {
    const since = performance.now()
    const verdict = check(token)
    if (verdict instanceof Promise) await verdict
    times[n] = performance.now() - since
  }
  const { user, system } = process.cpuUsage(began)
  times.sort()
  return { p50: quantile(times, 0.5) * 1000, p99: quantile(times, 0.99) * 1000, cpu: (user + system) / perRound }
}

const all = new Map(contestants.map(({ name }) => [name, [] as Awaited<ReturnType<typeof round>>[]]))
for (const one of contestants) await round(one)
for (let n = 0; n < rounds; n++) for (const one of contestants) all.get(one.name)?.push(await round(one))
keyServer.close()
await validator.close()

const measured = [...all].map(([name, of]) => ({
  name,
  p50_us: spread(
    of.map((one) => one.p50),
    2,
  ),
  p99_us: spread(
    of.map((one) => one.p99),
    2,
  ),
  cpu_us: spread(
    of.map((one) => one.cpu),
    2,
  ),
}))
const p50 = (name: string): readonly number[] => all.get(name)?.map((one) => one.p50) ?? []
const [floor, first] = [p50('node:crypto verify, signature only'), p50('@grantor/resource, first sight')]
const ratio = rounded(median(first.map((value, n) => value / (floor[n] ?? Number.NaN))), 2)
const report = {
  tokens_per_round: perRound,
  rounds,
  measured,
  first_sight_to_bare_verify: ratio,
  targets: {
    'again at most 5 microseconds, median': median(p50('@grantor/resource, again')) <= 5,
    'first sight at most 1.15 times the bare verify': ratio <= 1.15,
  },
}
keepReport('validation', report)
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
