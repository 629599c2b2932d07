/** The built-in user directory: people in the store, who sign in by password. */
import { byPassword } from '@grantor/protocol/authorize'
import type { Store } from '@grantor/store'
import { checkPassword, hashPassword, isWeak } from './password.ts'
import type { Clock } from '../ports/environment.ts'
import type { People } from '../ports/people.ts'

export const localPeople = (store: Pick<Store, 'users'>, clock: Clock): People => ({
  find: (tenant, id) => store.users.byId(tenant, id),

  async byPassword(tenant, username, password) {
    const user = await store.users.byUsername(tenant, username)
    const right = await checkPassword(user?.passwordHash ?? null, password)
    if (user === null || !right || user.disabledAt !== null) return { person: null, subject: user?.id ?? null }
    if (user.passwordHash !== null && isWeak(user.passwordHash)) {
      // If another change of the person came first, the hash is upgraded at the next sign-in.
      const passwordHash = await hashPassword(password)
      const { id, version } = user
      await store.users.change({ tenant, id, version, passwordHash, samePassword: true, at: clock.now(), events: [] })
    }
    return { person: user, ...byPassword }
  },
})
