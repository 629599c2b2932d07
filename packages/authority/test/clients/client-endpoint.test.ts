/** What the endpoints of clients count: requests by client, failed proofs by client and address, each request once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientAuthRules } from '@grantor/protocol/client-auth'
import { formOf, type Refusal } from '@grantor/protocol/oauth'
import { err } from '@grantor/protocol/result'
import { openClientEndpoint } from '../../src/clients/client-endpoint.ts'
import { countedLimits, type LimitName } from '../../src/limits/limits.ts'
import { unproven } from '../support/deployment.ts'

const policy = (name: string) => ({ name, quota: 9, window: 60 })
const policies = {
  token: policy('token'),
  tokenFailures: policy('failures'),
  tokenFailuresAddress: policy('address'),
}
const app = { tenant: 'acme', id: 'app', disabledAt: null, metadata: { token_endpoint_auth_method: 'none' } }

interface Scene {
  /** The names of limits that are reached, or at which cost. */
  readonly over?: readonly string[]
  readonly off?: LimitName
  readonly ip?: string | null
  readonly body?: string
  readonly client?: object
  /** What the client is refused with when it is known. */
  readonly proven?: Refusal['reason']
  /** How often it is decided, one after the other. */
  readonly decided?: number
}

/** What was counted, recorded and answered. */
async function served(scene: Scene = {}) {
  const { over = [], off, ip = '192.0.2.1', body = 'client_id=app', client = app, proven, decided = 1 } = scene
  const counted: string[] = []
  const recorded: object[] = []
  const take = (of: ReturnType<typeof policy>, key: string, cost = 1) => {
    counted.push(`${of.name} ${key}: ${cost}`)
    return {
      policy: of,
      allowed: ![of.name, `${of.name} ${cost}`].some((it) => over.includes(it)),
      state: {},
      remaining: 1,
      effectiveWindow: 1,
      wait: 0,
    }
  }
  const serve = openClientEndpoint({
    clientAuthMethods: clientAuthRules,
    clock: { now: () => 5 },
    ids: { handleOf: (text: string) => text },
    directory: {
      cachedClient: (_: string, id: string) => (id === app.id ? client : null),
      currentClient: async (_: string, id: string) => (id === app.id ? client : null),
      currentCatalogue: async () => null,
      forget: () => {},
    },
    limits: countedLimits({ ...policies, ...(off === undefined ? {} : { [off]: null }) } as never, { take } as never),
    refusedRequests: { record: (refused: object) => void recorded.push(refused) },
  } as never)
  let left = decided
  const answer = await serve(
    'token',
    { ...unproven, tenant: 'acme', form: formOf(new URLSearchParams(body)), ip, traceId: null } as never,
    async (authenticate) => {
      const possession = proven === undefined ? undefined : () => err({ reason: proven } as Refusal)
      const known = await authenticate(possession as never)
      left -= 1
      return left > 0 ? 'stale' : known
    },
  )
  const quota = answer.quota?.map((it) => it.policy.name)
  return { counted, recorded, reason: answer.kind === 'ok' ? 'ok' : answer.error.reason, quota, left }
}

const [lookAddress, look] = ['address 192.0.2.1: 0', 'failures acme app 192.0.2.1: 0']
const [countAddress, count] = ['address 192.0.2.1: 1', 'failures acme app 192.0.2.1: 1']
const request = 'token token acme app 192.0.2.1: 1'

test('a request is counted by endpoint, tenant and client, and once however often it is decided', async () => {
  assert.deepEqual(await served(), {
    counted: [lookAddress, look, request],
    recorded: [],
    reason: 'ok',
    quota: ['token'],
    left: 0,
  })
  const again = await served({ decided: 3 })
  assert.deepEqual([again.counted.filter((it) => it === request).length, again.quota], [1, ['token']])
})

