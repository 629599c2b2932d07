/** What an administrator wrote wrongly: every refusal names the field and no other, and nothing is written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Admin } from '@grantor/authority'
import type { Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import { longestInvitation } from '../../src/admin/people/invitations.ts'
import { api, bounded, openDeployment, operator, root } from '../support/deployment.ts'
import { declarePeople } from '../support/person.ts'

type Answer = Promise<{ readonly kind: 'ok' | 'error'; readonly error?: object }>
type Act = (admin: Admin) => Answer

const person = { username: 'carol', password: null, claims: {} }
const invitation = { email: 'new@example.com', name: null, mailed: false, life: 3600 }
const tenant = {
  revision: null,
  name: 'New',
  disabled: false,
  profile: null,
  registration: null,
  requirePushed: null,
  branding: null,
  accounts: null,
}
const client = (more: JsonObject): JsonObject => ({
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
  scope: 'invoices:read',
  ...more,
})
const imported = { id: null, username: 'ivan', claims: {}, createdAt: null, disabled: false, passwordHash: null }
const byUpstream = (upstreamSubject: string) => [{ provider: 'corp', upstreamSubject }]
const provider = { id: 'corp', name: 'Corp', kind: 'oidc', issuer: 'https://idp.example', client_id: 'c' }

const creates =
  (more: object): Act =>
  (admin) =>
    admin.users.create(operator, root, { ...person, ...more })
const invites =
  (more: object): Act =>
  (admin) =>
    admin.users.invite(operator, root, { ...invitation, ...more })
const makesTenant =
  (more: object, id = 'new'): Act =>
  (admin) =>
    admin.tenants.put(operator, id as TenantId, { ...tenant, ...more })
const makesGroup =
  (more: object): Act =>
  (admin) =>
    admin.groups.create(operator, root, { name: 'Team', ...more })
const makesClient =
  (metadata: JsonObject, more: object = {}): Act =>
  (admin) =>
    admin.clients.create(operator, root, { metadata: client(metadata), ...more })
const previews =
  (more: object): Act =>
  (admin) =>
    admin.clients.preview(root, { clientId: 'web', subject: null, scope: null, resource: null, ...more })
const puts =
  (kind: 'resources' | 'scopes' | 'roles' | 'providers', input: JsonObject): Act =>
  (admin) =>
    admin[kind].put(operator, root, { input, expected: null })
const brings =
  (more: object): Act =>
  async (admin) => {
    const answer = await admin.users.importMany(operator, { tenant: root, users: [{ ...imported, ...more }] } as never)
    if (answer.kind === 'error') return answer
    const [first] = answer.value as readonly { problems?: readonly object[] }[]
    return first?.problems === undefined ? answer : { kind: 'error', error: { problems: first.problems } }
  }

const groups = (count: number) => Array.from({ length: count }, (_, n) => `g${n}`)

const refused: readonly (readonly [act: Act, ...fields: readonly string[]])[] = [
  [creates({ username: 'two words' }), 'username'],
  [creates({ claims: { email: 5 } }), 'email'],
  [creates({ claims: { email_verified: 'yes' } }), 'email_verified'],
  [creates({ claims: { updated_at: 'now' } }), 'updated_at'],
  [creates({ claims: { address: 'here' } }), 'address'],
  [creates({ claims: { shoe_size: '44' } }), 'shoe_size'],
  [creates({ administrator: 'king' }), 'administrator'],
  [creates({ password: 'short' }), 'password'],
  [creates({ roles: ['nothing:such'] }), 'roles'],
  [creates({ attributes: { 'a b': 1 } }), 'attributes'],
  [creates({ username: '', password: 'x', administrator: 'y' }), 'administrator', 'password', 'username'],
  [
    (admin) => admin.users.setAdministrator(operator, root, { username: 'bob', administrator: 'king' }),
    'administrator',
  ],
  [(admin) => admin.users.resetPassword(operator, root, { username: 'bob', password: 'x' }), 'password'],
  [(admin) => admin.users.mailReset(operator, root, 'bob'), 'email'],
  [invites({ email: 'nobody' }), 'email'],
  [invites({ email: 'a b@example.com' }), 'email'],
  [invites({ name: '\u0000' }), 'name'],
  [invites({ mailed: true }), 'link'],
  [invites({ life: 59 }), 'expires_in'],
  [invites({ life: longestInvitation + 1 }), 'expires_in'],
  [invites({ groups: groups(51) }), 'groups', 'groups'],
  [invites({ groups: groups(50) }), 'groups'],
  [invites({ roles: ['nothing:such'] }), 'roles'],
  [makesTenant({ name: '' }), 'name'],
  [makesTenant({}, 'Not-a-name'), 'id'],
  [makesTenant({}, 'default'), 'id'],
  [makesTenant({ profile: 'strictest' }), 'profile'],
  [makesTenant({ profile: 'fapi2-security', requirePushed: false }), 'require_pushed_authorization_requests'],
  [makesTenant({ registration: { mode: 'perhaps' } }), 'registration.mode'],
  [makesTenant({ branding: { accent: 'red' } }), 'branding.accent'],
  [makesTenant({ accounts: { sign_in_links: 'yes' } }), 'accounts.sign_in_links'],
  [makesGroup({ name: '' }), 'name'],
  [makesGroup({ description: '\u0000' }), 'description'],
  [makesGroup({ externalId: '\u0000' }), 'external_id'],
  [makesGroup({ roles: ['nothing:such'] }), 'roles'],
  [makesGroup({ members: ['nobody'] }), 'members'],
  [makesGroup({ members: ['a\u0000b'] }), 'members'],
  [makesClient({}, { id: 'a b' }), 'client_id'],
  [makesClient({}, { secret: 'short' }), 'client_secret'],
  [makesClient({ scope: 'nothing:such' }), 'scope'],
  [makesClient({ redirect_uris: ['javascript:1'] }), 'redirect_uris[0]'],
  [previews({ subject: 'nobody' }), 'subject'],
  [previews({ scope: 'two  spaces' }), 'scope'],
  [previews({ resource: 'https://nothing.example' }), 'resource'],
  [puts('scopes', { name: 'x:read', description: 'See x', resource: 'https://nothing.example' }), 'resource'],
  [puts('scopes', { name: 'a b', description: 'See x', resource: api }), 'name'],
  [puts('roles', { name: 'clerk', resource: 'https://nothing.example', scopes: [] }), 'resource'],
  [puts('roles', { name: 'clerk', resource: api, scopes: ['files:read'] }), 'scopes'],
  [puts('resources', { identifier: 'no address' }), 'identifier'],
  [puts('providers', { ...provider, client_secret: 5 }), 'client_secret'],
  [puts('providers', { ...provider, client_secret: 'x', issuer: 'http://idp.example' }), 'issuer'],
  [(admin) => admin.registrationTokens.create(operator, root, { uses: 0, expiresIn: null }), 'uses'],
  [(admin) => admin.registrationTokens.create(operator, root, { uses: 1.5, expiresIn: null }), 'uses'],
  [(admin) => admin.statistics.counts(root, { from: 20 as Instant, to: 10 as Instant, step: 'day' }), 'from'],
  [(admin) => admin.mails.test(operator, root, 'nobody'), 'to'],
  [(admin) => admin.mails.test(operator, root, 'a@example.com'), 'to'],
  [brings({ id: 'two words' }), 'id'],
  [brings({ id: 'x'.repeat(256) }), 'id'],
  [brings({ passwordHash: 'plain' }), 'password_hash'],
  [brings({ totpSecret: new Uint8Array(9) }), 'totp'],
  [brings({ totpSecret: new Uint8Array(129) }), 'totp'],
  [brings({ identities: byUpstream('') }), 'identities'],
  [brings({ identities: byUpstream('x'.repeat(1025)) }), 'identities'],
]

/** The last that is allowed, beside the first that is not. */
const allowed: readonly Act[] = [
  invites({ life: 60 }),
  invites({ life: longestInvitation }),
  brings({ id: 'x'.repeat(255) }),
  brings({ username: 'ten', totpSecret: new Uint8Array(10) }),
  brings({ username: 'most', totpSecret: new Uint8Array(128) }),
  (admin) => admin.registrationTokens.create(operator, root, { uses: 1, expiresIn: null }),
]

test('every refusal names the field and no other, and leaves no trace', bounded, async () => {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  const { admin } = deployment.authority
  const head = async () => (await deployment.store.events.position(), await deployment.store.events.head(root))
  const before = await head()
  const said: unknown[] = []
  for (const [act] of refused) {
    const answer = await act(admin)
    const { problems = [] } = (answer.error ?? {}) as { problems?: readonly { field: string; problem: string }[] }
    assert.ok(
      problems.every(({ problem }) => problem !== ''),
      'and says what is wrong',
    )
    said.push([answer.kind, ...problems.map(({ field }) => field).toSorted()])
  }
  assert.deepEqual(
    said,
    refused.map(([, ...fields]) => ['error', ...fields]),
  )
  assert.deepEqual(await head(), before)
  for (const act of allowed) assert.equal((await act(admin)).kind, 'ok', String(act))
})
