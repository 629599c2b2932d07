/** Shared signals as receivers get them: by push and by poll, as SSF 1.0, CAEP 1.0, RFC 8935 and RFC 8936 say; on both databases. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { defaultTenant, type JsonObject, type TenantId } from '@grantor/protocol/types'
import { databases, eventually, operator } from '../feed/feed-deployment.ts'
import { granted } from '../feed/granted.ts'
import {
  claimsChange,
  credentialChange,
  readSet,
  sessionRevoked,
  type SsfDeployment,
  startSsfDeployment,
  verification,
} from './ssf-deployment.ts'

const root = defaultTenant as TenantId
const push = (url: string, more: JsonObject = {}): JsonObject => ({
  delivery: { method: 'urn:ietf:rfc:8935', endpoint_url: url, ...more },
  events_requested: [sessionRevoked, credentialChange, claimsChange, 'https://elsewhere.example/unknown'],
})
const poll: JsonObject = {
  delivery: { method: 'urn:ietf:rfc:8936' },
  events_requested: [sessionRevoked, credentialChange, claimsChange],
}

/** What is found as soon as it is there. */
async function until<T>(find: () => Promise<T | null>): Promise<T> {
  let found: T | null = null
  await eventually(async () => (found = await find()) !== null, 'what is waited for', 20_000)
  return found as T
}

