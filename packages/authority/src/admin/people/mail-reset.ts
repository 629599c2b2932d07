/** Mails a person a link by which they choose a password, on behalf of an administrator. */
import type { Actor, NewEvent } from '@grantor/protocol/events'
import type { Policy } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { Store, UserRow } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../../events.ts'
import { addressOf, resetRequestMail } from '../../mail/queued-mail.ts'
import type { Mail } from '../../ports/mail.ts'
import type { Vault } from '../../ports/vault.ts'
import type { AdminResult } from '../result.ts'

export interface MailResetDependencies extends EventDependencies {
  readonly mail: Mail | null
  readonly policy: Pick<Policy, 'resetTtl'>
  readonly vault: Vault
  readonly store: Pick<Store, 'mails'>
}

/** The queue worker makes the link, as for a person who requested it themselves. */
export async function mailReset(by: Actor, user: UserRow, deps: MailResetDependencies): Promise<AdminResult<null>> {
  const refused = refusal(user, deps)
  if (refused !== null) return err({ reason: 'invalid', problems: [{ field: 'email', problem: refused }] })
  const { tenant, id, username } = user
  const where = { at: deps.clock.now(), ip: null, userAgent: null }
  const asked = { named: username, browser: null, byAdministrator: true, language: null, where }
  const mail = resetRequestMail(asked, deps, { tenant, life: deps.policy.resetTtl * 1000 })
  const about = { actor: by, subject: id, data: { reset_mailed: true } }
  const event: NewEvent = newEvent(deps, localOrigin(tenant), 'admin.user_changed', about)
  await deps.store.mails.queue([mail], [event])
  return ok(null)
}

function refusal(user: UserRow, { mail }: MailResetDependencies): string | null {
  if (mail === null) return 'cannot be used: this service sends no mail (mail.smtp)'
  if (addressOf(user) === null) return 'is needed: there is no address to send a link to'
  return user.disabledAt === null ? null : 'is of somebody who is disabled'
}
