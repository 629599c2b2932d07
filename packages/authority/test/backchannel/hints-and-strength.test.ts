/** CIBA: whom an outside issuer's token means, how strongly a request is answered, and the mail that tells of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MailMessage } from '@grantor/authority'
import { decodeJwt } from 'jose'
import { askByBackchannel, bank, declareBanks, PersonAtAccount, pollRequest } from '../support/backchannel-client.ts'
import { asking, declaration, declare, type Deployment, openDeployment } from '../support/deployment.ts'
import { Enrolling } from '../support/enrolled-person.ts'
import { waitUntil } from '../support/wait-until.ts'
import { OtherIssuers, signedToken, signingKey, workloadClaims } from '../support/trusted-issuer.ts'

const partner = 'https://partner.example'
const key = signingKey('partner-1')

async function withPartner() {
  const deployment = await openDeployment()
  await declare(deployment, {
    ...declaration,
    clients: [...declaration.clients, bank('bank')],
    users: [{ username: 'alice', password: 'correct-horse' }],
    trusted_issuers: [{ issuer: partner, people: { linked: [{ sub: 'p-1', username: 'alice' }] } }],
  })
  const others = new OtherIssuers()
  others.publish(partner, [key])
  return { deployment, others, authority: deployment.node({ outbound: others }) }
}

const hintOf = ({ clock }: Deployment, more: object = {}, by = key): string =>
  signedToken(workloadClaims(clock, { iss: partner, aud: 'https://as.example', sub: 'p-1', ...more }), { by })

test('CIBA §7.1: a login_hint_token of a trusted issuer says who is meant, and of nobody else', async () => {
  const { deployment, others, authority } = await withPartner()
  const alice = await PersonAtAccount.signedIn(authority)
  const ask = (token: string) => askByBackchannel(authority, { login_hint: undefined, login_hint_token: token })
  const good = await ask(hintOf(deployment))
  assert.equal(good.error, undefined)
  assert.equal((await alice.waiting()).length, 1)
  await alice.answer(true)
  assert.ok((await pollRequest(authority, good.id)).access_token)
  // Somebody whom we do not know is asked for like everybody else, and nobody hears of it.
  assert.equal((await ask(hintOf(deployment, { sub: 'p-2' }))).error, undefined)
  assert.equal((await alice.waiting()).length, 0)
  const over = Math.floor(deployment.clock / 1000) - 3600
  const refused: readonly (readonly [string, string])[] = [
    [hintOf(deployment, { exp: over, nbf: over - 60, iat: over - 60 }), 'login_hint_token_expired'],
    [hintOf(deployment, {}, signingKey('partner-1')), 'hint_invalid'],
    [hintOf(deployment, { aud: 'https://elsewhere.example' }), 'hint_invalid'],
    [hintOf(deployment, { iss: 'https://stranger.example' }), 'hint_invalid'],
    [`${hintOf(deployment).split('.').slice(0, 2).join('.')}.`, 'hint_invalid'],
  ]
  for (const [token, reason] of refused) assert.equal((await ask(token)).error, reason)
  others.away.add(partner)
  const unheard = deployment.node({ outbound: others })
  const away = { login_hint: undefined, login_hint_token: hintOf(deployment) }
  assert.equal((await askByBackchannel(unheard, away)).error, 'issuer_unavailable')
})

test('CIBA §7.1: acr_values ask for more than the sign-in: the approval waits for it, and the ID token says so', async () => {
  const deployment = await openDeployment()
  await declareBanks(deployment)
  const { authority } = deployment
  const alice = new Enrolling(deployment)
  assert.equal(await alice.enter(), 'signed-in')
  const passkey = await alice.addPasskey()
  const { id } = await askByBackchannel(authority, { acr_values: 'phr' })
  const { requests } = authority.browser.account
  const answer = async (allow: boolean) => {
    const [waiting] = await requests.list(await alice.account(), alice.visitor())
    const by = { reference: waiting?.reference ?? '', allow, ticked: new Set<string>() }
    const answered = await requests.answer(by, await alice.account(), alice.visitor())
    assert.ok(answered !== null)
    alice.keep(answered.cookies)
    alice.interaction = answered.interaction
    return alice.stand()
  }
  assert.notEqual((await answer(true)).go, 'device', 'not yet')
  assert.deepEqual(await pollRequest(authority, id), { error: 'device_pending' })
  assert.equal(await alice.byPasskey(passkey.get(await alice.question())), 'signed-in')
  const shown = await alice.stand()
  assert.ok(shown.go === 'device' && shown.outcome === 'approved', shown.go)
  deployment.clock += 5_000
  assert.equal(decodeJwt((await pollRequest(authority, id)).id_token ?? '')['acr'], 'phr')
  const denied = await askByBackchannel(authority, { acr_values: 'phr' })
  await answer(false)
  assert.deepEqual(await pollRequest(authority, denied.id), { error: 'device_denied' }, 'to say no takes no strength')
})

test('CIBA §8: the person who is asked has a mail with the message, and nobody else has one', async () => {
  const deployment = await openDeployment()
  await declareBanks(deployment)
  const letters: MailMessage[] = []
  const send = (letter: MailMessage) => {
    letters.push(letter)
    return Promise.resolve({ did: 'sent' as const })
  }
  const authority = deployment.node({ mail: { send } })
  await authority.begin()
  await deployment.store.events.position()
  await askByBackchannel(authority, { login_hint: 'nobody' })
  await askByBackchannel(authority)
  await waitUntil(() => letters.length > 0, 'she was told')
  const [letter, ...more] = letters
  assert.deepEqual([letter?.to, more.length], ['alice@example.com', 0])
  const facts = letter?.facts
  assert.ok(facts?.kind === 'access_requested')
  assert.deepEqual([facts.client, facts.bindingMessage], ['Bank', 'W4SCT'])
})

test('a request that is decided anew on fresh facts counts once for its hint', async () => {
  const deployment = await openDeployment()
  await declareBanks(deployment)
  const { store, ports } = deployment
  let outdated = true
  const open: typeof store.backchannel.open = async (...it) => {
    outdated = !outdated
    return outdated ? store.backchannel.open(...it) : 'stale'
  }
  const authority = deployment.node({
    store: { ...store, backchannel: { ...store.backchannel, open } },
    limits: { ...ports.limits, backchannelHint: { name: 'backchannel-hint', quota: 1, window: 600 } },
  })
  assert.equal((await askByBackchannel(authority)).error, undefined)
  assert.equal((await askByBackchannel(authority)).error, 'limit_reached')
})

test('an ID token that is made anew for the same person is the same hint: it counts on, and so do wrong user codes', async () => {
  const deployment = await openDeployment()
  await declareBanks(deployment)
  const limits = {
    ...deployment.ports.limits,
    backchannelHint: { name: 'backchannel-hint', quota: 4, window: 600 },
    backchannelUserCode: { name: 'backchannel-user-code', quota: 1, window: 900 },
  }
  const authority = deployment.node({ limits })
  const alice = await PersonAtAccount.signedIn(authority)
  const { requests } = authority.browser.account
  assert.equal(await requests.setUserCode('1234', await alice.account(), alice.visitor()), 'set')
  const as = 'coded'
  const { id } = await askByBackchannel(authority, { user_code: '1234' }, { as })
  await alice.answer(true)
  const given = await pollRequest(authority, id, { as })
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: given.refresh_token ?? '' })
  const refreshed = await authority.token(asking(form.toString(), { as }))
  assert.ok(refreshed.kind === 'ok')
  const tokens = [given.id_token ?? '', refreshed.value['id_token'] as string]
  assert.notEqual(tokens[0], tokens[1])
  const guess = async (token = '', userCode = '1235') =>
    (await askByBackchannel(authority, { login_hint: undefined, id_token_hint: token, user_code: userCode }, { as }))
      .error
  assert.equal(await guess(tokens[0]), 'user_code_wrong')
  assert.equal(await guess(tokens[1]), 'limit_reached', 'no further guess with another token')
  deployment.clock += 900_000
  for (let n = 0; n < 4; n++) assert.equal(await guess(tokens[n % 2], '1234'), undefined)
  assert.equal(await guess(tokens[0], '1234'), 'limit_reached', 'nor a fifth request')
})
