/** Inviting people: actions of /v1/users, because an invited person has no account yet. */
import type { ActionPlan } from '@grantor/api'
import { type Authority, longestInvitation, usualInvitation, type WaitingInvitation } from '@grantor/authority'
import { type Problem, problem } from '@grantor/protocol/http'
import { groupLimits, roleLimits } from '@grantor/protocol/people'
import type { Caller } from '@grantor/resource'
import { Type } from 'typebox'
import { actorOf, adminProblem } from '../admin-problem.ts'
import { iso, tenantOf } from '../fields.ts'
import type { UserDocument } from '../user.ts'

type Acts = Pick<Authority['admin'], 'groups' | 'users'>

const documentOf = ({ id, email, invitedBy, madeAt, expiresAt, roles, groups }: WaitingInvitation) => ({
  id,
  email,
  roles: [...roles],
  groups: [...groups],
  ...(invitedBy === null ? {} : { invited_by: invitedBy }),
  made_at: iso(madeAt),
  expires_at: iso(expiresAt),
})

interface InviteBody {
  readonly email: string
  readonly name?: string
  readonly link?: boolean
  readonly expires_in?: number
  readonly roles?: Names
  readonly groups?: Names
}

type Names = string | readonly string[]
const list = (of: Names = []): readonly string[] => (typeof of === 'string' ? [of] : of)
const names = (length: number, description: string) => {
  const name = Type.String({ minLength: 1, maxLength: length })
  return Type.Optional(Type.Union([name, Type.Array(name, { maxItems: 50, uniqueItems: true })], { description }))
}

/** The problem if the caller lacks the scope to give the roles and groups of the invitation to a person directly. */
async function missingRight(
  { scope }: Caller,
  { roles, groups }: InviteBody,
  roleGiven: (group: string) => Promise<boolean>,
): Promise<Problem | null> {
  const byGroup = await Promise.all(list(groups).map((name) => roleGiven(name)))
  const needed = [
    ...(list(roles).length === 0 && !byGroup.includes(true) ? [] : ['admin:roles:write']),
    ...(list(groups).length === 0 ? [] : ['admin:groups:write']),
  ].find((right) => !scope.has(right))
  return needed === undefined ? null : problem('forbidden', `To invite so, your token needs the scope ${needed} too.`)
}

export const invite = ({ users: acts, groups }: Acts): ActionPlan<UserDocument> => ({
  on: 'collection',
  scope: 'admin:users:write',
  summary: 'Invite somebody to make an account for an address: by mail, or by a link that is shown once',
  body: Type.Object({
    email: Type.String({ minLength: 3, maxLength: 254, description: 'The address that the account is for' }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Suggested; they may change it' })),
    link: Type.Optional(Type.Boolean({ description: 'true: nothing is sent, and the answer holds the link' })),
    roles: names(roleLimits.nameLength, 'Names of roles that they have from the beginning'),
    groups: names(groupLimits.nameLength, 'Names of groups that they are in from the beginning'),
    expires_in: Type.Optional(
      Type.Integer({ minimum: 60, maximum: longestInvitation, description: 'Seconds; 7 days where it is left out' }),
    ),
  }),
  example: { email: 'ada@example.com', name: 'Ada Lovelace' },
  async run(body: InviteBody, context) {
    const { email, name, link: shown = false, expires_in: life = usualInvitation } = body
    const by = actorOf(context.caller)
    const roleGiven = async (name: string) => {
      const group = await groups.byName(tenantOf(context), name)
      return group.kind === 'ok' && group.value.roles.length > 0
    }
    const refused = by.kind === 'operator' ? null : await missingRight(context.caller, body, roleGiven)
    if (refused !== null) return refused
    const given = { roles: list(body.roles), groups: list(body.groups) }
    const input = { email, name: name ?? null, mailed: !shown, life, ...given }
    const made = await acts.invite(by, tenantOf(context), input)
    if (made.kind === 'error') return adminProblem(made.error)
    const { link } = made.value
    return { ...documentOf(made.value), ...(link === null ? {} : { link }) }
  },
})

export const invitations = ({ users: acts }: Acts): ActionPlan<UserDocument> => ({
  on: 'collection',
  scope: 'admin:users:read',
  summary: 'List the invitations that nobody has used yet, the newest first',
  body: Type.Object({}),
  example: {},
  async run(_body: never, context) {
    const found = await acts.invitations(tenantOf(context))
    return found.kind === 'ok' ? { data: found.value.map(documentOf) } : adminProblem(found.error)
  },
})

export const revokeInvitation = ({ users: acts }: Acts): ActionPlan<UserDocument> => ({
  on: 'collection',
  scope: 'admin:users:write',
  summary: 'Take an invitation back: its link is worth nothing any more',
  body: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }),
  example: { id: '0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e0f' },
  async run({ id }: { readonly id: string }, context) {
    const done = await acts.revokeInvitation(actorOf(context.caller), tenantOf(context), id)
    return done.kind === 'ok' ? null : adminProblem(done.error)
  },
})
