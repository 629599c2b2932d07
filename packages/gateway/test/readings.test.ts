/** Readings of the file one after the other: what they share, what one that fails leaves behind, and which limits change. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { createValidator, type Validator } from '@grantor/resource'
import { createTestIssuer } from '@grantor/resource/testing'
import { startGateway } from '../src/index.ts'
import { shareTrust } from '../src/serve/trust.ts'
import { ask, audience, configOf, type Harness, issuer, startHarness } from './harness.ts'
import { startIssuer } from './issuer.ts'

function watchedValidator() {
  const validator: Validator = createValidator({ audience, issuers: [createTestIssuer({ audience, issuer }).trust] })
  const close = validator.close.bind(validator)
  const state = { closed: 0 }
  validator.close = async () => {
    state.closed += 1
    await close()
  }
  return Object.assign(state, { validator })
}

const routes = [{ path: '/', public: true }]
const options = { port: 0, notice: () => {} }

/** As no file says it: what is made of the file throws. */
async function unusable() {
  const config = await configOf({ routes, policy: { url: 'https://pdp.example/access/v1/evaluation' } })
  assert.ok(config.policy !== null)
  return { ...config, policy: { ...config.policy, url: 'ftp://pdp.example' } }
}

test('whoever is shared by readings is closed when the last of them leaves', async () => {
  const watched = watchedValidator()
  const trust = shareTrust(watched.validator, null)
  trust.enter()
  trust.enter()
  await trust.leave()
  assert.equal(watched.closed, 0)
  await trust.leave()
  assert.equal(watched.closed, 1)
})

test('a reading that fails at the start leaves no validator behind', async () => {
  const watched = watchedValidator()
  await assert.rejects(startGateway(await unusable(), { ...options, validator: watched.validator }), TypeError)
  assert.equal(watched.closed, 1)
})

test('a reading that fails later takes nothing from the one before, and the next one takes over', async () => {
  const watched = watchedValidator()
  const gateway = await startGateway(await configOf({ routes }), { ...options, validator: watched.validator })
  await assert.rejects(gateway.reload(await unusable()), TypeError)
  assert.deepEqual([watched.closed, (await ask(gateway.port, '/health/ready')).status], [0, 200])
  assert.equal((await gateway.reload(await configOf({ routes, cors: { origins: ['*'] } }))).kind, 'ok')
  assert.equal(
    (await ask(gateway.port, '/x', { headers: { origin: 'https://a' } })).headers['access-control-allow-origin'],
    '*',
  )
  await gateway.close()
  assert.equal(watched.closed, 1)
})

test('the time for a request and for a silent connection change with a new reading', async () => {
  await using hurried = await startHarness()
  await using silent = await startHarness()
  const limit = async (it: Harness, limits: Readonly<Record<string, number>>) =>
    assert.equal((await it.gateway.reload(await it.config({ limits }))).kind, 'ok')
  await limit(hurried, { request: 1 })
  await limit(silent, { first_byte: 1, idle: 1 })
  const head = `POST /orders HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nAuthorization: Bearer ${hurried.mint()}\r\n\r\n`
  const [answer, nothing] = await Promise.all([hurried.raw(`${head}slow`), silent.raw('')])
  assert.match(answer, /^HTTP\/1\.1 400 [^]*did not come in time/)
  assert.equal(nothing, '')
})

test('how many connections there may be changes with a new reading', async () => {
  await using it = await startHarness()
  const first = it.connect()
  await once(first, 'connect')
  assert.equal((await it.ask('/health/live')).status, 200)
  assert.equal((await it.gateway.reload(await it.config({ limits: { connections: 1 } }))).kind, 'ok')
  await assert.rejects(it.ask('/health/live'), /ECONNRESET|hang up/)
  assert.equal((await it.gateway.reload(await it.config({ limits: { connections: 9 } }))).kind, 'ok')
  assert.equal((await it.ask('/health/live')).status, 200)
  first.destroy()
})

test('what the listener cannot change is refused with its field', async () => {
  await using it = await startHarness()
  const fields = async (more: Parameters<typeof it.config>[0]) => {
    const read = await it.gateway.reload(await it.config(more))
    return read.kind === 'error' ? read.error.map(({ field }) => field) : []
  }
  assert.deepEqual(await fields({ limits: { headers: 8192, connections: 5 } }), ['limits.headers'])
  assert.deepEqual(await fields({ host: 'localhost' }), ['host'])
  assert.deepEqual(await fields({ limits: { body: 5 } }), [])
})

test('a request that is not HTTP is answered by the present reading', async () => {
  await using one = await startIssuer(audience)
  await using it = await startHarness({ trust: 'file', file: { issuer: one.issuer } })
  const answeredBy = (whose: string) => new RegExp(`^HTTP/1\\.1 400 [^]*${whose}/problems/`)
  assert.match(await it.raw('nonsense\r\n\r\n'), answeredBy(audience))
  const next = 'https://next.example'
  assert.equal((await it.gateway.reload(await it.config({ issuer: one.issuer, audience: next }))).kind, 'ok')
  assert.match(await it.raw('nonsense\r\n\r\n'), answeredBy(next))
})
