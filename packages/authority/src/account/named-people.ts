/** The recipients of a mail that was requested by a name or an address. */
import { shortened } from '@grantor/protocol/oauth'
import type { Handle } from '@grantor/protocol/types'
import type { MailRow, Store, UserRow } from '@grantor/store'
import type { Directory } from '../directory.ts'
import { type CountedLimits, limitReached } from '../limits/limits.ts'
import { addressOf } from '../mail/queued-mail.ts'

export interface NamedPeopleDependencies {
  readonly directory: Directory
  readonly limits: CountedLimits
  readonly store: Pick<Store, 'users' | 'sessions'>
}

/** One mailbox may serve a family; more people are not expected. */
const maxPeople = 5
/** The longest input that can be a name. */
const maxNamed = 320

export const typedName = (named: string): string => shortened(named.trim(), maxNamed)

export interface NamedRequest {
  readonly named: string
  /** The browser of the request, where somebody signed in with it before. */
  readonly browser: Handle | null
  /** The prefix of the counter, one for each kind of mail; null where an administrator asked, who is not limited. */
  readonly counted: '' | 'sign-in-link ' | null
}

/** A disabled person, a person without an address and one above the limit get no mail. */
export async function peopleNamed(
  { tenant }: Pick<MailRow, 'tenant'>,
  { named, browser, counted }: NamedRequest,
  deps: NamedPeopleDependencies,
): Promise<readonly UserRow[]> {
  const { users } = deps.store
  if ((await deps.directory.servedCatalogue(tenant)) === null) return []
  const byName = await users.byUsername(tenant, named)
  const found = byName === null ? await users.byEmail(tenant, named, maxPeople) : [byName]
  const reached: UserRow[] = []
  for (const user of found) {
    if (user.disabledAt !== null || addressOf(user) === null) continue
    if (counted === null) {
      reached.push(user)
      continue
    }
    // A browser known to the person has its own count: strangers who name the person do not use it up.
    const own = browser !== null && (await isKnownIn(browser, user, deps)) ? ` ${browser}` : ''
    if (limitReached(await deps.limits.take('resetAccount', `${counted}${tenant} ${user.id}${own}`)) === null)
      reached.push(user)
  }
  return reached
}

const isKnownIn = async (
  browser: Handle,
  { tenant, id }: UserRow,
  { store }: NamedPeopleDependencies,
): Promise<boolean> => (await store.sessions.knownIn(tenant, browser)).some(({ subject }) => subject === id)
