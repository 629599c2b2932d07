/**
 * Finds who is locked out by a limit on guessing, from the key of the count; null where nobody is, or for other kinds
 * of limits.
 */
import type { TenantId } from '@grantor/protocol/types'
import type { LockHolder, Store } from '@grantor/store'
import type { LimitName } from './limits.ts'

export interface ShutOut {
  readonly tenant: TenantId
  readonly heldBy: LockHolder
}

export interface LockHolderDependencies {
  readonly store: Pick<Store, 'users' | 'clients'>
}

type ReadKey = (key: string, deps: LockHolderDependencies) => Promise<ShutOut | null>

/** Addresses are counted for all tenants together, so their locks belong to the root tenant. */
const root = 'default' as TenantId

const address: ReadKey = async (key) => ({ tenant: root, heldBy: { kind: 'address', id: key, name: null } })

const tenantWide: ReadKey = async (key) => ({
  tenant: key as TenantId,
  heldBy: { kind: 'tenant', id: key, name: null },
})

/** Only existing people: any other typed name belongs to nobody, and may be a password. */
const username: ReadKey = async (key, { store }) => {
  const [tenant, name] = cut(key)
  const user = await store.users.byUsername(tenant as TenantId, name)
  return user && { tenant: user.tenant, heldBy: { kind: 'user', id: user.id, name: user.username } }
}

/** The key is `tenant subject browser`. */
const subject: ReadKey = async (key, { store }) => {
  const [tenant, rest] = cut(key)
  const [id] = cut(rest)
  const user = id === '' ? null : await store.users.byId(tenant as TenantId, id)
  return user && { tenant: user.tenant, heldBy: { kind: 'user', id: user.id, name: user.username } }
}

/** The key is `tenant client address`; only existing clients count. */
const client: ReadKey = async (key, { store }) => {
  const [tenant, rest] = cut(key)
  const at = rest.lastIndexOf(' ')
  const found = await store.clients.find(tenant as TenantId, rest.slice(0, at))
  return found && { tenant: found.tenant, heldBy: { kind: 'client', id: found.id, name: rest.slice(at + 1) } }
}

const cut = (text: string): readonly [string, string] => {
  const at = text.indexOf(' ')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** The limits that lock somebody out. The other limits are quotas of work. */
const readers: Partial<Readonly<Record<LimitName, ReadKey>>> = {
  loginAccount: username,
  loginAddress: address,
  loginTenant: tenantWide,
  loginBrowser: subject,
  secondFactor: subject,
  tokenFailures: client,
  tokenFailuresAddress: address,
}

export const isLock = (limit: LimitName): boolean => readers[limit] !== undefined

export const shutOutBy = async (limit: LimitName, key: string, deps: LockHolderDependencies): Promise<ShutOut | null> =>
  (await readers[limit]?.(key, deps)) ?? null
