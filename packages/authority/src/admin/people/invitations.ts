/** Invitations by administrators: mailed, or as a link that is shown once for handing over. */
import type { Actor } from '@grantor/protocol/events'
import { displayTextProblem, type Policy } from '@grantor/protocol/oauth'
import { groupNameProblem, isMailAddress, normaliseUsername } from '@grantor/protocol/people'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import type { InvitationRow, Store } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../../events.ts'
import { newMail } from '../../mail/queued-mail.ts'
import type { Ids, Issuers } from '../../ports/environment.ts'
import type { Mail } from '../../ports/mail.ts'
import type { Vault } from '../../ports/vault.ts'
import { presetHoldings } from '../../sign-up/preset.ts'
import type { AdminResult, FieldProblem } from '../result.ts'
import { unknownRoles } from './user-records.ts'

export interface InvitationInput {
  readonly email: string
  /** A suggested name; null for none. */
  readonly name: string | null
  /** Whether the link is mailed; otherwise it is shown once. */
  readonly mailed: boolean
  /** Seconds. */
  readonly life: number
  /** Names of the roles and groups that the account will have. */
  readonly roles?: readonly string[]
  readonly groups?: readonly string[]
}

/** An invitation without its secret. */
export interface WaitingInvitation extends Pick<InvitationRow, 'id' | 'email' | 'invitedBy' | 'madeAt' | 'expiresAt'> {
  readonly roles: readonly string[]
  /** By their current names, without those that were removed. */
  readonly groups: readonly string[]
}

export interface MadeInvitation extends WaitingInvitation {
  /** Null where it was mailed. */
  readonly link: string | null
}

export interface InvitationAdmin {
  /** Replaces an earlier one to the same address. */
  invite(by: Actor, tenant: TenantId, input: InvitationInput): Promise<AdminResult<MadeInvitation>>
  /** Unused invitations, the newest first. */
  invitations(tenant: TenantId): Promise<AdminResult<readonly WaitingInvitation[]>>
  revokeInvitation(by: Actor, tenant: TenantId, id: string): Promise<AdminResult<null>>
}

export interface InvitationAdminDependencies extends EventDependencies {
  readonly ids: Ids
  readonly issuers: Issuers
  readonly mail: Mail | null
  readonly policy: Policy
  readonly vault: Vault
  readonly store: Pick<Store, 'directory' | 'groups' | 'users' | 'invitations'>
}

const minute = 60
/** The longest life of an invitation: somebody who left a company a month ago should no longer be able to use one. */
export const longestInvitation = 30 * 24 * 60 * minute
export const usualInvitation = 7 * 24 * 60 * minute
const mostShown = 1000
const mostGroups = 50

function problemsOf(
  { email, name, mailed, life, groups }: InvitationInput,
  mail: Mail | null,
): readonly FieldProblem[] {
  const problems: FieldProblem[] = []
  if (!isMailAddress(email) || normaliseUsername(email) === null)
    problems.push({ field: 'email', problem: 'is not a mail address' })
  const unreadable = name === null ? null : displayTextProblem(name)
  if (unreadable !== null) problems.push({ field: 'name', problem: unreadable })
  if (mailed && mail === null)
    problems.push({ field: 'link', problem: 'must be true: no mail server is named (mail.smtp)' })
  if ((groups ?? []).length > mostGroups)
    problems.push({ field: 'groups', problem: `must not name more than ${mostGroups}` })
  if (life < minute || life > longestInvitation)
    problems.push({ field: 'expires_in', problem: `must be ${minute} to ${longestInvitation} seconds` })
  return problems
}

