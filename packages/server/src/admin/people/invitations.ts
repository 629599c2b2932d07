/** Inviting people: actions of /v1/users, because who is invited is nobody yet. */
import type { ActionPlan } from '@grantor/api'
import { type Authority, longestInvitation, usualInvitation, type WaitingInvitation } from '@grantor/authority'
import { Type } from 'typebox'
import { actorOf, adminProblem } from '../admin-problem.ts'
import { iso, tenantOf } from '../fields.ts'
import type { UserDocument } from '../user.ts'

type Acts = Pick<Authority['admin'], 'users'>

const documentOf = ({ id, email, invitedBy, madeAt, expiresAt }: WaitingInvitation) => ({
  id,
  email,
  ...(invitedBy === null ? {} : { invited_by: invitedBy }),
  made_at: iso(madeAt),
  expires_at: iso(expiresAt),
})

interface InviteBody {
  readonly email: string
  readonly name?: string
  readonly link?: boolean
  readonly expires_in?: number
}

export const invite = ({ users: acts }: Acts): ActionPlan<UserDocument> => ({
  on: 'collection',
  scope: 'admin:users:write',
  summary: 'Invite somebody to make an account for an address: by mail, or by a link that is shown once',
  body: Type.Object({
    email: Type.String({ minLength: 3, maxLength: 254, description: 'The address that the account is for' }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Suggested; they may change it' })),
    link: Type.Optional(Type.Boolean({ description: 'true: nothing is sent, and the answer holds the link' })),
    expires_in: Type.Optional(
      Type.Integer({ minimum: 60, maximum: longestInvitation, description: 'Seconds; 7 days where it is left out' }),
    ),
  }),
  example: { email: 'ada@example.com', name: 'Ada Lovelace' },
  async run({ email, name, link: shown = false, expires_in: life = usualInvitation }: InviteBody, context) {
    const input = { email, name: name ?? null, mailed: !shown, life }
    const made = await acts.invite(actorOf(context.caller), tenantOf(context), input)
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
