/** A person's own links to providers: listing, linking and unlinking, but never removing the last way to sign in. */
import type { Instant } from '@grantor/protocol/types'
import { isVisited, type StoredProvider } from '@grantor/protocol/providers'
import { newEvent } from '../events.ts'
import type { Account, Visitor } from '../interact/visitor.ts'
import { type Departure, type DepartureDependencies, leaveForProvider } from './departure.ts'
import { type DisplayedProvider, displayedProvider, servedProviders } from './served-providers.ts'

export interface LinkedProvider extends DisplayedProvider {
  /** Null where it is not linked yet. */
  readonly linkedAt: Instant | null
}

export interface OwnLinks {
  /** All providers that are served, with the time of the person's link to each. */
  list(account: Account): Promise<readonly LinkedProvider[]>
  /** 'stale': the person must sign in again first. */
  link(account: Account, provider: string, visitor: Visitor): Promise<Departure | 'stale'>
  unlink(account: Account, provider: string, visitor: Visitor): Promise<'unlinked' | 'absent' | 'last' | 'stale'>
}

/** Whether the person has signed in recently enough, and as strongly as they can. */
export type MayChange = (account: Account) => Promise<boolean>

export function openOwnLinks(mayChange: MayChange, deps: DepartureDependencies): OwnLinks {
  const served = async ({ person }: Account): Promise<readonly StoredProvider[]> =>
    servedProviders(await deps.directory.currentCatalogue(person.tenant))

  return {
    async list(account) {
      const { tenant, id } = account.person
      const held = await deps.store.identities.of(tenant, id)
      const all = (await served(account)).map((it) => ({
        ...displayedProvider(it),
        linkedAt: held.find((link) => link.provider === it.id)?.createdAt ?? null,
      }))
      // A directory cannot be linked by visiting it.
      return all.filter((it) => it.linkedAt !== null || isVisited(it))
    },

    async link(account, provider, visitor) {
      if (!(await mayChange(account))) return 'stale'
      const { id: sid, authentication } = account.session
      const purpose = { kind: 'link' as const, subject: authentication.subject, sid }
      return leaveForProvider({ provider, purpose, loginHint: null, again: false, acrValues: [] }, visitor, deps)
    },

    async unlink(account, provider, visitor) {
      if (!(await mayChange(account))) return 'stale'
      const { tenant, id: subject } = account.person
      const all = await served(account)
      const name = all.find((it) => it.id === provider)?.name ?? provider
      const data = { factor: 'provider', provider, name }
      const event = newEvent(deps, visitor, 'factor.removed', { actor: { kind: 'user', id: subject }, subject, data })
      return deps.store.identities.unlink({ tenant, subject, provider, served: all.map((it) => it.id) }, [event])
    },
  }
}
