/** Groups and invitations as an administrator writes them: every refusal, every bound, and what the log says. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AdminResult } from '../../src/admin/result.ts'
import type { GroupInput } from '../../src/admin/people/groups.ts'
import type { InvitationInput } from '../../src/admin/people/invitations.ts'
import { longestInvitation, usualInvitation } from '../../src/admin/people/invitations.ts'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { api, declaration, declare, type Deployment, openDeployment, operator, root } from '../support/deployment.ts'

const acme = 'acme' as TenantId
const nowhere = 'nowhere' as TenantId

const told = (result: AdminResult<unknown>): unknown => {
  if (result.kind === 'ok') return 'ok'
  const { error } = result
  return error.reason === 'invalid'
    ? error.problems.map(({ field }) => field)
    : [error.reason, 'what' in error && error.what]
}
const logged = async ({ store }: Deployment, name: string): Promise<readonly (JsonObject | null)[]> =>
  (await store.events.after(root, 0, 1_000)).filter((it) => it.name === name).map(({ data }) => data)

async function scene() {
  const deployment = await openDeployment()
  const users = [{ username: 'ada', email: 'ada@corp.example' }, { username: 'grace@corp.example' }]
  const roles = [{ name: 'clerk', resource: api, scopes: ['invoices:read'] }]
  await declare(deployment, {
    ...declaration,
    users,
    roles,
    groups: [{ name: 'Staff' }],
    tenants: [{ id: acme, name: 'Acme' }],
  })
  const idOf = async (username: string) => (await deployment.store.users.byUsername(root, username))?.id ?? ''
  return { deployment, admin: deployment.authority.admin, ada: await idOf('ada') }
}

describe('a group', () => {
  test('is made, changed and removed, and the log says what of it', async () => {
    const { deployment, admin, ada } = await scene()
    const { groups } = admin
    const made = await groups.create(operator, root, { name: 'Sales', roles: ['clerk'], members: [ada] })
    assert.ok(made.kind === 'ok')
    const { id, version } = made.value
    assert.deepEqual([made.value.name, made.value.description, made.value.externalId], ['Sales', null, null])
    assert.equal(told(await groups.change(operator, root, { id, version, name: 'Sellers' })), 'ok')
    assert.deepEqual(told(await groups.change(operator, root, { id, version, name: 'Others' })), [
      'conflict',
      'the group was changed meanwhile; look before trying again',
    ])
    assert.equal(
      told(await groups.change(operator, root, { id, version: null, roles: [], removeMembers: [ada] })),
      'ok',
    )
    assert.equal(told(await groups.change(operator, root, { id, version: null, addMembers: [ada] })), 'ok')
    assert.equal(told(await groups.change(operator, root, { id, version: null, members: [] })), 'ok')
    assert.deepEqual(told(await groups.remove(operator, root, { id, version })), [
      'conflict',
      'the group was changed meanwhile; look before trying again',
    ])
    assert.equal(told(await groups.remove(operator, root, { id, version: null })), 'ok')
    for (const gone of [
      await groups.find(root, id),
      await groups.members(root, id, { after: null, limit: 1 }),
      await groups.change(operator, root, { id, version: null, name: 'x' }),
      await groups.remove(operator, root, { id, version: null }),
    ])
      assert.deepEqual(told(gone), ['absent', `group ${id}`])
    assert.deepEqual(told(await groups.byName(root, 'Sellers')), ['absent', 'group Sellers'])
    assert.deepEqual(
      (await logged(deployment, 'admin.group_changed')).filter((it) => it?.['id'] === id),
      [
        { id, name: 'Sales', created: true, roles: 'clerk', members: ada },
        { id, name: 'Sellers' },
        { id, roles: '', removed_members: ada },
        { id, added: ada },
        { id, members: '', removed_members: ada },
        { id, removed: true },
      ],
    )
  })

  test('is refused with the field that is wrong, and nothing is made', async () => {
    const { admin, ada } = await scene()
    const make = async (input: GroupInput, tenant = root) =>
      told(await admin.groups.create(operator, tenant, { name: 'New', ...input }))
    for (const [input, field] of [
      [{ name: '' }, 'name'],
      [{ description: 'x\n' }, 'description'],
      [{ externalId: '' }, 'external_id'],
      [{ roles: ['clerk', 'clerk'] }, 'roles'],
      [{ roles: ['nobody-made-this'] }, 'roles'],
      [{ members: [ada, 'nobody'] }, 'members'],
    ] as const)
      assert.deepEqual(await make(input as GroupInput), [field], JSON.stringify(input))
    assert.deepEqual(await make({ name: 'Staff' }), ['exists', 'group Staff'])
    assert.deepEqual(await make({}, nowhere), ['absent', 'tenant nowhere'])
    assert.deepEqual(await make({ members: [ada] }, acme), ['members'], 'people of another tenant are nobody')
    assert.deepEqual(told(await admin.groups.byName(root, 'New')), ['absent', 'group New'])
    const wrong = async (member: string) => {
      const made = await admin.groups.create(operator, root, { name: 'New', members: [member] })
      return made.kind === 'error' && made.error.reason === 'invalid' ? made.error.problems[0]?.problem : null
    }
    // What was sent is named again only where it is a plain word.
    assert.equal(await wrong('eve'), 'names eve, who is nobody here')
    assert.equal(await wrong('e'.repeat(65)), 'names somebody, who is nobody here')
    assert.equal(await wrong('<b>eve</b>\u202e'), 'names somebody, who is nobody here')
  })

  test('has its many members counted in the log, not named', async () => {
    const { deployment, admin } = await scene()
    const users = Array.from({ length: 51 }, (_, n) => ({ username: `p${n}` }))
    await declare(deployment, { users })
    const found = await Promise.all(users.map(({ username }) => deployment.store.users.byUsername(root, username)))
    const ids = found.map((it) => it?.id ?? '')
    assert.equal(told(await admin.groups.create(operator, root, { name: 'Fifty', members: ids.slice(1) })), 'ok')
    assert.equal(told(await admin.groups.create(operator, root, { name: 'More', members: ids })), 'ok')
    const countIn = (data: JsonObject | null = null) => {
      const members = data?.['members']
      return typeof members === 'string' ? members.split(' ').length : members
    }
    const [fifty, more] = (await logged(deployment, 'admin.group_changed')).slice(-2)
    assert.deepEqual([countIn(fifty), more?.['members']], [50, 51])
  })
})

describe('an invitation', () => {
  const plain: InvitationInput = { email: 'new@corp.example', name: null, mailed: false, life: usualInvitation }

  test('is a link that is shown once, waits for a week, and is told without its secret', async () => {
    const { deployment, admin } = await scene()
    const { users } = admin
    const made = await users.invite(operator, root, {
      ...plain,
      email: ' new@corp.example ',
      roles: ['clerk'],
      groups: ['Staff'],
    })
    assert.ok(made.kind === 'ok')
    const { link, ...waiting } = made.value
    assert.match(link ?? '', /^https:\/\/as\.example\/invitation\?token=gp_[\w-]{43}$/)
    assert.deepEqual(
      [waiting.email, waiting.invitedBy, waiting.expiresAt - waiting.madeAt, waiting.roles, waiting.groups],
      ['new@corp.example', operator.id, 7 * 86_400_000, ['clerk'], ['Staff']],
    )
    const listed = await users.invitations(root)
    assert.deepEqual(listed.kind === 'ok' && listed.value, [waiting])
    const others = await users.invitations(acme)
    assert.deepEqual(others.kind === 'ok' && others.value, [])
    assert.deepEqual(told(await users.revokeInvitation(operator, acme, waiting.id)), [
      'absent',
      `invitation ${waiting.id}`,
    ])
    assert.equal(told(await users.revokeInvitation(operator, root, waiting.id)), 'ok')
    assert.deepEqual(told(await users.revokeInvitation(operator, root, waiting.id)), [
      'absent',
      `invitation ${waiting.id}`,
    ])
    const staff = await deployment.store.groups.byName(root, 'Staff')
    assert.deepEqual(await logged(deployment, 'invitation.created'), [
      { id: waiting.id, mailed: false, roles: 'clerk', groups: staff?.id },
    ])
    assert.deepEqual(await logged(deployment, 'invitation.revoked'), [{ id: waiting.id }])
  })

  test('is refused with the field that is wrong, at the edge of each bound', async () => {
    const { admin } = await scene()
    const invite = async (more: Partial<InvitationInput>) =>
      told(await admin.users.invite(operator, root, { ...plain, ...more }))
    assert.equal(longestInvitation, 30 * 86_400)
    for (const [more, outcome] of [
      [{ life: 59 }, ['expires_in']],
      [{ life: 60 }, 'ok'],
      [{ life: 30 * 86_400 }, 'ok'],
      [{ life: 30 * 86_400 + 1 }, ['expires_in']],
      [{ email: 'nobody' }, ['email']],
      [{ name: 'x\n' }, ['name']],
      [{ name: 'New Person' }, 'ok'],
      [{ mailed: true }, ['link']],
      [{ roles: ['nobody-made-this'] }, ['roles']],
      [{ groups: ['Staff', 'Nobody'] }, ['groups']],
      [{ groups: [''] }, ['groups']],
      [{ groups: Array.from({ length: 50 }, () => 'Staff') }, 'ok'],
      [{ groups: Array.from({ length: 51 }, () => 'Staff') }, ['groups']],
      [{ email: 'ada@corp.example' }, ['exists', 'an account of ada@corp.example']],
      [{ email: 'grace@corp.example' }, ['exists', 'an account of grace@corp.example']],
    ] as const)
      assert.deepEqual(await invite(more as Partial<InvitationInput>), outcome, JSON.stringify(more).slice(0, 60))
  })
})
