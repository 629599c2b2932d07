/** Browsers in which a person can skip the second factor for a while; a sign-in there counts as one factor only. */
import type { Policy } from '@grantor/protocol/oauth'
import type { Person } from '@grantor/protocol/people'
import type { Instant } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { newEvent } from '../events.ts'
import type { Clock, Ids } from '../ports/environment.ts'
import type { CookieChanges, Visitor } from '../interact/visitor.ts'

export interface RememberedBrowserDependencies {
  readonly clock: Clock
  readonly ids: Ids
  readonly policy: Policy
  readonly store: Pick<Store, 'factors'>
}

/** Further ones are ignored: a long cookie must not cause many reads. */
const maxRemembered = 8

export async function isRememberedBrowser(
  { tenant, id }: Person,
  visitor: Visitor,
  deps: RememberedBrowserDependencies,
): Promise<boolean> {
  const now = deps.clock.now()
  for (const secret of visitor.remembered.slice(-maxRemembered)) {
    const browser = await deps.store.factors.browser(tenant, deps.ids.handleOf(secret))
    if (browser === null || browser.subject !== id || browser.expiresAt <= now) continue
    await deps.store.factors.seenBrowser(tenant, browser.id, now)
    return true
  }
  return false
}

/** An event that ended all trust in the person while they were signing in prevents this, too. */
export async function rememberBrowser(
  { person, since }: { readonly person: Person; readonly since: Instant },
  visitor: Visitor,
  deps: RememberedBrowserDependencies,
): Promise<CookieChanges> {
  const { tenant, id } = person
  const secret = deps.ids.secret('gw_')
  const expiresAt = (since + deps.policy.rememberedBrowserTtl * 1000) as Instant
  const browser = {
    tenant,
    id: deps.ids.id(),
    handle: deps.ids.handleOf(secret),
    subject: id,
    userAgent: visitor.userAgent?.slice(0, 300) ?? null,
    createdAt: since,
    lastUsedAt: since,
    expiresAt,
    passwordSeen: person.passwordChangedAt,
  }
  const data = { browser: browser.id, until: expiresAt }
  const about = { actor: { kind: 'user' as const, id }, subject: id, data }
  const events = [newEvent(deps, visitor, 'browser.remembered', about)]
  if ((await deps.store.factors.rememberBrowser(browser, events)) === 'outdated') return {}
  return { remembered: [...visitor.remembered.slice(1 - maxRemembered), secret] }
}
