/** Administration of a person's sign-in methods: listing them without secrets, and removing one. */
import type { Actor } from '@grantor/protocol/events'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import type { Identity, PasskeyRow, RememberedBrowserRow, Removal, Store, UserRow } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../../events.ts'
import { servedProviders } from '../../providers/served-providers.ts'
import type { AdminError, AdminResult } from '../result.ts'
import { mayNameAdministrators } from './naming-administrators.ts'
import { ownersOnly } from './user-records.ts'

export interface SignInMethodRecord {
  /** Null where the person has none. */
  readonly password: { readonly changedAt: Instant | null; readonly mustChange: boolean } | null
  readonly passkeys: readonly Pick<PasskeyRow, 'id' | 'name' | 'synced' | 'createdAt' | 'lastUsedAt'>[]
  readonly totp: { readonly createdAt: Instant; readonly lastUsedAt: Instant | null } | null
  readonly recoveryCodes: number
  /** The person's identities at other providers. */
  readonly linked: readonly Pick<Identity, 'provider' | 'issuer' | 'createdAt'>[]
  readonly browsers: readonly Pick<RememberedBrowserRow, 'id' | 'userAgent' | 'createdAt' | 'expiresAt'>[]
}

export const removableMethods = [
  'password',
  'passkey',
  'totp',
  'recovery_codes',
  'remembered_browser',
  'provider',
] as const

/** `which` is the id of a passkey, a browser or a provider, and '' for a method of which there is only one. */
export interface MethodRemoval {
  readonly subject: string
  readonly method: (typeof removableMethods)[number]
  readonly which: string
}

export interface SignInMethodAdmin {
  signInMethods(tenant: TenantId, subject: string): Promise<AdminResult<SignInMethodRecord>>
  /** Removing a password ends every session; removing a factor forgets the trusted browsers. */
  removeSignInMethod(by: Actor, tenant: TenantId, removal: MethodRemoval): Promise<AdminResult<null>>
}

export interface SignInMethodDependencies extends EventDependencies {
  readonly store: Pick<Store, 'directory' | 'identities' | 'users' | 'factors'>
}

const absent = (what: string) => err<AdminError>({ reason: 'absent', what })

export function openSignInMethodAdmin(deps: SignInMethodDependencies): SignInMethodAdmin {
  const { directory, identities, users, factors } = deps.store

  /** The password is a column of the person, and all sessions end in the same commit. */
  async function removePassword(by: Actor, user: UserRow): Promise<AdminResult<null>> {
    if (user.passwordHash === null) return absent('a password')
    const { tenant, id, version } = user
    const data = { password_removed: true, cutoff: true }
    const events = [newEvent(deps, localOrigin(tenant), 'admin.user_changed', { actor: by, subject: id, data })]
    const at = deps.clock.now()
    const outcome = await users.change({ tenant, id, version, passwordHash: null, endSessionsBut: null, at, events })
    return outcome === 'changed' ? ok(null) : err({ reason: 'conflict', what: 'the person was changed meanwhile' })
  }

  async function removeFactor(by: Actor, removal: Removal, data: JsonObject): Promise<AdminResult<null>> {
    const { tenant, subject } = removal
    const events = [newEvent(deps, localOrigin(tenant), 'factor.removed', { actor: by, subject, data })]
    return (await factors.remove(removal, events)) === 'removed' ? ok(null) : absent('that sign-in method')
  }

  async function forgetBrowser(by: Actor, { tenant, id: subject }: UserRow, id: string): Promise<AdminResult<null>> {
    const about = { actor: by, subject, data: { browser: id } }
    const events = [newEvent(deps, localOrigin(tenant), 'browser.forgotten', about)]
    const outcome = await factors.forgetBrowser({ tenant, subject, id }, events)
    return outcome === 'forgotten' ? ok(null) : absent('that browser')
  }

  async function unlink(by: Actor, { tenant, id: subject }: UserRow, provider: string): Promise<AdminResult<null>> {
    const served = servedProviders(await directory.catalogue(tenant)).map(({ id }) => id)
    const about = { actor: by, subject, data: { factor: 'provider', provider } }
    const events = [newEvent(deps, localOrigin(tenant), 'factor.removed', about)]
    const outcome = await identities.unlink({ tenant, subject, provider, served }, events)
    if (outcome === 'unlinked') return ok(null)
    if (outcome === 'absent') return absent('that sign-in method')
    return err({ reason: 'conflict', what: 'it is the last thing they can sign in with' })
  }

  return {
    async signInMethods(tenant, subject) {
      const user = await users.byId(tenant, subject)
      if (user === null) return absent(`user ${subject}`)
      const has = await factors.of(tenant, subject)
      const totp = has.otp ? await factors.totp(tenant, subject) : null
      const { passwordHash, passwordChangedAt, mustChangePassword } = user
      return ok({
        password: passwordHash === null ? null : { changedAt: passwordChangedAt, mustChange: mustChangePassword },
        passkeys: has.passkey ? await factors.passkeys(tenant, subject) : [],
        totp: totp && { createdAt: totp.createdAt, lastUsedAt: totp.lastUsedAt },
        recoveryCodes: has.recoveryCodes,
        linked: await identities.of(tenant, subject),
        browsers: await factors.browsers(tenant, subject),
      })
    },

    async removeSignInMethod(by, tenant, { subject, method, which }) {
      const user = await users.byId(tenant, subject)
      if (user === null) return absent(`user ${subject}`)
      if (user.administrator !== null && !(await mayNameAdministrators(by, tenant, deps.store))) return err(ownersOnly)
      if (method === 'password') return removePassword(by, user)
      if (method === 'provider') return unlink(by, user, which)
      if (method === 'remembered_browser') return forgetBrowser(by, user, which)
      if (method !== 'passkey') return removeFactor(by, { tenant, subject, what: method }, { factor: method })
      return removeFactor(by, { tenant, subject, what: { passkey: which } }, { factor: method })
    },
  }
}
