/** Whoever is disabled, deleted or ended while somebody is on the way to a token of theirs: no validator takes one from after that. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Authority, Clock } from '@grantor/authority'
import { ok } from '@grantor/protocol/result'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { localOrigin, newEvent, systemActor } from '../../src/events.ts'
import {
  api,
  asking,
  databases,
  declaration,
  declare,
  type Deployment,
  machine,
  openDeployment,
  operator,
  root,
} from '../support/deployment.ts'
import { authorizeQuery, PersonAtBrowser, redemption, redirectUri, refreshing } from '../support/person.ts'
import { OtherIssuers, signedToken, signingKey, workloadClaims } from '../support/trusted-issuer.ts'

const bearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
const self = 'https://as.example'
const home = 'https://idp.acme.example'
const hook = { url: 'https://hook.example/issuing' }
const [invoices, opaque] = declaration.resources

const objects = (more: JsonObject = {}): JsonObject => ({
  ...declaration,
  resources: [{ ...invoices, ...more }, { ...opaque }],
  clients: [
    ...declaration.clients,
    {
      ...machine('wiki', 'openid offline_access invoices:read'),
      grant_types: ['authorization_code', 'refresh_token', bearerGrant, exchangeGrant],
      response_types: ['code'],
      redirect_uris: [redirectUri],
      exchange: [{ audience: api, scopes: ['invoices:read'], as: 'delegate' }],
    },
  ],
  users: [{ username: 'alice', password: 'correct-horse' }],
  trusted_issuers: [{ issuer: home, people: { linked: [{ sub: 'u-1', username: 'alice' }] } }],
})

/** Something happens while an API's hook is asked whether a token may be issued; then it agrees. */
class HookAtWork extends OtherIssuers {
  meanwhile: (() => Promise<void>) | null = null
  override async submit(): ReturnType<OtherIssuers['submit']> {
    const happens = this.meanwhile
    this.meanwhile = null
    await happens?.()
    const body = Buffer.from(JSON.stringify({ decision: 'allow' }))
    return ok({ type: 'application/json', body, fetchedAt: 0, maxAge: 0 })
  }
}

const key = signingKey('k1')

const assertions: readonly (readonly [what: string, form: (it: Deployment) => JsonObject, reason: string])[] = [
  [
    'an identity assertion grant is redeemed',
    (it) => {
      const claims = { iss: home, aud: self, sub: 'u-1', client_id: 'wiki', scope: 'invoices:read' }
      const { nbf: _, ...said } = workloadClaims(it.clock, claims)
      const short = { ...said, exp: Math.floor(it.clock / 1000) + 300 }
      const assertion = signedToken(short, { by: key, header: { typ: 'oauth-id-jag+jwt' } })
      return { grant_type: bearerGrant, assertion }
    },
    'assertion_invalid',
  ],
  [
    'a token of a trusted issuer is exchanged',
    (it) => ({
      grant_type: exchangeGrant,
      subject_token: signedToken(workloadClaims(it.clock, { iss: home, aud: self, sub: 'u-1' }), { by: key }),
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      audience: api,
    }),
    'subject_token_invalid',
  ],
]

const disable = async ({ authority }: Deployment): Promise<void> => {
  const done = await authority.admin.users.setDisabled(operator, root, { username: 'alice', disabled: true })
  assert.equal(done.kind, 'ok')
}

const remove = async ({ authority, store }: Deployment): Promise<void> => {
  const alice = (await store.users.byUsername(root, 'alice')) ?? assert.fail()
  assert.equal((await authority.admin.users.remove(operator, root, alice)).kind, 'ok')
}

/** What they ask for at their account page: it is deleted in two weeks, and out of use at once. */
const endAccount = async ({ store, ports, clock }: Deployment): Promise<void> => {
  const { id, version } = (await store.users.byUsername(root, 'alice')) ?? assert.fail()
  const about = { actor: systemActor, subject: id, reason: 'deletion_requested', data: { cutoff: true } }
  const outcome = await store.users.change({
    tenant: root,
    id,
    version,
    deletionDueAt: (clock + 1_209_600_000) as Instant,
    endSessionsBut: null,
    at: clock as Instant,
    events: [newEvent(ports, localOrigin(root), 'admin.user_changed', about)],
  })
  assert.equal(outcome, 'changed')
}

const ends = [
  ['disabled', disable],
  ['deleted', remove],
  ['ended by themselves', endAccount],
] as const

const ask = async (at: Authority, form: JsonObject | string): Promise<string> => {
  const body = typeof form === 'string' ? form : String(new URLSearchParams(form as Record<string, string>))
  const answer = await at.token(asking(body, { as: 'wiki' }))
  return answer.kind === 'ok' ? 'ok' : answer.error.reason
}

for (const database of databases) {
  for (const [what, form, reason] of assertions) {
    test(`${database}: whoever is disabled, deleted or ended while ${what} is spoken for by nobody`, async () => {
      for (const [how, end] of ends) {
        const it = await openDeployment(database)
        const others = new HookAtWork()
        others.publish(home, [key])
        const node = it.node({ outbound: others })
        await declare(it, objects({ issuance_hook: hook }))
        assert.equal(await ask(node, form(it)), 'ok')
        others.meanwhile = async () => {
          it.clock += 3000
          await end(it)
        }
        assert.equal(await ask(node, form(it)), reason, how)
      }
    })
  }
}

/** Something happens while a token waits for the second after one in which others ended; the clock moves on with it. */
function waitingNode(it: Deployment, others: OtherIssuers, meanwhile: () => Promise<unknown>): Authority {
  let happens = true
  const clock: Clock = {
    ...it.ports.clock,
    until: async (at) => {
      if (happens) await meanwhile()
      happens = false
      await it.ports.clock.until(at)
    },
  }
  return it.node({ outbound: others, clock })
}

const reset = (it: Deployment) =>
  it.authority.admin.users.resetPassword(operator, root, { username: 'alice', password: 'another-horse' })

for (const [what, form, reason] of assertions)
  test(`whoever is disabled, deleted or ended while ${what} and waits for its second gets no token of a later one`, async () => {
    for (const [how, end] of ends) {
      const it = await openDeployment()
      const others = new HookAtWork()
      others.publish(home, [key])
      await declare(it, objects())
      assert.equal((await reset(it)).kind, 'ok')
      const node = waitingNode(it, others, () => end(it))
      assert.equal(await ask(node, form(it)), reason, how)
    }
  })

test('whoever is disabled while a refresh waits for its second gets no token of a later one', async () => {
  const it = await openDeployment()
  await declare(it, objects())
  const person = new PersonAtBrowser(it.authority)
  const code = await person.code(authorizeQuery({ client_id: 'wiki', scope: 'openid offline_access invoices:read' }))
  const first = await it.authority.token(asking(redemption(code), { as: 'wiki' }))
  assert.ok(first.kind === 'ok', JSON.stringify(first))
  assert.equal((await reset(it)).kind, 'ok')
  const node = waitingNode(it, new OtherIssuers(), () => disable(it))
  const refreshed = await ask(node, refreshing(first.value['refresh_token'] as string))
  assert.equal(refreshed, 'subject_gone')
})
