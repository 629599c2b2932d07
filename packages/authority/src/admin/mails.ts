/**
 * Mails that wait to be sent: their recipients and errors; sending one at once, dropping one, and queueing a test mail.
 */
import type { Actor } from '@grantor/protocol/events'
import { isMailAddress } from '@grantor/protocol/people'
import { err, ok } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import type { MailChanged, QueuedMail, Store } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../events.ts'
import { contentOf, isRequestKind, newMail, type QueuedMailDependencies } from '../mail/queued-mail.ts'
import type { Mail } from '../ports/mail.ts'
import type { AdminResult } from './result.ts'

/** Without the content: a link in it is a secret. */
export interface WaitingMail extends Omit<QueuedMail, 'sealed'> {
  /** Null where the recipient is determined only when the mail is sent, or where the mail cannot be opened. */
  readonly to: string | null
  /** Whether a node is sending it at this moment. */
  readonly isUnderWay: boolean
}

export interface MailAdmin {
  list(
    tenant: TenantId,
    page: { readonly before: string | null; readonly limit: number },
  ): Promise<AdminResult<readonly WaitingMail[]>>
  find(tenant: TenantId, id: string): Promise<AdminResult<WaitingMail>>
  /** Makes the mail due at once. */
  retry(by: Actor, tenant: TenantId, id: string): Promise<AdminResult<null>>
  drop(by: Actor, tenant: TenantId, id: string): Promise<AdminResult<null>>
  /** Queues a test mail; returns its id. */
  test(by: Actor, tenant: TenantId, to: string): Promise<AdminResult<string>>
}

export type MailAdminDependencies = QueuedMailDependencies &
  EventDependencies & {
    readonly mail: Mail | null
    readonly store: Pick<Store, 'mails'>
  }

export function openMailAdmin(deps: MailAdminDependencies): MailAdmin {
  const { mails } = deps.store

  const shown = ({ sealed, ...mail }: QueuedMail): WaitingMail => ({
    ...mail,
    to: isRequestKind(mail.kind) ? null : (contentOf({ ...mail, sealed }, deps.vault)?.to ?? null),
    isUnderWay: mail.attempts > 0 && mail.lastError === null && mail.dueAt > deps.clock.now(),
  })

  async function find(tenant: TenantId, id: string): Promise<AdminResult<WaitingMail>> {
    const mail = await mails.find(tenant, id)
    return mail === null ? err({ reason: 'absent', what: `mail ${id}` }) : ok(shown(mail))
  }

  /** Changes a mail, together with the event. */
  async function change(
    by: Actor,
    { tenant, id }: Pick<QueuedMail, 'tenant' | 'id'>,
    how: 'retry' | 'drop',
  ): Promise<AdminResult<null>> {
    const mail = await find(tenant, id)
    if (mail.kind === 'error') return mail
    const { kind, subject, attempts } = mail.value
    const about = { actor: by, subject }
    const event =
      how === 'retry'
        ? newEvent(deps, localOrigin(tenant), 'admin.mail_changed', { ...about, data: { id, kind, retried: true } })
        : newEvent(deps, localOrigin(tenant), 'mail.failed', { ...about, reason: 'dropped', data: { kind, attempts } })
    return outcomeOf(await mails[how]({ tenant, id, at: deps.clock.now(), events: [event] }), id)
  }

  return {
    find,
    list: async (tenant, page) => ok((await mails.search(tenant, page)).map(shown)),
    retry: (by, tenant, id) => change(by, { tenant, id }, 'retry'),
    drop: (by, tenant, id) => change(by, { tenant, id }, 'drop'),
    async test(by, tenant, to) {
      if (!isMailAddress(to))
        return err({ reason: 'invalid', problems: [{ field: 'to', problem: 'is not a mail address' }] })
      if (deps.mail === null)
        return err({ reason: 'invalid', problems: [{ field: 'to', problem: 'no mail server is named: mail.smtp' }] })
      const mail = newMail({ tenant, subject: null, to, language: null, facts: { kind: 'test' } }, deps)
      const about = { actor: by, data: { id: mail.id, kind: mail.kind, queued: true } }
      await mails.queue([mail], [newEvent(deps, localOrigin(tenant), 'admin.mail_changed', about)])
      return ok(mail.id)
    },
  }
}

function outcomeOf(changed: MailChanged, id: string): AdminResult<null> {
  if (changed === 'changed') return ok(null)
  return changed === 'absent'
    ? err({ reason: 'absent', what: `mail ${id}` })
    : err({ reason: 'conflict', what: `mail ${id} is being sent` })
}
