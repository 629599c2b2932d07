/** CIBA in poll mode: a client asks, a person answers on their account page, and everybody who tries to misuse it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import type { TenantId } from '@grantor/protocol/types'
import { askByBackchannel, asked, declareBanks, PersonAtAccount, pollRequest } from '../support/backchannel-client.ts'
import { asking, databases, openDeployment, operator, root } from '../support/deployment.ts'
import { DeviceAtHome } from '../support/device-client.ts'
import { refreshing, type Shown } from '../support/person.ts'

const outcome = (shown: Shown | null) => (shown?.go === 'device' ? shown.outcome : (shown?.go ?? 'gone'))

for (const database of databases) {
  describe(`the back channel on ${database}`, async () => {
    const deployment = await openDeployment(database)
    await declareBanks(deployment)
    const { store } = deployment
    // What waits for alice, and how often she is asked for, is not what these tests are about.
    const authority = deployment.node({
      policy: { ...deployment.ports.policy, backchannelWaiting: 1000 },
      limits: { ...deployment.ports.limits, backchannelHint: null },
    })
    const alice = await PersonAtAccount.signedIn(authority)
    const bob = await PersonAtAccount.signedIn(authority, 'bob', 'battery-staple')
    const referenceOf = async (id: string) => deployment.ports.ids.handleOf(id)

    test('CIBA §7.3, §10.1: asked, shown, allowed, redeemed once', async () => {
      const { id, answer } = await askByBackchannel(authority)
      assert.match(id, /^gx_[\w-]{43}$/)
      assert.deepEqual([answer['expires_in'], answer['interval']], [600, 5])
      assert.deepEqual(await pollRequest(authority, id), { error: 'device_pending' })
      const [request] = await alice.waiting()
      assert.equal(request?.question.client.name, 'Bank')
      assert.equal(request.question.device?.backchannel?.bindingMessage, 'W4SCT')
      assert.deepEqual([request.question.device?.ip, request.question.device?.userAgent], ['198.51.100.7', 'Bank/1.0'])
      assert.deepEqual([...request.question.question.missing].toSorted(), ['invoices:read', 'offline_access', 'openid'])
      assert.deepEqual(await bob.waiting(), [])
      assert.equal(outcome(await alice.answer(true)), 'approved')
      assert.equal(outcome(await alice.stand()), 'approved', 'the page may be loaded again')
      deployment.clock += 5_000
      const tokens = await pollRequest(authority, id)
      const claims = decodeJwt(tokens.access_token ?? '')
      assert.deepEqual([claims['client_id'], claims.aud], ['bank', 'https://api.example'])
      const idToken = decodeJwt(tokens.id_token ?? '')
      assert.equal(idToken.sub, claims.sub)
      assert.equal(idToken['urn:openid:params:jwt:claim:auth_req_id'], undefined, 'only in push mode')
      assert.equal(typeof idToken['at_hash'], 'string')
      const refreshed = await authority.token(asking(refreshing(tokens.refresh_token ?? ''), { as: 'bank' }))
      assert.ok(refreshed.kind === 'ok')
      const [record] = await store.consents.ofSubject(root, String(claims.sub), 1)
      assert.deepEqual([record?.how, record?.clientId], ['back_channel', 'bank'])
      assert.deepEqual(await pollRequest(authority, id), { error: 'auth_req_id_used' })
      const introspected = await authority.introspect(asking(`token=${tokens.access_token}`, { as: 'api' }))
      assert.ok(introspected.kind === 'ok' && introspected.value['active'] === true, 'a replay ends nothing')
      await store.events.position()
      const names = (await store.events.after(root, 0, 1000)).map((it) => it.name)
      for (const name of ['backchannel.requested', 'backchannel.approved', 'consent.granted'])
        assert.ok(
          names.some((it) => it === name),
          name,
        )
    })

    test('CIBA §11: a denial is told, and cannot be turned into an approval', async () => {
      const { id } = await askByBackchannel(authority)
      assert.equal(outcome(await alice.answer(false, await referenceOf(id))), 'denied')
      assert.equal(outcome(await alice.stand()), 'denied')
      assert.equal(outcome(await alice.answer(true, await referenceOf(id))), 'gone')
      for (let n = 0; n < 2; n++) assert.deepEqual(await pollRequest(authority, id), { error: 'device_denied' })
      await store.events.position()
      const log = await store.events.after(root, 0, 1000)
      assert.equal(log.findLast((it) => it.name === 'backchannel.denied')?.clientId, 'bank')
    })

    test('another person neither sees nor answers it, whatever they send', async () => {
      const { id } = await askByBackchannel(authority)
      const reference = await referenceOf(id)
      for (const allow of [true, false]) assert.equal(await bob.answer(allow, reference), null)
      assert.deepEqual(await pollRequest(authority, id), { error: 'device_pending' })
      assert.equal(outcome(await alice.answer(true, reference)), 'approved')
    })

    test('what one browser began another browser cannot go on with', async () => {
      const { id } = await askByBackchannel(authority)
      const reference = await referenceOf(id)
      const second = await PersonAtAccount.signedIn(authority)
      await alice.answer(true, reference)
      second.interaction = alice.interaction
      const shown = await second.stand()
      assert.equal(shown.go, 'error')
    })

    test('CIBA §11: another client, another tenant and another grant get nothing by it, and spoil nothing', async () => {
      const { id } = await askByBackchannel(authority)
      const acme = 'acme' as TenantId
      assert.deepEqual(await pollRequest(authority, id, { as: 'bank2' }), { error: 'auth_req_id_of_another_client' })
      assert.deepEqual(await pollRequest(authority, id, { tenant: acme }), { error: 'auth_req_id_unknown' })
      assert.deepEqual(await pollRequest(authority, 'gx_made-up'), { error: 'auth_req_id_unknown' })
      const device = await authority.deviceAuthorization(DeviceAtHome.request('scope=openid', { as: 'bank' }))
      assert.ok(device.kind === 'error' && device.error.reason === 'grant_type_not_allowed')
      await alice.answer(true, await referenceOf(id))
      assert.deepEqual(await pollRequest(authority, id, { as: 'bank2' }), { error: 'auth_req_id_of_another_client' })
      assert.ok((await pollRequest(authority, id)).access_token)
    })

    test('CIBA §11: of many who redeem it at once one has tokens', async () => {
      const { id } = await askByBackchannel(authority)
      await alice.answer(true, await referenceOf(id))
      const nodes = [authority, deployment.node({ limits: { ...deployment.ports.limits, backchannelHint: null } })]
      const polls = await Promise.all(Array.from({ length: 8 }, (_, n) => pollRequest(nodes[n % 2] ?? authority, id)))
      assert.equal(polls.filter((it) => it.access_token !== undefined).length, 1)
      assert.equal(polls.filter((it) => it.error === 'auth_req_id_used').length, 7)
    })

    test('of an approval in one browser and a denial in another one counts', async () => {
      const { id } = await askByBackchannel(authority)
      const reference = await referenceOf(id)
      const second = await PersonAtAccount.signedIn(authority)
      const shown = await Promise.all([alice.answer(true, reference), second.answer(false, reference)])
      const polled = await pollRequest(authority, id)
      const outcomes = shown.map(outcome)
      const decided = outcomes.filter((it) => it === 'approved' || it === 'denied')
      assert.ok(decided.length >= 1 && new Set(decided).size === 1, outcomes.join())
      assert.equal(decided[0] === 'denied', polled.error === 'device_denied')
    })

    test('CIBA §11: who polls too fast is told to slow down, and waits longer from then on', async () => {
      const { id } = await askByBackchannel(authority)
      assert.deepEqual(await pollRequest(authority, id), { error: 'device_pending' })
      assert.deepEqual(await pollRequest(authority, id), { error: 'device_polled_too_fast' })
      deployment.clock += 5_000
      assert.deepEqual(await pollRequest(authority, id), { error: 'device_polled_too_fast' })
      deployment.clock += 15_000
      assert.deepEqual(await pollRequest(authority, id), { error: 'device_pending' })
    })

    test('CIBA §11: what was not answered, or not fetched, in time has expired; a client may ask for less time', async () => {
      const short = await askByBackchannel(authority, { requested_expiry: '10' })
      assert.equal(short.answer['expires_in'], 10)
      const long = await askByBackchannel(authority, { requested_expiry: '999999' })
      assert.equal(long.answer['expires_in'], 600)
      await alice.answer(true, await referenceOf(long.id))
      deployment.clock += 10_000
      assert.deepEqual(await pollRequest(authority, short.id), { error: 'auth_req_id_expired' })
      assert.equal(await alice.answer(true, await referenceOf(short.id)), null)
      deployment.clock += 590_000
      assert.deepEqual(await pollRequest(authority, long.id), { error: 'auth_req_id_expired' })
      for (const wrong of ['0', '-1', '1.5', 'soon'])
        assert.equal(
          (await askByBackchannel(authority, { requested_expiry: wrong })).error,
          'parameter_malformed',
          wrong,
        )
    })

    test('CIBA §7.1: exactly one hint, and a scope with openid', async () => {
      const refused: readonly (readonly [Record<string, string | undefined>, string])[] = [
        [{ login_hint: undefined }, 'hint_not_single'],
        [{ id_token_hint: 'x.y.z' }, 'hint_not_single'],
        [{ login_hint_token: 'x.y.z' }, 'hint_not_single'],
        [{ scope: undefined }, 'parameter_missing'],
        [{ scope: 'invoices:read' }, 'scope_lacks_openid'],
        [{ scope: 'openid invoices:write' }, 'scope_exceeds_client'],
        [{ resource: 'https://elsewhere.example' }, 'resource_unknown'],
        [{ authorization_details: '[' }, 'details_malformed'],
        [{ binding_message: 'x'.repeat(101) }, 'binding_message_invalid'],
        [{ binding_message: 'pay\u202e001' }, 'binding_message_invalid'],
        [{ acr_values: 'x'.repeat(2000) }, 'parameter_malformed'],
        [{ login_hint: 'x'.repeat(2000) }, 'parameter_malformed'],
        [{ login_hint: undefined, id_token_hint: 'not a token' }, 'hint_invalid'],
        [{ login_hint: undefined, login_hint_token: 'x.y.z' }, 'hint_invalid'],
      ]
      for (const [form, reason] of refused)
        assert.equal((await askByBackchannel(authority, form)).error, reason, JSON.stringify(form).slice(0, 100))
      assert.equal((await askByBackchannel(authority, {}, { as: 'svc' })).error, 'grant_type_not_allowed')
    })

    test('a hint that means nobody gets an auth_req_id like any other, which nobody answers', async () => {
      const known = await askByBackchannel(authority)
      for (const hint of ['nobody', 'bob@example.com', 'ALICE DOE']) {
        const unknown = await askByBackchannel(authority, { login_hint: hint })
        assert.deepEqual(
          Object.entries(unknown.answer).map(([name, value]) => [name, JSON.stringify(value).length]),
          Object.entries(known.answer).map(([name, value]) => [name, JSON.stringify(value).length]),
        )
        assert.deepEqual(await pollRequest(authority, unknown.id), { error: 'device_pending' })
        assert.equal(await alice.answer(true, await referenceOf(unknown.id)), null)
      }
      await alice.answer(false, await referenceOf(known.id))
    })

    test('CIBA §7.1: a verified address and an ID token of this client say who is meant, too', async () => {
      const byAddress = await askByBackchannel(authority, { login_hint: 'Alice@example.com' })
      assert.equal(outcome(await alice.answer(true, await referenceOf(byAddress.id))), 'approved')
      const { id_token: idToken = '' } = await pollRequest(authority, byAddress.id)
      deployment.clock += 3_600_000
      const again = await PersonAtAccount.signedIn(authority)
      const byToken = await askByBackchannel(authority, { login_hint: undefined, id_token_hint: idToken })
      assert.equal(outcome(await again.answer(true, await referenceOf(byToken.id))), 'approved')
      const foreign = { login_hint: undefined, id_token_hint: idToken }
      assert.equal((await askByBackchannel(authority, foreign, { as: 'bank2' })).error, 'hint_invalid')
    })

    test('CIBA §7.1: resource and details are shown, granted, and asked for again at redemption only as granted', async () => {
      const { id } = await askByBackchannel(authority, { resource: 'https://api.example' })
      await alice.answer(true, await referenceOf(id))
      const body = new URLSearchParams({
        grant_type: 'urn:openid:params:grant-type:ciba',
        auth_req_id: id,
        resource: 'https://opaque.example',
      })
      const elsewhere = await authority.token(asking(body.toString(), { as: 'bank' }))
      assert.ok(elsewhere.kind === 'error' && elsewhere.error.reason === 'resource_outside_grant')
      assert.ok((await pollRequest(authority, id)).access_token)
    })

    test('a client that is deleted takes along what waits', async () => {
      const { id } = await askByBackchannel(authority, {}, { as: 'bank2' })
      await alice.answer(true, await referenceOf(id))
      const gone = await authority.admin.clients.remove(operator, root, 'bank2')
      assert.ok(gone.kind === 'ok')
      const polled = await pollRequest(authority, id, { as: 'bank2' })
      assert.ok(['client_unauthenticated', 'auth_req_id_unknown'].includes(polled.error ?? ''), JSON.stringify(polled))
    })

    test('what was asked, approved and fetched does not hang on one node', async () => {
      const { id } = await askByBackchannel(authority)
      const another = deployment.node()
      const elsewhere = await PersonAtAccount.signedIn(another)
      assert.equal(outcome(await elsewhere.answer(true, await referenceOf(id))), 'approved')
      assert.ok((await pollRequest(deployment.node(), id)).access_token)
    })
  })
}

test('asked again and again for one hint, a client is told to wait; five wait for one person, and the sixth is kept from them', async () => {
  const deployment = await openDeployment()
  await declareBanks(deployment)
  const { authority, store } = deployment
  const outcomes = []
  for (let n = 0; n < 31; n++) outcomes.push((await askByBackchannel(authority)).error)
  assert.deepEqual(outcomes, [...Array.from({ length: 30 }, () => undefined), 'limit_reached'])
  assert.equal((await askByBackchannel(authority, { login_hint: 'nobody' })).error, undefined)
  assert.equal((await askByBackchannel(authority, asked, { as: 'bank2' })).error, undefined)
  const alice = await PersonAtAccount.signedIn(authority)
  assert.equal((await alice.waiting()).length, 5)
  await store.events.position()
  const log = await store.events.after(root, 0, 1000)
  assert.equal(log.filter(({ reason }) => reason === 'too_many_waiting').length, 26)
})

test('CIBA §7.1: a user code keeps others from asking; wrong, unset and of nobody are one answer', async () => {
  const deployment = await openDeployment()
  await declareBanks(deployment)
  const { authority } = deployment
  const alice = await PersonAtAccount.signedIn(authority)
  const { requests } = authority.browser.account
  const from = { as: 'coded' }
  assert.equal((await askByBackchannel(authority, {}, from)).error, 'user_code_missing')
  assert.equal((await askByBackchannel(authority, { login_hint: 'nobody' }, from)).error, 'user_code_missing')
  for (const hint of ['alice', 'nobody']) {
    const form = { login_hint: hint, user_code: 'x1234' }
    assert.equal((await askByBackchannel(authority, form, from)).error, 'user_code_wrong')
  }
  const account = await alice.account()
  for (const short of ['', 'abc', 'with space', 'x'.repeat(65)])
    assert.equal(await requests.setUserCode(short, account, alice.visitor()), 'malformed')
  assert.equal(await requests.setUserCode('x1234', account, alice.visitor()), 'set')
  assert.equal((await askByBackchannel(authority, { user_code: 'x1235' }, from)).error, 'user_code_wrong')
  assert.equal((await askByBackchannel(authority, { user_code: 'x'.repeat(65) }, from)).error, 'user_code_wrong')
  assert.equal((await alice.waiting()).length, 0)
  assert.equal((await askByBackchannel(authority, { user_code: 'x1234' }, from)).error, undefined)
  assert.equal((await alice.waiting()).length, 1)
  // A client that names no code gets an answer like any other, and she is not asked.
  assert.equal((await askByBackchannel(authority)).error, undefined)
  assert.equal((await alice.waiting()).length, 1)
  await requests.setUserCode(null, account, alice.visitor())
  assert.equal((await askByBackchannel(authority)).error, undefined)
  assert.equal((await alice.waiting()).length, 2)
})