test('a client that proves nothing is counted by address besides, and one that proves to be it wherever it asks', async () => {
  assert.deepEqual((await served({ ip: null })).counted, ['token token acme app: 1'])
  assert.deepEqual((await served({ ip: '2001:db8::1' })).counted.at(-1), 'token token acme app 2001:db8:0:0/64: 1')
  const metadata = { token_endpoint_auth_method: 'client_secret_post' }
  const own = { ...app, metadata, secrets: [{ handle: 'its own', expiresAt: null }] }
  const body = 'client_id=app&client_secret=its+own'
  assert.equal((await served({ client: own, body })).counted.at(-1), 'token token acme app: 1')
})

test('failed proofs are counted by client and address and by the address alone; other refusals are not', async () => {
  const failures: readonly Refusal['reason'][] = [
    'client_unauthenticated',
    'proof_invalid',
    'assertion_invalid',
    'grant_of_another_key',
    'proof_of_another_key',
  ]
  for (const proven of failures)
    assert.deepEqual(await served({ proven }), {
      counted: [lookAddress, look, count, countAddress],
      recorded: [],
      reason: proven,
      quota: ['failures', 'address'],
      left: 0,
    })
  for (const proven of ['proof_nonce_wanted', 'client_certificate_unreadable'] as const)
    assert.deepEqual(await served({ proven }), {
      counted: [lookAddress, look],
      recorded: [],
      reason: proven,
      quota: undefined,
      left: 0,
    })
})

test('a client that does not fit its tenant any more is refused before anything of it is counted', async () => {
  const unfit = { field: 'profile', problem: 'x' }
  const { reason, counted } = await served({ client: { ...app, unfit }, proven: 'proof_invalid' })
  assert.deepEqual([reason, counted], ['client_unfit', [lookAddress, look]])
})

test('what nobody is known by is counted too, and recorded once', async () => {
  const stranger = await served({ body: 'client_id=stranger', decided: 2 })
  assert.equal(stranger.reason, 'client_unauthenticated')
  assert.deepEqual(stranger.recorded, [
    { name: 'client.refused', tenant: 'acme', clientId: null, reason: 'client_unknown' },
  ])
  const nameless = await served({ body: '' })
  assert.deepEqual(nameless.counted, [lookAddress, 'failures acme  192.0.2.1: 1', countAddress])
  assert.equal(nameless.recorded.length, 1)
})

test('a proof that was used before is recorded with its client, and counted as no guess', async () => {
  const { recorded, counted, reason } = await served({ proven: 'proof_replayed' })
  assert.deepEqual(recorded, [{ name: 'proof.refused', tenant: 'acme', clientId: 'app', reason }])
  assert.deepEqual([reason, counted], ['proof_replayed', [lookAddress, look]])
})

test('beyond a limit nothing is tried, and what one client is refused for is not held against its neighbours', async () => {
  const proven = 'proof_invalid'
  const rows: readonly (readonly [Scene, object])[] = [
    [{ over: ['address'] }, { counted: [lookAddress], quota: ['address'], left: 1 }],
    [{ over: ['failures'] }, { counted: [lookAddress, look], quota: ['failures'], left: 0 }],
    [{ over: ['token'] }, { counted: [lookAddress, look, request], quota: ['token'], left: 0 }],
  ]
  for (const [scene, told] of rows) {
    const { recorded, ...rest } = await served(scene)
    assert.deepEqual([rest, recorded], [{ reason: 'limit_reached', ...told }, []], JSON.stringify(scene))
  }
  const last = await served({ proven, over: ['failures 1'] })
  assert.deepEqual([last.counted, last.quota, last.reason], [[lookAddress, look, count], ['failures'], 'limit_reached'])
  const off = await served({ proven, off: 'tokenFailures' })
  assert.deepEqual([off.counted, off.quota], [[lookAddress, countAddress], ['address']])
  const nowhere = await served({ proven, ip: null })
  assert.deepEqual([nowhere.counted, nowhere.quota, nowhere.reason], [[], undefined, proven])
})