export function openInvitationAdmin(deps: InvitationAdminDependencies): InvitationAdmin {
  const { store } = deps

  /** Looks up each group once: many invitations name the same few groups. */
  async function namesOf(tenant: TenantId, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    const found = await Promise.all([...ids].map((id) => store.groups.byId(tenant, id)))
    return new Map(found.flatMap((it) => (it === null ? [] : [[it.id, it.name]])))
  }

  async function shown(tenant: TenantId, rows: readonly InvitationRow[]): Promise<readonly WaitingInvitation[]> {
    const presets = rows.map(({ preset }) => presetHoldings(preset))
    const names = await namesOf(tenant, new Set(presets.flatMap(({ groupIds }) => groupIds)))
    return rows.map(({ id, email, invitedBy, madeAt, expiresAt }, at) => ({
      id,
      email,
      invitedBy,
      madeAt,
      expiresAt,
      roles: presets[at]?.roles ?? [],
      groups: (presets[at]?.groupIds ?? []).flatMap((group) => names.get(group) ?? []),
    }))
  }

  /** The ids of groups, whose names may change before the invitation is accepted; or the problems. */
  async function groupsNamed(tenant: TenantId, names: readonly string[]) {
    const found = await Promise.all(
      names.map(async (name) => (groupNameProblem(name) === null ? store.groups.byName(tenant, name) : null)),
    )
    const missing = names.find((_, at) => found[at] === null)
    if (missing === undefined) return { problems: [], ids: found.flatMap((it) => it?.id ?? []) }
    return { problems: [{ field: 'groups', problem: 'names one that is no group here' }], ids: [] }
  }

  function newInvitation(by: Actor, tenant: TenantId, input: InvitationInput, groupIds: readonly string[]) {
    const { email, name, mailed, life, roles = [] } = input
    const secret = deps.ids.secret('gp_')
    const madeAt = deps.clock.now()
    // A link that was handed over does not verify the address.
    const claims: JsonObject = { email_verified: mailed, ...(name === null ? {} : { name }) }
    const invitation: InvitationRow = {
      tenant,
      id: deps.ids.id(),
      handle: deps.ids.handleOf(secret),
      kind: 'invitation',
      email,
      preset: {
        claims,
        ...(roles.length === 0 ? {} : { roles: [...roles] }),
        ...(groupIds.length === 0 ? {} : { groups: [...groupIds] }),
      },
      invitedBy: by.id,
      sealedReturn: null,
      madeAt,
      expiresAt: (madeAt + life * 1000) as Instant,
    }
    return { invitation, link: `${deps.issuers.issuerOf(tenant)}/invitation?token=${secret}` }
  }

  return {
    async invite(by, tenant, wanted) {
      const input = { ...wanted, email: wanted.email.trim().normalize('NFC') }
      const { roles = [], groups = [] } = input
      const into = await groupsNamed(tenant, groups)
      const problems = [
        ...problemsOf(input, deps.mail),
        ...(await unknownRoles(tenant, roles, store)),
        ...into.problems,
      ]
      if (problems.length > 0) return err({ reason: 'invalid', problems })
      const { email, mailed, life } = input
      const there =
        (await store.users.byEmail(tenant, email, 1)).length > 0 ||
        (await store.users.byUsername(tenant, email)) !== null
      if (there) return err({ reason: 'exists', what: `an account of ${email}` })
      const { invitation, link } = newInvitation(by, tenant, input, into.ids)
      const facts = { kind: 'invitation', username: email, link } as const
      const letter = newMail({ tenant, subject: null, to: email, language: null, facts }, deps, life * 1000)
      // The address may belong to somebody who never gets an account, so it is not written to the log.
      const data = {
        id: invitation.id,
        mailed,
        ...(roles.length === 0 ? {} : { roles: roles.join(' ') }),
        ...(into.ids.length === 0 ? {} : { groups: into.ids.join(' ') }),
      }
      const events = [newEvent(deps, localOrigin(tenant), 'invitation.created', { actor: by, data })]
      await store.invitations.make({ invitation, mails: mailed ? [letter] : [], instead: null, events })
      const [made] = await shown(tenant, [invitation])
      return ok({ ...(made as WaitingInvitation), link: mailed ? null : link })
    },

    async invitations(tenant) {
      const page = { now: deps.clock.now(), before: null, limit: mostShown }
      return ok(await shown(tenant, await store.invitations.waiting(tenant, page)))
    },

    async revokeInvitation(by, tenant, id) {
      const events = [newEvent(deps, localOrigin(tenant), 'invitation.revoked', { actor: by, data: { id } })]
      const gone = await store.invitations.revoke(tenant, id, events)
      return gone === 'revoked' ? ok(null) : err({ reason: 'absent', what: `invitation ${id}` })
    },
  }
}
