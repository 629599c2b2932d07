/** `node bench/dpop.ts`: the extra cost of a DPoP-bound token, at the server and at an API (RFC 9449). */
import { createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { parseArgs } from 'node:util'
import { makeProof } from '@grantor/protocol/dpop'
import { jwkThumbprint } from '@grantor/protocol/jose'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { temporaryDatabase } from '../interop/database.ts'
import { temporaryFolder } from '../interop/server.ts'
import { clientId, clientSecret, scope, tokenRequest } from './contestants/client.ts'
import { type Contestant, startGrantor, startProgram } from './contestants/contestant.ts'
import { formRequest } from './load.ts'
import { type Measured, measureInTurns, type Participant } from './measure.ts'
import { keepReport } from './report.ts'
import { median, rounded } from './statistics.ts'
import { audience, jwks, mint } from './tokens.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const plan = values.quick
  ? { rounds: 6, connections: 64, milliseconds: 300, warmUp: 4_000 }
  : { rounds: 40, connections: 64, milliseconds: 400, warmUp: 20_000 }

await using stack = new AsyncDisposableStack()
const say = (line: string): void => void process.stderr.write(`${line}\n`)
const running = (contestant: Contestant): Contestant => stack.adopt(contestant, (one) => one.stop())
const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

/** Few enough to be prepared quickly; otherwise idle connections would be closed meanwhile. */
const mostPrepared = 1_500

/** Makes a round's requests before it begins, as many as the last round needed: a proof is valid once, and briefly. */
function prepared(make: () => Buffer): () => () => Buffer {
  let taken = 500
  return () => {
    const ready = Array.from({ length: Math.min(Math.ceil(taken * 1.2), mostPrepared) }, make)
    let used = 0
    return () => {
      taken = ++used
      return ready.pop() ?? make()
    }
  }
}

/** Adds the same pause before a round, because a process that was idle begins with colder caches. */
const afterPause = (pause: () => () => Buffer, next: () => Buffer) => (): (() => Buffer) => {
  pause()
  return next
}

const plainRequest = tokenRequest()
/** A request with a new key that the server has not seen before. */
function boundRequest(): Buffer {
  const url = 'https://localhost:8443/token'
  const proof = makeProof(newKey(), { method: 'POST', url, now: Date.now() as Instant })
  const request = formRequest({
    path: '/token',
    basic: [clientId, clientSecret],
    form: { grant_type: 'client_credentials', scope },
  })
  return Buffer.from(request.toString('latin1').replace('\r\n', `\r\nDPoP: ${proof}\r\n`), 'latin1')
}

const callers = Array.from({ length: 200 }, () => {
  const key = newKey()
  const jkt = jwkThumbprint(createPublicKey(key).export({ format: 'jwk' }) as JsonObject)
  return { key, plain: mint(), bound: mint({ cnf: { jkt } }) }
})
let turn = 0
const next = () => callers[turn++ % callers.length] as (typeof callers)[number]
const get = (lines: string): Buffer => Buffer.from(`GET /v1/report HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n\r\n`)
function boundCall(): Buffer {
  const { key, bound: accessToken } = next()
  const url = `${audience}/v1/report`
  const proof = makeProof(key, { method: 'GET', url, now: Date.now() as Instant, accessToken })
  return get(`Authorization: DPoP ${accessToken}\r\nDPoP: ${proof}`)
}

/** The cost of one verification, measured before, between and after the rounds, because the machine's speed varies. */
const floors = [floor()]

const database = stack.use(await temporaryDatabase())
const postgresEnv = {
  GRANTOR_DATABASE_URL: database.url,
  GRANTOR_MASTER_KEY: 'a-master-key-for-measuring-only-0123456789',
}
const sqlite = running(await startGrantor(stack.use(temporaryFolder()), {}))
const postgres = running(await startGrantor(stack.use(temporaryFolder()), postgresEnv))
const api = running(await startProgram('route.ts', ['fastify', JSON.stringify(jwks), 'guarded']))
const least = running(await startProgram('floor.ts'))

function tokens(name: string, contestant: Contestant): readonly Participant[] {
  const bound = prepared(boundRequest)
  return [
    { name: `${name}, plain`, contestant, requests: afterPause(bound, () => plainRequest) },
    { name: `${name}, bound`, contestant, requests: bound },
  ]
}
say(`tokens: ${plan.rounds} rounds of ${plan.milliseconds} ms each`)
const issued = await measureInTurns(
  [...tokens('SQLite', sqlite), ...tokens('PostgreSQL', postgres), ...tokens('floor', least)],
  plan,
)
floors.push(floor())
say(`a guarded GET: ${plan.rounds} rounds`)
const boundCalls = prepared(boundCall)
const plainCall = (): Buffer => get(`Authorization: Bearer ${next().plain}`)
const called = await measureInTurns(
  [
    { name: 'guarded', contestant: api, requests: afterPause(boundCalls, plainCall) },
    { name: 'guarded, bound', contestant: api, requests: boundCalls },
    { name: 'floor, GET', contestant: least, requests: afterPause(boundCalls, plainCall) },
    { name: 'floor, GET with a proof', contestant: least, requests: boundCalls },
  ],
  plan,
)
floors.push(floor())
/** What a verification costs in a server that does nothing else with a proof, and in a tight loop. */
const verification = {
  new_key_us: rounded(addedTo(issued, 'floor, bound', 'floor, plain')),
  key_at_hand_us: rounded(addedTo(called, 'floor, GET with a proof', 'floor, GET')),
  alone: {
    new_key_us: median(floors.map(({ new_key_us: it }) => it)),
    key_at_hand_us: median(floors.map(({ key_at_hand_us: it }) => it)),
  },
}
for (const one of [...issued, ...called]) say(`  ${one.name}: ${one.cpu_us_per_request.median} µs`)

const added = {
  sqlite: addedTo(issued, 'SQLite, bound', 'SQLite, plain') / verification.new_key_us,
  postgres: addedTo(issued, 'PostgreSQL, bound', 'PostgreSQL, plain') / verification.new_key_us,
  guarded: addedTo(called, 'guarded, bound', 'guarded') / verification.key_at_hand_us,
}
const report = {
  plan,
  verification,
  measured: [...issued, ...called],
  added_in_verifications: Object.fromEntries(Object.entries(added).map(([name, ratio]) => [name, rounded(ratio, 2)])),
  targets: {
    'a bound token at most 1.2 verifications more than a plain one, SQLite': added.sqlite <= 1.2,
    'a bound token at most 1.2 verifications more than a plain one, PostgreSQL': added.postgres <= 1.2,
    'a guarded GET with DPoP at most 1.3 verifications more than without': added.guarded <= 1.3,
  },
}
if (!values.quick) keepReport('dpop', report)
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)

