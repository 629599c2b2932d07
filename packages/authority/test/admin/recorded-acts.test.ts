/** Every act of administration that changes something stands in the log, once, as what it is and by whom. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Admin, Mail } from '@grantor/authority'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { api, bounded, openDeployment, operator, root, tokenFrom } from '../support/deployment.ts'
import { Enrolling } from '../support/enrolled-person.ts'
import { declarePeople } from '../support/person.ts'

interface Scene {
  readonly admin: Admin
  /** What the act before gave, for the next. */
  last: unknown
  /** The webhook that was made. */
  hook: string
}
type Act = (scene: Scene) => Promise<{ readonly kind: string; readonly value?: unknown }>

const acme = 'acme' as TenantId
const web: JsonObject = {
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
  scope: 'invoices:read',
}
const scope: JsonObject = { name: 'x:read', description: 'See x', resource: api }
const role: JsonObject = { name: 'clerk', resource: api, scopes: ['invoices:read'] }
const provider: JsonObject = {
  id: 'corp',
  name: 'Corp',
  kind: 'oidc',
  issuer: 'https://idp.example',
  client_id: 'c',
  client_secret: 's',
}
const hook: JsonObject = { url: 'https://hooks.example/in', events: ['*'] }
const idOf = ({ last }: Scene): string => (last as { id: string }).id
const clientOf = ({ last }: Scene) => (last as { client: { version: number } }).client
const hookOf = ({ last }: Scene): string => (last as { webhook: { id: string } }).webhook.id
const versionOf = ({ last }: Scene): string => (last as { version: string }).version

