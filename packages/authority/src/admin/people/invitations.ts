/** Invitations by administrators: mailed, or as a link that is shown once and handed over. */
import type { Actor } from '@grantor/protocol/events'
import { displayTextProblem, type Policy } from '@grantor/protocol/oauth'
import { isMailAddress, normaliseUsername } from '@grantor/protocol/people'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import type { InvitationRow, Store } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../../events.ts'
import { newMail } from '../../mail/queued-mail.ts'
import type { Ids, Issuers } from '../../ports/environment.ts'
import type { Mail } from '../../ports/mail.ts'
import type { Vault } from '../../ports/vault.ts'
import type { AdminResult, FieldProblem } from '../result.ts'

export interface InvitationInput {
  readonly email: string
  /** As a suggestion; null for none. */
  readonly name: string | null
  /** Whether the link is mailed; else it is shown, once. */
  readonly mailed: boolean
  /** Seconds. */
  readonly life: number
}

/** An invitation without its secret. */
export type WaitingInvitation = Pick<InvitationRow, 'id' | 'email' | 'invitedBy' | 'madeAt' | 'expiresAt'>

export interface MadeInvitation extends WaitingInvitation {
  /** Null where it was mailed. */
  readonly link: string | null
}

export interface InvitationAdmin {
  /** Replaces an earlier one to the same address. */
  invite(by: Actor, tenant: TenantId, input: InvitationInput): Promise<AdminResult<MadeInvitation>>
  /** Those that nobody has used yet, the newest first. */
  invitations(tenant: TenantId): Promise<AdminResult<readonly WaitingInvitation[]>>
  revokeInvitation(by: Actor, tenant: TenantId, id: string): Promise<AdminResult<null>>
}

export interface InvitationAdminDependencies extends EventDependencies {
  readonly ids: Ids
  readonly issuers: Issuers
  readonly mail: Mail | null
  readonly policy: Policy
  readonly vault: Vault
  readonly store: Pick<Store, 'users' | 'invitations'>
}

const minute = 60
/** As long as it may wait at most: whoever left a company a month ago is not invited any more. */
export const longestInvitation = 30 * 24 * 60 * minute
export const usualInvitation = 7 * 24 * 60 * minute
const mostShown = 1000

function problemsOf({ email, name, mailed, life }: InvitationInput, mail: Mail | null): readonly FieldProblem[] {
  const problems: FieldProblem[] = []
  if (!isMailAddress(email) || normaliseUsername(email) === null)
    problems.push({ field: 'email', problem: 'is not a mail address' })
  const unreadable = name === null ? null : displayTextProblem(name)
  if (unreadable !== null) problems.push({ field: 'name', problem: unreadable })
  if (mailed && mail === null)
    problems.push({ field: 'link', problem: 'must be true: no mail server is named (mail.smtp)' })
  if (life < minute || life > longestInvitation)
    problems.push({ field: 'expires_in', problem: `must be ${minute} to ${longestInvitation} seconds` })
  return problems
}

const shown = ({ id, email, invitedBy, madeAt, expiresAt }: InvitationRow): WaitingInvitation => ({
  id,
  email,
  invitedBy,
  madeAt,
  expiresAt,
})

export function openInvitationAdmin(deps: InvitationAdminDependencies): InvitationAdmin {
  const { store } = deps

  function newInvitation(by: Actor, tenant: TenantId, { email, name, mailed, life }: InvitationInput) {
    const secret = deps.ids.secret('gp_')
    const madeAt = deps.clock.now()
    // A link that was handed over proves nothing of the mailbox.
    const claims: JsonObject = { email_verified: mailed, ...(name === null ? {} : { name }) }
    const invitation: InvitationRow = {
      tenant,
      id: deps.ids.id(),
      handle: deps.ids.handleOf(secret),
      kind: 'invitation',
      email,
      preset: { claims },
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
      const problems = problemsOf(input, deps.mail)
      if (problems.length > 0) return err({ reason: 'invalid', problems })
      const { email, mailed, life } = input
      const there =
        (await store.users.byEmail(tenant, email, 1)).length > 0 ||
        (await store.users.byUsername(tenant, email)) !== null
      if (there) return err({ reason: 'exists', what: `an account of ${email}` })
      const { invitation, link } = newInvitation(by, tenant, input)
      const facts = { kind: 'invitation', username: email, link } as const
      const letter = newMail({ tenant, subject: null, to: email, language: null, facts }, deps, life * 1000)
      // The address is that of somebody who may never have an account: it does not stand in the log.
      const data = { id: invitation.id, mailed }
      const events = [newEvent(deps, localOrigin(tenant), 'invitation.created', { actor: by, data })]
      await store.invitations.make({ invitation, mails: mailed ? [letter] : [], instead: null, events })
      return ok({ ...shown(invitation), link: mailed ? null : link })
    },

    async invitations(tenant) {
      const page = { now: deps.clock.now(), before: null, limit: mostShown }
      return ok((await store.invitations.waiting(tenant, page)).map(shown))
    },

    async revokeInvitation(by, tenant, id) {
      const events = [newEvent(deps, localOrigin(tenant), 'invitation.revoked', { actor: by, data: { id } })]
      const gone = await store.invitations.revoke(tenant, id, events)
      return gone === 'revoked' ? ok(null) : err({ reason: 'absent', what: `invitation ${id}` })
    },
  }
}
