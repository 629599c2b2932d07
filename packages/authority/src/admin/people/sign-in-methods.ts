/** Administration of what a person signs in with: seen without anything secret, and removed one by one. */
import type { Actor } from '@grantor/protocol/events'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import type { PasskeyRow, RememberedBrowserRow, Removal, Store, UserRow } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../../events.ts'
import type { AdminError, AdminResult } from '../result.ts'
import { mayNameAdministrators } from './naming-administrators.ts'
import { ownersOnly } from './user-records.ts'

export interface SignInMethodRecord {
  /** Null where they have none. */
  readonly password: { readonly changedAt: Instant | null; readonly mustChange: boolean } | null
  readonly passkeys: readonly Pick<PasskeyRow, 'id' | 'name' | 'synced' | 'createdAt' | 'lastUsedAt'>[]
  readonly totp: { readonly createdAt: Instant; readonly lastUsedAt: Instant | null } | null
  readonly recoveryCodes: number
  readonly browsers: readonly Pick<RememberedBrowserRow, 'id' | 'userAgent' | 'createdAt' | 'expiresAt'>[]
}

export const removableMethods = ['password', 'passkey', 'totp', 'recovery_codes', 'remembered_browser'] as const

/** `which` is the id of a passkey or a browser, and '' for what there is one of. */
export interface MethodRemoval {
  readonly subject: string
  readonly method: (typeof removableMethods)[number]
  readonly which: string
}

export interface SignInMethodAdmin {
  signInMethods(tenant: TenantId, subject: string): Promise<AdminResult<SignInMethodRecord>>
  /** A password goes with every session; a factor with the browsers that need not show it. */
  removeSignInMethod(by: Actor, tenant: TenantId, removal: MethodRemoval): Promise<AdminResult<null>>
}

export interface SignInMethodDependencies extends EventDependencies {
  readonly store: Pick<Store, 'users' | 'factors'>
}

const absent = (what: string) => err<AdminError>({ reason: 'absent', what })

export function openSignInMethodAdmin(deps: SignInMethodDependencies): SignInMethodAdmin {
  const { users, factors } = deps.store

  /** The password is a column of the person, and all that rests on it ends in the same commit. */
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
        browsers: await factors.browsers(tenant, subject),
      })
    },

    async removeSignInMethod(by, tenant, { subject, method, which }) {
      const user = await users.byId(tenant, subject)
      if (user === null) return absent(`user ${subject}`)
      if (user.administrator !== null && !(await mayNameAdministrators(by, tenant, deps.store))) return err(ownersOnly)
      if (method === 'password') return removePassword(by, user)
      if (method === 'remembered_browser') return forgetBrowser(by, user, which)
      if (method !== 'passkey') return removeFactor(by, { tenant, subject, what: method }, { factor: method })
      return removeFactor(by, { tenant, subject, what: { passkey: which } }, { factor: method })
    },
  }
}
