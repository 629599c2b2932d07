/** Administration of what is not there, or is there already: the answer names it, of whatever kind. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Admin } from '@grantor/authority'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { api, bounded, openDeployment, operator, root } from '../support/deployment.ts'
import { declarePeople } from '../support/person.ts'

const gone = 'gone' as TenantId
const id = '0193a0e4-0000-7000-8000-000000000000'
const web: JsonObject = { grant_types: ['client_credentials'], redirect_uris: [], response_types: [], scope: '' }
const scope: JsonObject = { name: 'x:read', description: 'See x', resource: api }

const table: readonly (readonly [what: string, act: (admin: Admin) => Promise<object>])[] = [
  [`device ${id}`, (admin) => admin.devices.find(root, id)],
  [`session ${id}`, (admin) => admin.sessions.find(root, id)],
  [`session ${id}`, (admin) => admin.sessions.end(operator, root, id)],
  [`grant ${id}`, (admin) => admin.grants.find(root, id)],
  [`grant ${id}`, (admin) => admin.grants.revoke(operator, root, id)],
  [`consent ${id}`, (admin) => admin.consents.find(root, id)],
  [`API key ${id}`, (admin) => admin.apiKeys.find(root, id)],
  [`API key ${id}`, (admin) => admin.apiKeys.revoke(operator, root, id)],
  [`mail ${id}`, (admin) => admin.mails.find(root, id)],
  [`mail ${id}`, (admin) => admin.mails.retry(operator, root, id)],
  [`mail ${id}`, (admin) => admin.mails.drop(operator, root, id)],
  [`key ${id}`, (admin) => admin.keys.drop(operator, root, id)],
  ['tenant gone', (admin) => admin.tenants.find(gone)],
  ['tenant gone', (admin) => admin.tenants.setDisabled(operator, gone, true)],
  ['tenant gone', (admin) => admin.events.head(gone)],
  ['tenant gone', (admin) => admin.resources.list(gone)],
  ['tenant gone', (admin) => admin.scopes.put(operator, gone, { input: scope, expected: null })],
  ['tenant gone', (admin) => admin.providers.list(gone)],
  ['tenant gone', (admin) => admin.groups.create(operator, gone, { name: 'Team' })],
  ['tenant gone', (admin) => admin.clients.create(operator, gone, { metadata: web })],
  ['tenant gone', (admin) => admin.registrationTokens.create(operator, gone, { uses: 1, expiresIn: null })],
  [`event ${id}`, (admin) => admin.events.find(root, id)],
  [`token ${id}`, (admin) => admin.tokens.revokeById(operator, root, id)],
  ['a token of this tenant in that string', (admin) => admin.tokens.inspect(root, 'nothing')],
  ['client nobody', (admin) => admin.clients.find(root, 'nobody')],
  ['client nobody', (admin) => admin.clients.remove(operator, root, 'nobody')],
  [
    'client nobody',
    (admin) => admin.clients.preview(root, { clientId: 'nobody', subject: null, scope: null, resource: null }),
  ],
  [`registration token ${id}`, (admin) => admin.registrationTokens.revoke(operator, root, id)],
  [`lock ${id}`, (admin) => admin.locks.find(root, id)],
  [`event ${id}`, (admin) => admin.revocations.find(root, id)],
  [`webhook ${id}`, (admin) => admin.webhooks.find(root, id)],
  [`webhook ${id}`, (admin) => admin.webhooks.remove(operator, root, id)],
  [`scope ${id}`, (admin) => admin.scopes.drop(operator, root, { id, expected: 'x' })],
  [`group ${id}`, (admin) => admin.groups.find(root, id)],
  ['group Team', (admin) => admin.groups.byName(root, 'Team')],
  [`group ${id}`, (admin) => admin.groups.remove(operator, root, { id, version: 1 })],
  [`user ${id}`, (admin) => admin.users.find(root, id)],
  [`user ${id}`, (admin) => admin.users.remove(operator, root, { id, version: 1 })],
  ['user nobody', (admin) => admin.users.setDisabled(operator, root, { username: 'nobody', disabled: true })],
  ['user nobody', (admin) => admin.users.resetFactors(operator, root, 'nobody')],
  ['a second factor of bob', (admin) => admin.users.resetFactors(operator, root, 'bob')],
  [`invitation ${id}`, (admin) => admin.users.revokeInvitation(operator, root, id)],
]

const present: readonly (readonly [what: string, act: (admin: Admin) => Promise<object>])[] = [
  ['tenant acme', (admin) => admin.tenants.create(operator, 'acme', 'Acme')],
  ['client web', (admin) => admin.clients.create(operator, root, { id: 'web', metadata: web })],
  ['user bob', (admin) => admin.users.create(operator, root, { username: 'bob', password: null, claims: {} })],
  ['group Crew', (admin) => admin.groups.create(operator, root, { name: 'Crew' })],
  ['scope x:read', (admin) => admin.scopes.put(operator, root, { input: scope, expected: null })],
]

test('what is not there is named, and what is there already', bounded, async () => {
  const deployment = await openDeployment()
  await declarePeople(deployment)
  const { admin } = deployment.authority
  for (const [what, act] of table)
    assert.deepEqual(await act(admin), { kind: 'error', error: { reason: 'absent', what } }, String(act))
  // The first of each may make it.
  for (const [what, act] of present) {
    await act(admin)
    assert.deepEqual(await act(admin), { kind: 'error', error: { reason: 'exists', what } }, String(act))
  }
})
