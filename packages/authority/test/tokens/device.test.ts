/** The device flow (RFC 8628): a device asks, a person decides, and everybody who tries to misuse it. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Authority, limits, memoryLimiter, sharedLimiter } from '@grantor/authority'
import { formOf } from '@grantor/protocol/oauth'
import type { JsonObject, Secret } from '@grantor/protocol/types'
import { decodeJwt } from 'jose'
import {
  asking,
  databases,
  type Deployment,
  isActive,
  openDeployment,
  operator,
  root,
  unproven,
} from '../support/deployment.ts'
import { declareDevices, DeviceAtHome, poll, type Polled } from '../support/device-client.ts'
import { PersonAtBrowser, refreshing, type Shown, shownOf } from '../support/person.ts'

const openFor = async (database: (typeof databases)[number]): Promise<Deployment> => {
  const deployment = await openDeployment(database)
  await declareDevices(deployment)
  return deployment
}

/** The person types the code; null where nothing came of it. */
async function type(person: PersonAtBrowser, code: string): Promise<Shown | string> {
  const entered = await person.authority.browser.enterUserCode(code, person.visitor())
  if (entered.did !== 'entered') return entered.did
  person.keep(entered.cookies)
  person.interaction = entered.interaction
  return person.stand()
}

async function approve(person: PersonAtBrowser, code: string): Promise<Shown> {
  const shown = await type(person, code)
  assert.ok(typeof shown === 'object', JSON.stringify(shown))
  if (shown.go === 'login') await person.signIn()
  return person.allow()
}

const person = (authority: Authority): PersonAtBrowser => {
  const it = new PersonAtBrowser(authority)
  it.browser = `gb_${Math.random().toString(36).slice(2).padEnd(43, 'x')}` as Secret
  return it
}

const outcome = (shown: Shown | string) =>
  typeof shown === 'string' ? shown : shown.go === 'device' ? shown.outcome : shown.go