for (const database of databases) {
  describe(`shared signals on ${database}`, () => {
    let deployment: SsfDeployment
    before(async () => {
      deployment = await startSsfDeployment(database)
    })
    after(() => deployment[Symbol.asyncDispose]())
    const ssf: SsfDeployment['ssf'] = (...args) => deployment.ssf(...args)
    const made: SsfDeployment['made'] = (...args) => deployment.made(...args)
    const idOf = async (username: string): Promise<string> =>
      (await deployment.it.deployment.store.users.byUsername(root, username))?.id ?? assert.fail(username)
    const endSessions = async (username: string): Promise<void> => {
      const { admin } = deployment.it.deployment.authority
      const page = { subject: await idOf(username), before: null, limit: 10 }
      const found = await admin.sessions.list(root, page)
      assert.ok(found.kind === 'ok')
      for (const { id } of found.value) await admin.sessions.end(operator, root, id)
    }
    const polled = async (id: string, more: JsonObject = {}, by = 'web') => {
      const body = { returnImmediately: true, ...more }
      const answer = await ssf(`/poll?stream_id=${id}`, { body, by })
      assert.equal(answer.status, 200, answer.body)
      const { sets, moreAvailable } = answer.json() as { sets: Record<string, string>; moreAvailable: boolean }
      return { sets, ids: Object.keys(sets), moreAvailable }
    }
    const read = (set: string) => readSet(set, deployment.it)

    test('SSF 1.0 §7: the transmitter describes itself, for every issuer at both addresses', async () => {
      const { ask, running } = deployment.it
      const here = (await ask('/.well-known/ssf-configuration')).json()
      assert.equal(here['spec_version'], '1_0')
      assert.equal(here['issuer'], running.issuer)
      for (const path of ['/t/acme/.well-known/ssf-configuration', '/.well-known/ssf-configuration/t/acme']) {
        const theirs = (await ask(path)).json()
        assert.equal(theirs['issuer'], `${running.issuer}/t/acme`)
        assert.ok(String(theirs['configuration_endpoint']).endsWith('/t/acme/ssf/streams'))
      }
      assert.equal((await ask('/t/nobody/.well-known/ssf-configuration')).status, 404)
    })

    test('SSF 1.0 §8.1.1: a stream is made, read, changed, replaced and deleted', async () => {
      const created = await ssf('/streams', {
        body: { ...push(deployment.inbox()), description: 'Shop' },
        by: 'watcher',
      })
      assert.equal(created.status, 201, created.body)
      const stream = created.json()
      const id = String(stream['stream_id'])
      assert.equal(stream['iss'], deployment.it.running.issuer)
      assert.equal(stream['aud'], 'watcher')
      assert.deepEqual(stream['events_delivered'], [sessionRevoked, credentialChange, claimsChange])
      const by = 'watcher'
      assert.deepEqual((await ssf(`/streams?stream_id=${id}`, { by })).json(), stream)
      assert.deepEqual(JSON.parse((await ssf('/streams', { by })).body), [stream])
      const patched = await ssf('/streams', {
        method: 'PATCH',
        body: { stream_id: id, events_requested: [sessionRevoked], iss: deployment.it.running.issuer },
        by,
      })
      assert.deepEqual(
        [patched.status, patched.json()['events_delivered'], patched.json()['description']],
        [200, [sessionRevoked], 'Shop'],
        patched.body,
      )
      const replaced = await ssf('/streams', { method: 'PUT', body: { stream_id: id, ...poll }, by })
      assert.equal(replaced.json()['description'], undefined)
      assert.ok(JSON.stringify(replaced.json()['delivery']).includes(`/ssf/poll?stream_id=${id}`))
      const contradicting = { stream_id: id, aud: 'somebody', ...poll }
      assert.equal((await ssf('/streams', { method: 'PUT', body: contradicting, by })).status, 400)
      assert.equal((await ssf(`/streams?stream_id=${id}`, { method: 'DELETE', by })).status, 204)
      assert.equal((await ssf(`/streams?stream_id=${id}`, { by })).status, 404)
      assert.equal((await ssf(`/streams?stream_id=${id}`, { method: 'DELETE', by })).status, 404)
    })

    test('SSF 1.0 §8.1.4, RFC 8935: a verification is pushed as a signed SET, with the header that was asked for', async () => {
      const id = await made(push(deployment.inbox(), { authorization_header: 'Bearer of-the-receiver' }))
      assert.ok(!(await ssf(`/streams?stream_id=${id}`)).body.includes('of-the-receiver'))
      const asked = await ssf('/verification', { body: { stream_id: id, state: 'VGhpcw' } })
      assert.equal(asked.status, 204, asked.body)
      const [it] = await until(async () => {
        const found = deployment.pushed.filter(({ set }) => set !== '')
        return found.length > 0 ? found : null
      })
      assert.ok(it !== undefined)
      assert.equal(it.headers['content-type'], 'application/secevent+jwt')
      assert.equal(it.headers.authorization, 'Bearer of-the-receiver')
      const { header, claims } = await read(it.set)
      assert.equal(header['typ'], 'secevent+jwt')
      assert.equal(header['alg'], 'RS256')
      assert.deepEqual(
        [claims['iss'], claims['aud'], claims['sub'], claims['exp']],
        [deployment.it.running.issuer, 'web', undefined, undefined],
      )
      assert.deepEqual(claims['sub_id'], { format: 'opaque', id })
      assert.deepEqual(claims['events'], { [verification]: { state: 'VGhpcw' } })
      await ssf(`/streams?stream_id=${id}`, { method: 'DELETE' })
    })

    test('CAEP 1.0 §3.1: the end of a session is told to whom its person allowed something, and to nobody else', async () => {
      const web = await made(poll)
      const other = await made(poll, { by: 'watcher' })
      const theirs = await made(poll, { by: 'pairwise' })
      await granted(deployment.it, 'alice')
      await granted(deployment.it, 'alice', 'pairwise')
      await endSessions('alice')
      const { sets } = await until(async () => {
        const it = await polled(web)
        return it.ids.length >= 2 ? it : null
      })
      const all = await Promise.all(Object.values(sets).map(read))
      const told = all.map(({ claims }) => claims)
      for (const claims of told) {
        const subject = claims['sub_id'] as { format: string; user: JsonObject; session: JsonObject }
        assert.equal(subject.format, 'complex')
        assert.deepEqual(subject.user, {
          format: 'iss_sub',
          iss: deployment.it.running.issuer,
          sub: await idOf('alice'),
        })
        const [body] = Object.values(claims['events'] as JsonObject) as JsonObject[]
        assert.equal(body?.['initiating_entity'], 'admin')
        assert.equal(typeof body?.['event_timestamp'], 'number')
      }
      assert.deepEqual((await polled(other, {}, 'watcher')).ids, [], 'who has no grant hears nothing')
      const pairwise = await until(async () => {
        const it = await polled(theirs, {}, 'pairwise')
        return it.ids.length >= 1 ? it : null
      })
      const [one = ''] = Object.values(pairwise.sets)
      const { claims } = await read(one)
      assert.ok(!JSON.stringify(claims).includes(await idOf('alice')), 'by its own name for her alone')
      // RFC 8936 §2.4: what is acknowledged, or refused, does not come again; what is not comes again.
      const [first = '', ...rest] = Object.keys(sets)
      assert.deepEqual((await polled(web, { maxEvents: 1 })).ids, [first])
      assert.equal((await polled(web, { maxEvents: 1 })).moreAvailable, rest.length > 0)
      await polled(other, { ack: [first] }, 'watcher')
      assert.ok((await polled(web)).ids.includes(first), 'another stream acknowledges nothing of this one')
      const setErrs = Object.fromEntries(rest.map((jti) => [jti, { err: 'invalid_key', description: 'x' }]))
      assert.deepEqual((await polled(web, { ack: [first, 'unknown'], setErrs })).ids, [])
      assert.deepEqual((await polled(web, { ack: [first] })).ids, [])
      for (const [id, by] of [
        [web, 'web'],
        [other, 'watcher'],
        [theirs, 'pairwise'],
      ] as const)
        await ssf(`/streams?stream_id=${id}`, { method: 'DELETE', by })
    })

    test('CAEP 1.0 §3.2, §3.3: a new password, and other groups, are told; a subject is removed and added', async () => {
      const id = await made(poll)
      await granted(deployment.it, 'bob')
      const { admin } = deployment.it.deployment.authority
      const { store } = deployment.it.deployment
      const bob = await idOf('bob')
      const erin = await idOf('erin')
      const types = async () => {
        const { sets } = await polled(id)
        const read1 = await Promise.all(Object.values(sets).map(read))
        return read1.map(({ claims }) => claims)
      }
      const group = await admin.groups.create(operator, root, { name: 'Signals', members: [] })
      assert.ok(group.kind === 'ok')
      await admin.groups.change(operator, root, { id: group.value.id, version: null, addMembers: [bob, erin] })
      const [claims] = await until(async () => {
        const found = (await types()).filter((it) => Object.keys(it['events'] as JsonObject)[0] === claimsChange)
        return found.length > 0 ? found : null
      })
      assert.deepEqual(
        Object.values(claims?.['events'] as JsonObject).map((it) => (it as JsonObject)['claims']),
        [{ teams: ['Signals'] }],
      )
      assert.ok(JSON.stringify(claims?.['sub_id']).includes(bob), 'Erin has allowed nothing')
      // Erin is added by her address; Bob is removed.
      const byMail = { format: 'email', email: 'erin@example.com' }
      const issSub = { format: 'iss_sub', iss: deployment.it.running.issuer, sub: bob }
      assert.equal((await ssf('/subjects/add', { body: { stream_id: id, subject: byMail } })).status, 200)
      assert.equal((await ssf('/subjects/remove', { body: { stream_id: id, subject: issSub } })).status, 204)
      const stranger = { format: 'email', email: 'nobody@example.com' }
      assert.equal((await ssf('/subjects/add', { body: { stream_id: id, subject: stranger } })).status, 200)
      await polled(id, { ack: (await polled(id)).ids })
      for (const username of ['bob', 'erin']) {
        const row = await store.users.byUsername(root, username)
        assert.ok(row !== null)
        const passwordHash = row.passwordHash ?? ''
        const at = Date.now() as never
        const event = {
          id: crypto.randomUUID() as never,
          tenant: root,
          at,
          name: 'admin.user_changed',
          actor: operator,
        }
        const about = { subject: row.id, clientId: null, grantId: null, jti: null, scope: null, reason: null }
        const events = [{ ...event, ...about, ip: null, traceId: null, data: { password_reset: true } }]
        await store.users.change({ tenant: root, id: row.id, version: row.version, passwordHash, at, events } as never)
      }
      const found = await until(async () => {
        const all = (await types()).filter((it) => Object.keys(it['events'] as JsonObject)[0] === credentialChange)
        return all.length > 0 ? all : null
      })
      assert.deepEqual(
        found.map((it) => it['sub_id']),
        [byMail],
      )
      const [body] = Object.values(found[0]?.['events'] as JsonObject) as JsonObject[]
      assert.deepEqual([body?.['credential_type'], body?.['change_type']], ['password', 'update'])
      await ssf(`/streams?stream_id=${id}`, { method: 'DELETE' })
    })

    test('SSF 1.0 §8.1.2: a paused stream keeps what happens, a disabled one does not', async () => {
      const id = await made(poll)
      await granted(deployment.it, 'carol')
      const status = (to: string) => ssf('/status', { body: { stream_id: id, status: to, reason: 'Maintenance' } })
      const paused = await status('paused')
      assert.deepEqual(paused.json(), { stream_id: id, status: 'paused', reason: 'Maintenance' })
      assert.deepEqual((await ssf(`/status?stream_id=${id}`)).json(), paused.json())
      await endSessions('carol')
      assert.deepEqual((await polled(id)).ids, [])
      await status('enabled')
      const kept = await until(async () => {
        const { ids } = await polled(id)
        return ids.length > 0 ? ids : null
      })
      await polled(id, { ack: kept })
      await status('disabled')
      assert.equal((await ssf('/verification', { body: { stream_id: id } })).status, 400)
      await granted(deployment.it, 'carol')
      await endSessions('carol')
      await deployment.it.deployment.store.events.position()
      await status('enabled')
      assert.equal((await ssf('/status', { body: { stream_id: id, status: 'asleep' } })).status, 400)
      await ssf('/verification', { body: { stream_id: id } })
      const after = await until(async () => {
        const { sets, ids } = await polled(id)
        return ids.length > 0 ? Object.values(sets) : null
      })
      for (const set of after) {
        const { claims } = await read(set)
        assert.deepEqual(Object.keys(claims['events'] as JsonObject), [verification])
      }
      await ssf(`/streams?stream_id=${id}`, { method: 'DELETE' })
    })

    test('what a receiver refuses is given up at once, and the log says so', async () => {
      const id = await made(push(deployment.inbox('/wrong')))
      await ssf('/verification', { body: { stream_id: id } })
      const { store } = deployment.it.deployment
      const row = await until(async () => {
        const [found] = await store.eventDeliveries.search(root, {
          receiver: id,
          state: 'dead',
          before: null,
          limit: 1,
        })
        return found ?? null
      })
      assert.deepEqual([row.lastStatus, row.attempts], [400, 1])
      await ssf(`/streams?stream_id=${id}`, { method: 'DELETE' })
    })

    test('a stream of another client or tenant, a token without the scope or of a person gets nowhere', async () => {
      const id = await made(poll)
      for (const [path, options] of [
        [`/streams?stream_id=${id}`, {}],
        [`/streams?stream_id=${id}`, { method: 'DELETE' }],
        [`/status?stream_id=${id}`, {}],
        ['/status', { body: { stream_id: id, status: 'disabled' } }],
        ['/streams', { method: 'PATCH', body: { stream_id: id, ...poll } }],
        ['/verification', { body: { stream_id: id } }],
        ['/subjects/add', { body: { stream_id: id, subject: { format: 'opaque', id: 'x' } } }],
        [`/poll?stream_id=${id}`, { body: { returnImmediately: true } }],
      ] as const) {
        assert.equal((await ssf(path, { ...options, by: 'watcher' })).status, 404, path)
        assert.equal((await ssf(path, { ...options, by: 'watcher', tenant: '/t/acme' })).status, 404, path)
      }
      assert.equal((await ssf('/streams', { by: 'reader' })).status, 200)
      assert.equal((await ssf('/streams', { by: 'reader', body: poll })).status, 403)
      const { token } = await granted(deployment.it, 'dave')
      const { ask } = deployment.it
      assert.equal((await ask('/ssf/streams', { headers: { authorization: `Bearer ${token}` } })).status, 401)
      assert.equal((await ask('/ssf/streams')).status, 401)
      // RFC 6750 §2.1: no token at all, and yet no other answer than to a wrong one (SSF 1.0 §8.1.1).
      assert.equal((await ask('/ssf/streams', { headers: { authorization: 'Bearer not:a-token' } })).status, 401)
      const foreign = await deployment.it.token('watcher', { scope: 'ssf.read' }, '/t/acme')
      assert.equal((await ask('/ssf/streams', { headers: { authorization: `Bearer ${foreign}` } })).status, 401)
      await ssf(`/streams?stream_id=${id}`, { method: 'DELETE' })
    })

    test('what is malformed, oversized or leads inside is refused, and nothing is made', async () => {
      const before = (await ssf('/streams')).body
      for (const body of [
        push('http://receiver.example/in'),
        push('https://127.0.0.1/in'),
        push('https://169.254.169.254/latest'),
        push('https://[::1]/in'),
        push(`https://receiver.example/${'x'.repeat(5000)}`),
        push(deployment.inbox(), { authorization_header: 'a\r\nx: y' }),
        { delivery: { method: 'urn:example:carrier-pigeon' } },
        { delivery: 'push' },
        { ...poll, events_requested: 'all' },
        { ...poll, events_requested: Array.from({ length: 51 }, (_, n) => `https://e.example/${n}`) },
        { ...poll, description: '\u202e' },
      ])
        assert.equal(
          (await ssf('/streams', { body: body as JsonObject })).status,
          400,
          JSON.stringify(body).slice(0, 120),
        )
      assert.equal((await ssf('/streams', { body: { description: 'x'.repeat(70_000) } })).status, 413)
      assert.equal((await ssf('/streams')).body, before)
      const id = await made(poll)
      for (const subject of [
        { format: 'opaque', id: 'x'.repeat(513) },
        { format: 'iss_sub', iss: 'x' },
        { format: 'phone_number', phone_number: '+1' },
        { format: 'complex', session: { format: 'opaque', id: 'x' } },
        'alice',
      ] as const)
        assert.equal((await ssf('/subjects/add', { body: { stream_id: id, subject } })).status, 400)
      for (const body of [
        { maxEvents: -1 },
        { ack: 'x' },
        { returnImmediately: 'yes' },
        { setErrs: [] },
        { ack: Array.from({ length: 1001 }, String) },
      ] as const)
        assert.equal((await ssf(`/poll?stream_id=${id}`, { body: body as JsonObject })).status, 400)
      for (let n = 0; n < 4; n++) await made(poll)
      assert.equal((await ssf('/streams', { body: poll })).status, 409, 'five are enough')
    })
  })
}
