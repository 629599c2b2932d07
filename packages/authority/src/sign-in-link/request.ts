/**
 * A person requests a mailed sign-in link. The request costs the same for every name: one row is queued, and the answer
 * is sent; only then the person is looked up and mailed. The link works only in the browser that requested it.
 */
import { retryAfter } from '@grantor/protocol/http'
import type { Policy } from '@grantor/protocol/oauth'
import { providerOfAddress } from '@grantor/protocol/providers'
import type { Instant, Secret } from '@grantor/protocol/types'
import type { MailRow, SignInLinkRow, Store, UserRow } from '@grantor/store'
import { type NamedPeopleDependencies, peopleNamed, typedName } from '../account/named-people.ts'
import { circumstancesOf } from '../account/reset-password.ts'
import type { Directory } from '../directory.ts'
import { localOrigin, newEvent } from '../events.ts'
import { browserHandle, type Visitor } from '../interact/visitor.ts'
import { knownBrowser } from '../limits/sign-in-attempts.ts'
import {
  addressOf,
  languageOf,
  newMail,
  signInLinkRequestIn,
  signInLinkRequestMail,
  type SignInLinkRequest,
} from '../mail/queued-mail.ts'
import type { Clock, Ids, Issuers } from '../ports/environment.ts'
import type { Vault } from '../ports/vault.ts'
import { servedProviders } from '../providers/served-providers.ts'

export type SignInLinkRequestDependencies = NamedPeopleDependencies & {
  readonly clock: Clock
  readonly ids: Ids
  readonly issuers: Issuers
  readonly policy: Policy
  readonly vault: Vault
  readonly store: Pick<Store, 'users' | 'signInLinks' | 'mails' | 'sessions' | 'identities'>
}

export interface SignInLinkAsked {
  readonly named: string
  /** The interaction that waits for the sign-in. */
  readonly returnTo: Secret | null
  readonly language: string | null
}

export type SignInLinkRequestOutcome = 'asked' | 'off' | { readonly did: 'throttled'; readonly seconds: number }

export const offersSignInLinks = async (
  { tenant }: Pick<Visitor, 'tenant'>,
  { directory }: { readonly directory: Directory },
): Promise<boolean> => (await directory.servedCatalogue(tenant))?.tenant.accounts?.sign_in_links === true

/** The answer depends on the origin of the request, and never on the name. */
export async function requestSignInLink(
  by: SignInLinkAsked,
  visitor: Visitor,
  deps: SignInLinkRequestDependencies,
): Promise<SignInLinkRequestOutcome> {
  const browser = browserHandle(visitor, deps.ids)
  if (browser === null || !(await offersSignInLinks(visitor, deps))) return 'off'
  const known = (await knownBrowser(visitor, deps)) !== null
  // Strangers behind the same address cannot use up the limit of a browser that was used before.
  const decision = known
    ? await deps.limits.take('signInLinkAddress', `browser ${visitor.tenant} ${browser}`)
    : await deps.limits.takeByAddress('signInLinkAddress', visitor.ip)
  const seconds = decision === null ? 0 : retryAfter(decision)
  if (seconds > 0) return { did: 'throttled', seconds }
  const { returnTo, language } = by
  const asked = {
    named: typedName(by.named),
    browser,
    known,
    returnTo,
    language,
    where: circumstancesOf(visitor, deps),
  }
  const at = { tenant: visitor.tenant, life: deps.policy.signInLinkTtl * 1000 }
  await deps.store.mails.queue([signInLinkRequestMail(asked, deps, at)], [])
  return 'asked'
}

/** Answers a queued request. 'unopened': the row was sealed under a key that no longer exists. */
export async function answerSignInLinkRequest(
  row: MailRow,
  deps: SignInLinkRequestDependencies,
): Promise<'answered' | 'unopened'> {
  const asked = signInLinkRequestIn(row, deps.vault)
  if (asked === null) return 'unopened'
  const links = []
  const events = []
  for (const person of await peopleMeant(row, asked, deps)) {
    links.push(linkFor(person, asked, deps))
    const origin = { ...localOrigin(row.tenant), ip: asked.where.ip }
    const about = { actor: { kind: 'user' as const, id: null }, subject: person.id }
    events.push(newEvent(deps, origin, 'login.link_requested', about))
  }
  await deps.store.signInLinks.mail({ links, instead: row, events })
  return 'answered'
}

/**
 * The recipients: none if the feature was switched off meanwhile. A person who signs in by a provider must do so there,
 * so that an access that the provider ended does not continue here.
 */
async function peopleMeant(
  row: MailRow,
  { named, browser, known }: SignInLinkRequest,
  deps: SignInLinkRequestDependencies,
): Promise<readonly UserRow[]> {
  if (!(await offersSignInLinks(row, deps))) return []
  const served = servedProviders(await deps.directory.servedCatalogue(row.tenant))
  const request = { named, browser: known ? browser : null, counted: 'sign-in-link ' } as const
  const recipients: UserRow[] = []
  for (const user of await peopleNamed(row, request, deps)) {
    if (providerOfAddress(addressOf(user) ?? '', served) !== null) continue
    const elsewhere = user.passwordHash === null && (await deps.store.identities.of(user.tenant, user.id)).length > 0
    if (!elsewhere) recipients.push(user)
  }
  return recipients
}

export const returnContext = ({ tenant, handle }: Pick<SignInLinkRow, 'tenant' | 'handle'>): string =>
  `return of a link ${tenant} ${handle}`

function linkFor(person: UserRow, asked: SignInLinkRequest, deps: SignInLinkRequestDependencies) {
  const { tenant, id: subject, username } = person
  const { browser, returnTo, where } = asked
  const secret = deps.ids.secret('gp_')
  const handle = deps.ids.handleOf(secret)
  const life = deps.policy.signInLinkTtl * 1000
  const link: SignInLinkRow = {
    tenant,
    handle,
    subject,
    browser,
    sealedReturn:
      returnTo === null ? null : deps.vault.sealShortLived(Buffer.from(returnTo), returnContext({ tenant, handle })),
    madeAt: where.at,
    expiresAt: (deps.clock.now() + life) as Instant,
  }
  const href = `${deps.issuers.issuerOf(tenant)}/sign-in-link/finish?token=${secret}`
  const facts = { kind: 'sign_in_link', username, link: href, where } as const
  const address = addressOf(person) ?? ''
  const about = { tenant, subject, to: address, language: languageOf(person, asked.language), facts }
  return { link, address, mail: newMail(about, deps, life) }
}