for (const database of databases) {
  describe(`the device flow on ${database}`, async () => {
    const deployment = await openFor(database)
    const { authority, store } = deployment

    test('RFC 8628 §3.2–§3.5: asked, typed, signed in, shown, allowed, redeemed', async () => {
      const device = await DeviceAtHome.ask(authority)
      assert.match(device.deviceCode, /^gd_[\w-]{43}$/)
      assert.deepEqual(await device.poll(), { error: 'device_pending' })
      const alice = person(authority)
      const login = await type(alice, device.userCode.toLowerCase().replace('-', ' '))
      assert.ok(typeof login === 'object' && login.go === 'login')
      assert.equal(login.client.name, 'Television')
      const consent = await alice.signIn()
      assert.ok(consent.go === 'consent')
      const shown = consent.device
      assert.deepEqual(
        [shown?.ip, shown?.userAgent, shown?.askedAt, `${shown?.userCode?.slice(0, 4)}-${shown?.userCode?.slice(4)}`],
        ['198.51.100.7', 'TV/1.0', deployment.clock, device.userCode],
      )
      assert.equal(consent.redirectUri, '')
      assert.equal(outcome(await alice.allow()), 'approved')
      assert.equal(outcome(await alice.stand()), 'approved', 'the page may be loaded again')
      const tokens = await device.poll()
      const claims = decodeJwt(tokens.access_token ?? '')
      assert.deepEqual([claims['client_id'], claims.aud], ['tv', 'https://api.example'])
      assert.ok(decodeJwt(tokens.id_token ?? '').sub)
      assert.match(tokens.refresh_token ?? '', /^gr_/)
      const [record] = await store.consents.ofSubject(root, String(claims.sub), 1)
      assert.deepEqual([record?.how, record?.clientId, record?.grantId], ['device', 'tv', claims['grant_id']])
      const refreshed = await authority.token(asking(refreshing(tokens.refresh_token ?? ''), { as: 'tv' }))
      assert.ok(refreshed.kind === 'ok')
      await store.events.position()
      const log = await store.events.after(root, 0, 1000)
      const issued = log.find((it) => it.name === 'token.issued' && it.jti === claims.jti)
      assert.equal(issued?.data?.['grant_type'], 'urn:ietf:params:oauth:grant-type:device_code')
      assert.equal(log.find((it) => it.name === 'consent.granted')?.data?.['how'], 'device')
    })

    test('RFC 8628 §5.4: who allowed it before, and is signed in, is asked again', async () => {
      const alice = person(authority)
      await approve(alice, (await DeviceAtHome.ask(authority)).userCode)
      const again = await type(alice, (await DeviceAtHome.ask(authority)).userCode)
      assert.ok(typeof again === 'object' && again.go === 'consent')
      assert.equal(again.question.already.size, 0)
    })

    test('RFC 8628 §3.5: a denial is told, for good; the code cannot be typed again', async () => {
      const device = await DeviceAtHome.ask(authority)
      const alice = person(authority)
      await type(alice, device.userCode)
      await alice.signIn()
      assert.equal(outcome(await alice.deny()), 'denied')
      assert.equal(outcome(await alice.stand()), 'denied')
      assert.equal(outcome(await alice.allow()), 'denied', 'a decision replayed changes nothing')
      for (let n = 0; n < 2; n++) assert.deepEqual(await device.poll(), { error: 'device_denied' })
      assert.equal(await type(alice, device.userCode), 'unknown')
    })

    test('RFC 8628 §5.1: typed, expired, decided and never issued codes look the same to another browser', async () => {
      const [typed, decided] = [await DeviceAtHome.ask(authority), await DeviceAtHome.ask(authority)]
      const [alice, bob] = [person(authority), person(authority)]
      await type(alice, typed.userCode)
      await approve(alice, decided.userCode)
      assert.equal(await type(bob, typed.userCode), 'unknown')
      assert.equal(await type(bob, decided.userCode), 'unknown')
      assert.equal(await type(bob, 'BCDF-GHJK'), 'unknown')
      assert.equal(await type(bob, 'BCDF-GHJ'), 'malformed')
      // Alice still has hers, also when she types it again; what she had begun before is over.
      const first = alice.interaction
      assert.equal(outcome(await type(alice, typed.userCode)), 'consent')
      assert.equal(
        outcome(shownOf(await alice.authority.browser.continueInteraction(first, alice.visitor()))),
        'approved',
      )
      assert.equal(outcome(await alice.allow()), 'approved')
    })

    test('the interaction of a device is its browser’s, and its code its tenant’s', async () => {
      const device = await DeviceAtHome.ask(authority)
      const [alice, mallory] = [person(authority), person(authority)]
      await type(alice, device.userCode)
      mallory.interaction = alice.interaction
      const stolen = await mallory.stand()
      assert.equal(stolen.go === 'error' && stolen.refusal.reason, 'interaction_of_another_browser')
      const elsewhere = await authority.browser.enterUserCode(device.userCode, {
        ...mallory.visitor(),
        tenant: 'acme' as never,
      })
      assert.equal(elsewhere.did, 'unknown')
      assert.deepEqual(await poll(authority, device.deviceCode, { tenant: 'acme' as never }), {
        error: 'device_code_unknown',
      })
    })

    test('another client gets nothing for the code, and spoils nothing by trying', async () => {
      const device = await DeviceAtHome.ask(authority)
      assert.deepEqual(await poll(authority, device.deviceCode, { as: 'tv2' }), {
        error: 'device_code_of_another_client',
      })
      await approve(person(authority), device.userCode)
      assert.deepEqual(await poll(authority, device.deviceCode, { as: 'tv2' }), {
        error: 'device_code_of_another_client',
      })
      assert.ok((await device.poll()).access_token)
    })

    test('RFC 8628 §3.5: slow_down lengthens the interval, whoever is asked; it never holds back a decision', async () => {
      const device = await DeviceAtHome.ask(authority)
      assert.deepEqual(await device.poll(), { error: 'device_pending' })
      deployment.clock += 1_000
      assert.deepEqual(await device.poll(), { error: 'device_polled_too_fast' })
      deployment.clock += 5_000
      assert.deepEqual(await device.poll(), { error: 'device_polled_too_fast' }, 'five seconds are no longer enough')
      deployment.clock += 15_000
      assert.deepEqual(await device.poll(), { error: 'device_pending' })
      await approve(person(authority), device.userCode)
      assert.ok((await device.poll()).access_token)
    })

    test('nothing is approved or fetched after ten minutes, and no leeway is added', async () => {
      const own = await openFor(database)
      const [late, unfetched] = [await DeviceAtHome.ask(own.authority), await DeviceAtHome.ask(own.authority)]
      const alice = person(own.authority)
      await approve(alice, unfetched.userCode)
      await type(alice, late.userCode)
      own.clock += 600_000
      assert.equal(outcome(await alice.allow()), 'expired')
      assert.deepEqual(await late.poll(), { error: 'device_code_expired' })
      assert.deepEqual(await unfetched.poll(), { error: 'device_code_expired' })
      assert.equal(await type(alice, late.userCode), 'unknown')
    })

    test('of 50 polls at once after the approval all get the one refresh token; a replay after a minute ends the grant', async () => {
      const device = await DeviceAtHome.ask(authority)
      await approve(person(authority), device.userCode)
      const answers: readonly Polled[] = await Promise.all(Array.from({ length: 50 }, () => device.poll()))
      assert.equal(
        new Set(answers.map((it) => it.refresh_token)).size,
        1,
        JSON.stringify(answers.map((it) => it.error)),
      )
      const { access_token: access = '', refresh_token: refresh = '' } = answers[0] ?? {}
      assert.equal(await isActive(authority, access, { as: 'tv' }), true)
      deployment.clock += 61_000
      assert.deepEqual(await device.poll(), { error: 'device_code_replayed' })
      assert.equal(await isActive(authority, access, { as: 'tv' }), false)
      const dead = await authority.token(asking(refreshing(refresh), { as: 'tv' }))
      assert.equal(dead.kind === 'ok' ? 'ok' : dead.error.reason, 'grant_ended')
    })

    test('a refresh token that was used ends the retries of its device code', async () => {
      const device = await DeviceAtHome.ask(authority)
      await approve(person(authority), device.userCode)
      const { refresh_token: refresh = '' } = await device.poll()
      assert.equal((await device.poll()).refresh_token, refresh, 'a lost answer is given again')
      await authority.token(asking(refreshing(refresh), { as: 'tv' }))
      assert.deepEqual(await device.poll(), { error: 'device_code_replayed' })
    })

    test('a client or person switched off between approval and poll gets nothing', async () => {
      const own = await openFor(database)
      const device = await DeviceAtHome.ask(own.authority)
      await approve(person(own.authority), device.userCode)
      await own.authority.admin.users.setDisabled(operator, root, { username: 'alice', disabled: true })
      assert.deepEqual(await device.poll(), { error: 'subject_gone' })
      await own.authority.admin.users.setDisabled(operator, root, { username: 'alice', disabled: false })
      const held = await own.authority.admin.clients.find(root, 'tv')
      assert.ok(held.kind === 'ok')
      const { id, version, metadata } = held.value
      await own.authority.admin.clients.replace(operator, root, {
        id,
        version,
        metadata,
        disabled: true,
      })
      assert.deepEqual(await device.poll(), { error: 'client_unauthenticated' })
    })

    test('ten wrong codes in ten minutes are all one browser, address or account may try', async () => {
      const limited = deployment.node({ limiter: memoryLimiter(deployment.ports.clock) })
      const device = await DeviceAtHome.ask(limited)
      const guesser = person(limited)
      for (let n = 0; n < 10; n++) assert.equal(await type(guesser, 'BCDF-GHJK'), 'unknown')
      assert.equal(await type(guesser, device.userCode), 'throttled', 'even the right one')
      assert.equal(await type(person(limited), device.userCode), 'throttled', 'the same address, another browser')
      const moved = person(limited)
      moved.browser = guesser.browser
      const entered = await limited.browser.enterUserCode(device.userCode, { ...moved.visitor(), ip: '203.0.113.9' })
      assert.equal(entered.did, 'throttled', 'the same browser, another address')
      deployment.clock += 60_000
      assert.equal(outcome(await type(guesser, device.userCode)), 'login', 'one more after a minute')
      await store.events.position()
      const log = (await store.events.after(root, 0, 5000)).filter((it) => it.name === 'device.guessed')
      assert.deepEqual(log.at(-1)?.data, { limits_reached: ['browser', 'address'] })
    })

    test('RFC 8628 §5.1: many addresses together are braked, and cannot lock out who is signed in', async () => {
      const few = { ...limits, deviceTenant: { name: 'device-tenant', quota: 5, window: 600 } }
      const limited = deployment.node({ limits: few, limiter: memoryLimiter(deployment.ports.clock) })
      const device = await DeviceAtHome.ask(limited)
      const alice = person(limited)
      await approve(alice, (await DeviceAtHome.ask(limited)).userCode)
      const from = (n: number, code: string) =>
        limited.browser.enterUserCode(code, { ...person(limited).visitor(), ip: `203.0.113.${n}` })
      for (let n = 0; n < 5; n++) assert.equal((await from(n, 'BCDF-GHJK')).did, 'unknown')
      assert.equal((await from(99, device.userCode)).did, 'throttled')
      assert.equal(outcome(await type(alice, device.userCode)), 'consent')
    })

    test('neighbours behind one address do not lock out who is signed in, nor a browser they signed in with', async () => {
      const limited = deployment.node({ limiter: memoryLimiter(deployment.ports.clock) })
      const [alice, known] = [person(limited), person(limited)]
      for (const one of [alice, known]) await approve(one, (await DeviceAtHome.ask(limited)).userCode)
      // Signed out, in the same browser.
      known.sessions = []
      const stranger = person(limited)
      for (let n = 0; n < 10; n++) assert.equal(await type(stranger, 'BCDF-GHJK'), 'unknown')
      assert.equal(await type(person(limited), 'BCDF-GHJK'), 'throttled', 'the same address')
      assert.equal(outcome(await type(alice, (await DeviceAtHome.ask(limited)).userCode)), 'consent')
      assert.equal(outcome(await type(known, (await DeviceAtHome.ask(limited)).userCode)), 'login')
      // Their own allowance is one, too, and no longer than that of others.
      for (const one of [alice, known]) {
        for (let n = 0; n < 10; n++) assert.equal(await type(one, 'BCDF-GHJK'), 'unknown')
        assert.equal(await type(one, 'BCDF-GHJK'), 'throttled')
      }
    })

    test('one address that goes on after it was refused uses up nothing that others share', async () => {
      const few = { ...limits, deviceTenant: { name: 'device-tenant', quota: 15, window: 600 } }
      const limited = deployment.node({ limits: few, limiter: memoryLimiter(deployment.ports.clock) })
      const stranger = person(limited)
      for (let n = 0; n < 40; n++)
        assert.equal(await type(stranger, 'BCDF-GHJK'), n < 10 ? 'unknown' : 'throttled', `attempt ${n}`)
      const elsewhere = { ...person(limited).visitor(), ip: '203.0.113.40' }
      assert.equal((await limited.browser.enterUserCode('BCDF-GHJK', elsewhere)).did, 'unknown')
    })

    test('wrong codes are counted over all nodes together, also 50 at once', async () => {
      const digest = (text: string) => createHash('sha256').update(text).digest('base64url')
      const { clock } = deployment.ports
      const nodes = [0, 1].map(() => deployment.node({ limiter: sharedLimiter({ store, clock, digest }) }))
      const guess = (n: number) => {
        const node = nodes[n % 2] ?? authority
        return node.browser.enterUserCode('BCDF-GHJK', { ...person(node).visitor(), ip: '203.0.113.77' })
      }
      const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => guess(n)))
      assert.equal(answers.filter(({ did }) => did === 'unknown').length, 10)
      assert.equal(answers.filter(({ did }) => did === 'throttled').length, 40)
    })

    test('who asks for codes without end is refused by address, whichever client they name', async () => {
      const few = { ...limits, deviceRequests: { name: 'device-requests', quota: 3, window: 60 } }
      const limited = deployment.node({ limits: few, limiter: memoryLimiter(deployment.ports.clock) })
      for (let n = 0; n < 3; n++) await DeviceAtHome.ask(limited)
      const answer = await limited.deviceAuthorization(DeviceAtHome.request('scope=openid', { as: 'tv2' }))
      assert.equal(answer.kind === 'ok' ? 'ok' : answer.error.reason, 'limit_reached')
    })

    const refused: readonly (readonly [string, string, string, string?])[] = [
      ['a client that is not registered for it', 'scope=openid', 'grant_type_not_allowed', 'svc'],
      ['a wrong secret', 'scope=openid', 'client_unauthenticated', 'nobody'],
      ['a scope that is not known', 'scope=nothing', 'scope_unknown'],
      ['a resource that is not known', 'scope=openid&resource=https://c.example', 'resource_unknown'],
    ]
    for (const [title, body, reason, as = 'tv'] of refused)
      test(`RFC 8628 §3.1: ${title} → ${reason}`, async () => {
        const answer = await authority.deviceAuthorization(DeviceAtHome.request(body, { as }))
        assert.equal(answer.kind === 'ok' ? 'ok' : answer.error.reason, reason)
      })

    test('a public client asks with its client_id alone, and redeems so', async () => {
      const open = (body: JsonObject) => {
        const form = formOf(new URLSearchParams(body as Record<string, string>))
        return { ...unproven, tenant: root, form, ip: '198.51.100.7', traceId: null, userAgent: null }
      }
      const answer = await authority.deviceAuthorization(open({ client_id: 'stick', scope: 'openid' }))
      assert.ok(answer.kind === 'ok')
      await approve(person(authority), answer.value['user_code'] as string)
      const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
      const fetched = await authority.token(
        open({ grant_type, device_code: answer.value['device_code'] ?? '', client_id: 'stick' }),
      )
      assert.ok(fetched.kind === 'ok')
      assert.equal('refresh_token' in fetched.value, false)
    })
  })
}