const acts: readonly (readonly [Act, ...told: readonly string[]])[] = [
  [
    ({ admin }) => admin.tenants.create(operator, 'acme', 'Acme'),
    'admin.tenant_changed {"name":"Acme","created":true}',
  ],
  [
    ({ admin }) => admin.tenants.setDisabled(operator, acme, true),
    'admin.tenant_changed {"disabled":true,"cutoff":true}',
  ],
  [({ admin }) => admin.tenants.remove(operator, acme), 'admin.tenant_changed {"removed":true}'],
  [
    ({ admin }) => admin.scopes.put(operator, root, { input: scope, expected: null }),
    'admin.scope_changed {"name":"x:read"}',
  ],
  [
    (it) => it.admin.scopes.drop(operator, root, { id: 'x:read', expected: versionOf(it) }),
    'admin.scope_changed {"name":"x:read","removed":true}',
  ],
  [
    ({ admin }) => admin.roles.put(operator, root, { input: role, expected: null }),
    'admin.role_changed {"name":"clerk"}',
  ],
  [
    ({ admin }) =>
      admin.resources.put(operator, root, { input: { identifier: 'https://new.example' }, expected: null }),
    'admin.resource_changed {"identifier":"https://new.example"}',
  ],
  [
    ({ admin }) => admin.providers.put(operator, root, { input: provider, expected: null }),
    'admin.provider_changed {"provider":"corp"}',
  ],
  [
    (it) => it.admin.providers.drop(operator, root, { id: 'corp', expected: versionOf(it) }),
    'admin.provider_changed {"provider":"corp","removed":true}',
  ],
  [
    ({ admin }) => admin.clients.create(operator, root, { id: 'new', metadata: web }),
    'client.registered {"origin":"manual","client_name":null,"token_endpoint_auth_method":"client_secret_basic","grant_types":["client_credentials"]}',
  ],
  [
    ({ admin }) => admin.clients.rotateSecret(operator, root, { id: 'new', overlap: 60 }),
    'client.secret_rotated {"overlap_seconds":60}',
  ],
  [
    (it) =>
      it.admin.clients.replace(operator, root, {
        id: 'new',
        version: clientOf(it).version,
        metadata: web,
        disabled: true,
      }),
    'client.updated {"disabled":true,"cutoff":true}',
  ],
  [({ admin }) => admin.clients.remove(operator, root, 'new'), 'client.deleted null'],
  [
    ({ admin }) => admin.users.create(operator, root, { username: 'carol', password: 'battery-staple', claims: {} }),
    'admin.user_changed {"created":true}',
  ],
  [
    ({ admin }) => admin.users.setAdministrator(operator, root, { username: 'carol', administrator: 'support' }),
    'admin.user_changed {"administrator":"support"}',
  ],
  [
    ({ admin }) => admin.users.setAdministrator(operator, root, { username: 'carol', administrator: null }),
    'admin.user_changed {"administrator":null}',
  ],
  [
    ({ admin }) => admin.users.setDisabled(operator, root, { username: 'carol', disabled: true }),
    'admin.user_changed {"disabled":true,"cutoff":true}',
  ],
  [
    ({ admin }) => admin.users.setDisabled(operator, root, { username: 'carol', disabled: false }),
    'admin.user_changed {"disabled":false,"cutoff":false}',
  ],
  [
    ({ admin }) => admin.users.resetPassword(operator, root, { username: 'carol', password: 'another-staple' }),
    'admin.user_changed {"password_reset":true,"cutoff":true}',
  ],
  [({ admin }) => admin.users.mailReset(operator, root, 'alice'), 'admin.user_changed {"reset_mailed":true}'],
  [({ admin }) => admin.users.resetFactors(operator, root, 'alice'), 'factor.removed {"factor":"all"}'],
  [
    ({ admin }) => admin.users.invite(operator, root, { email: 'n@example.com', name: null, mailed: true, life: 3600 }),
    'invitation.created {"id":"ID","mailed":true}',
  ],
  [(it) => it.admin.users.revokeInvitation(operator, root, idOf(it)), 'invitation.revoked {"id":"ID"}'],
  [
    ({ admin }) => admin.groups.create(operator, root, { name: 'Team' }),
    'admin.group_changed {"id":"ID","name":"Team","created":true,"roles":"","members":""}',
  ],
  [
    (it) => it.admin.groups.change(operator, root, { id: idOf(it), version: null, name: 'Crew', roles: ['clerk'] }),
    'admin.group_changed {"id":"ID","name":"Crew","roles":"clerk"}',
  ],
  [
    (it) => it.admin.groups.remove(operator, root, { id: idOf(it), version: 2 }),
    'admin.group_changed {"id":"ID","removed":true}',
  ],
  [
    ({ admin }) => admin.registrationTokens.create(operator, root, { uses: 3, expiresIn: 60 }),
    'admin.registration_token_changed {"id":"ID","created":true,"uses":3,"expires_at":+60000}',
  ],
  [
    (it) => it.admin.registrationTokens.revoke(operator, root, idOf(it)),
    'admin.registration_token_changed {"id":"ID","revoked":true}',
  ],
  [
    ({ admin }) =>
      admin.apiKeys.create(operator, root, {
        clientId: 'svc',
        name: 'Robot',
        resource: api,
        scope: null,
        addresses: [],
        expiresAt: null,
      }),
    'api_key.created {"name":"Robot","resource":"https://api.example","addresses":[],"expires_at":null}',
  ],
  [
    (it) => it.admin.apiKeys.revoke(operator, root, (it.last as { apiKey: { id: string } }).apiKey.id),
    'api_key.revoked {"name":"Robot","resource":"https://api.example","until":+300000}',
  ],
  [
    ({ admin }) => admin.webhooks.create(operator, root, hook),
    'admin.webhook_changed {"id":"ID","url":"https://hooks.example/in","events":["*"]}',
  ],
  [
    (it) => it.admin.webhooks.rotateSecret(operator, root, { id: (it.hook = hookOf(it)), overlap: 60 }),
    'admin.webhook_changed {"id":"ID","secret_rotated":true,"overlap":60}',
  ],
  [({ admin, hook: id }) => admin.webhooks.test(operator, root, id), 'admin.webhook_changed {"id":"ID","tested":"ID"}'],
  [
    ({ admin, hook: id }) => admin.webhooks.remove(operator, root, id),
    'admin.webhook_changed {"id":"ID","removed":true}',
  ],
  [
    ({ admin }) => admin.mails.test(operator, root, 'a@example.com'),
    'admin.mail_changed {"id":"ID","kind":"test","queued":true}',
  ],
  [
    (it) => it.admin.mails.retry(operator, root, String(it.last)),
    'admin.mail_changed {"id":"ID","kind":"test","retried":true}',
  ],
  [
    ({ admin }) => admin.keys.rotate(operator, root, { now: true }),
    'key.published {"kid":"KID","alg":"ES256","generation":2,"activates_at":+0}',
    'key.activated {"kid":"KID","alg":"ES256","generation":2,"activates_at":+0}',
  ],
  [
    (it) => it.admin.keys.drop(operator, root, String((it.last as readonly string[])[0])),
    'system key.published {"kid":"KID","alg":"ES256","generation":3,"activates_at":+0}',
    'system key.activated {"kid":"KID","alg":"ES256","generation":3,"activates_at":+0}',
    'key.dropped {"kid":"KID","alg":"ES256"}',
  ],
]

/** Without ids and kids; times as milliseconds from now. */
const plain = (text: string, now: number): string =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replaceAll(/"kid":"[^"]+"/g, '"kid":"KID"')
    .replaceAll(/\d{13}/g, (at) => `+${Number(at) - now}`)

test('every act is recorded as what it is', bounded, async () => {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  const person = new Enrolling(deployment)
  await person.enter()
  await person.addApp()
  await tokenFrom(deployment.authority, 'scope=invoices:read')
  const mail: Mail = { send: () => Promise.resolve({ did: 'sent' }) }
  const { admin } = deployment.node({ mail })
  const { store } = deployment
  const scene: Scene = { admin, last: null, hook: '' }
  let seen = await store.events.position()
  const said: (readonly string[])[] = []
  for (const [act] of acts) {
    const answer = await act(scene)
    assert.equal(answer.kind, 'ok', `${String(act)} ${JSON.stringify(answer)}`)
    scene.last = answer.value
    const upTo = await store.events.position()
    const found: string[] = []
    for (const tenant of [root, acme])
      for (const { name, actor, pos, data } of await store.events.after(tenant, 0, 1000))
        if (pos > seen) found.push(`${actor.id === operator.id ? '' : `${actor.kind} `}${name} ${JSON.stringify(data)}`)
    seen = upTo
    said.push(found.map((text) => plain(text, deployment.clock)))
  }
  assert.deepEqual(
    said,
    acts.map(([, ...told]) => told),
  )
})
