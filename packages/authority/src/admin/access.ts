/** Administration of sessions, grants and consents of people: finding and ending them. */
import type { Actor, EventName } from '@grantor/protocol/events'
import { err, ok } from '@grantor/protocol/result'
import type { GrantId, TenantId } from '@grantor/protocol/types'
import type { AccessSearch, ConsentRecord, SessionRow, Store, UsedGrant } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../events.ts'
import type { AdminResult } from './result.ts'

export interface SessionAdmin {
  list(tenant: TenantId, page: Omit<AccessSearch, 'clientId'>): Promise<AdminResult<readonly SessionRow[]>>
  /** Only a session that has not ended. */
  find(tenant: TenantId, id: string): Promise<AdminResult<SessionRow>>
  /** Ends the session and the grants that end with it; its clients are notified. */
  end(by: Actor, tenant: TenantId, id: string): Promise<AdminResult<null>>
}

/** The grants of a person, of a client, or of both: at least one of them is named. */
export interface GrantsOf {
  readonly subject: string | null
  readonly clientId: string | null
}

export interface GrantAdmin {
  list(tenant: TenantId, page: AccessSearch): Promise<AdminResult<readonly UsedGrant[]>>
  /** Only a grant that is still valid. */
  find(tenant: TenantId, id: string): Promise<AdminResult<UsedGrant>>
  /** Revokes the grant with everything that was issued on it. */
  revoke(by: Actor, tenant: TenantId, id: string): Promise<AdminResult<null>>
  /** Returns the number of revoked grants. */
  revokeAll(by: Actor, tenant: TenantId, of: GrantsOf): Promise<AdminResult<number>>
}

export interface ConsentAdmin {
  list(tenant: TenantId, page: AccessSearch): Promise<AdminResult<readonly ConsentRecord[]>>
  find(tenant: TenantId, id: string): Promise<AdminResult<ConsentRecord>>
  /** Withdraws the consent between its person and its client, and revokes their grants. */
  withdraw(by: Actor, tenant: TenantId, id: string): Promise<AdminResult<null>>
}

export interface AccessAdminDependencies extends EventDependencies {
  readonly store: Pick<Store, 'sessions' | 'grants' | 'consents'>
}

const absent = (what: string, id: string) => err({ reason: 'absent', what: `${what} ${id}` } as const)

export function openSessionAdmin(deps: AccessAdminDependencies): SessionAdmin {
  const { sessions } = deps.store

  async function find(tenant: TenantId, id: string): Promise<AdminResult<SessionRow>> {
    const session = await sessions.byId(tenant, id)
    const lives = session !== null && session.endedAt === null && session.expiresAt > deps.clock.now()
    return lives ? ok(session) : absent('session', id)
  }

  return {
    find,
    list: async (tenant, page) => ok(await sessions.search(tenant, deps.clock.now(), page)),
    async end(by, tenant, id) {
      const session = await find(tenant, id)
      if (session.kind === 'error') return session
      const about = { actor: by, subject: session.value.authentication.subject, data: { sid: id } }
      // First: once the session has ended, its browser could no longer be found and forgotten.
      await sessions.forgetBrowser(tenant, id)
      const events = [newEvent(deps, localOrigin(tenant), 'session.ended', { ...about, reason: 'administrator' })]
      await sessions.end(tenant, id, deps.clock.now(), events)
      return ok(null)
    },
  }
}

/** Grants revoked at the same time: the store groups verbs that arrive together. */
const batchSize = 100

export function openGrantAdmin(deps: AccessAdminDependencies): GrantAdmin {
  const { grants } = deps.store

  const revoke = async (by: Actor, { tenant, id, clientId, authentication }: UsedGrant): Promise<void> => {
    const about = { actor: by, clientId, subject: authentication.subject, grantId: id, reason: 'administrator' }
    const events = [newEvent(deps, localOrigin(tenant), 'grant.revoked', about)]
    await grants.revoke({ tenant, id, at: deps.clock.now(), events })
  }

  async function find(tenant: TenantId, id: string): Promise<AdminResult<UsedGrant>> {
    const grant = await grants.findUsed(tenant, id as GrantId)
    const lives = grant !== null && grant.revokedAt === null && grant.expiresAt > deps.clock.now()
    return lives ? ok(grant) : absent('grant', id)
  }

  return {
    find,
    list: async (tenant, page) => ok(await grants.search(tenant, deps.clock.now(), page)),
    async revoke(by, tenant, id) {
      const grant = await find(tenant, id)
      if (grant.kind === 'error') return grant
      await revoke(by, grant.value)
      return ok(null)
    },
    async revokeAll(by, tenant, of) {
      let count = 0
      for (;;) {
        const search = { ...of, before: null, limit: batchSize }
        const found = await grants.search(tenant, deps.clock.now(), search)
        await Promise.all(found.map((grant) => revoke(by, grant)))
        count += found.length
        if (found.length < batchSize) return ok(count)
      }
    },
  }
}

export function openConsentAdmin(deps: AccessAdminDependencies): ConsentAdmin {
  const { consents } = deps.store

  async function find(tenant: TenantId, id: string): Promise<AdminResult<ConsentRecord>> {
    const record = await consents.find(tenant, id)
    return record === null ? absent('consent', id) : ok(record)
  }

  return {
    find,
    list: async (tenant, page) => ok(await consents.search(tenant, page)),
    async withdraw(by, tenant, id) {
      const record = await find(tenant, id)
      if (record.kind === 'error') return record
      const { subject, clientId } = record.value
      const about = { actor: by, subject, clientId, reason: 'administrator' }
      const event = (name: EventName) => newEvent(deps, localOrigin(tenant), name, about)
      await consents.withdraw({
        tenant,
        subject,
        clientId,
        by: by.id ?? by.kind,
        at: deps.clock.now(),
        event: event('consent.withdrawn'),
        grantEvent: event('grant.revoked'),
      })
      return ok(null)
    },
  }
}