/** Microseconds of CPU: the median of the differences of rounds measured side by side. */
function addedTo(measured: readonly Measured[], of: string, base: string): number {
  const find = (name: string) => measured.find((one) => one.name === name)?.cpu_us_by_round ?? []
  const [mine, theirs] = [find(of), find(base)]
  return median(mine.map((cpu, n) => cpu - (theirs[n] ?? Number.NaN)))
}

function floor() {
  const one = { key_at_hand_us: verifications(false), new_key_us: verifications(true) }
  say(`one verification: ${JSON.stringify(one)}`)
  return one
}

/** Microseconds of CPU that node:crypto takes to check one ES256 signature, reading the key included or not. */
function verifications(newKeys: boolean): number {
  const text = Buffer.from('x'.repeat(400))
  const dsaEncoding = 'ieee-p1363'
  const signed = Array.from({ length: values.quick ? 500 : 3_000 }, () => {
    const key = newKey()
    const publicKey = createPublicKey(key)
    return {
      publicKey,
      jwk: publicKey.export({ format: 'jwk' }),
      signature: sign('sha256', text, { key, dsaEncoding }),
    }
  })
  const rounds = Array.from({ length: 7 }, () => {
    const before = process.cpuUsage()
    for (const { publicKey, jwk, signature } of signed) {
      const key = newKeys ? createPublicKey({ key: jwk, format: 'jwk' }) : publicKey
      if (!verify('sha256', text, { key, dsaEncoding }, signature)) throw new Error('a signature does not verify')
    }
    const { user, system } = process.cpuUsage(before)
    return (user + system) / signed.length
  })
  return rounded(median(rounds))
}
