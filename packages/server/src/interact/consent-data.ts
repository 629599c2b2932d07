/** Turns the authority's facts about a consent into the data of the page, in the person's language. */
import { deviceOf, type InteractionResponse } from '@grantor/authority'
import { type AuthorizationDetail, detailText } from '@grantor/protocol/authorization-details'
import { type AskingDevice, showUserCode } from '@grantor/protocol/device'
import { isLoopbackHost } from '@grantor/protocol/http'
import { scopeClaims } from '@grantor/protocol/oidc'
import type { ShownDetail } from '../pages/components/details.ts'
import type { FormTarget } from '../pages/components/form.ts'
import type { ShownScope } from '../pages/components/scopes.ts'
import type { ConsentData, Destination } from '../pages/consent.ts'
import { described, inReadingOrder, scopeWords } from '../pages/language/scope-words.ts'
import type { Language } from '../pages/language/index.ts'
import type { PageContext } from '../pages/layout.ts'
import { logoAddress } from '../routes/logos.ts'

type Consent = Extract<InteractionResponse, { go: 'consent' }>

interface ConsentLinks {
  readonly form: FormTarget
  /** The page where consent can be revoked. */
  readonly accountHref: string
  /** The prefix of our own paths. */
  readonly base: string
}

export function consentData(shown: Consent, { language }: PageContext, { base, ...links }: ConsentLinks): ConsentData {
  const { question, client } = shown
  const stepsUp = question.already.size > 0
  const describe = (name: string, isNew: boolean): ShownScope => ({
    name,
    text: scopeWords(language, name, shown.scopes.get(name) ?? null),
    sensitive: shown.scopes.get(name)?.sensitivity === 'high',
    optional: question.optional.has(name),
    isNew,
  })
  // A client that cannot refresh gets no offline access, so the page does not ask for it.
  const kept = (name: string): boolean => name !== 'offline_access' || shown.lasting !== null
  const wanted = question.missing.union(scopesAround(question.claims))
  const asked = inReadingOrder(wanted)
    .filter(kept)
    .map((name) => describe(name, stepsUp))
  const before = inReadingOrder(question.already)
    .filter(kept)
    .map((name) => describe(name, false))
  return {
    ...links,
    client: {
      name: client.name,
      vouchedBy: client.vouchedBy,
      provenHost: client.provenHost,
      logo: logoAddress(base, client.id, shown.logo),
      policyUri: client.policyUri,
      termsUri: client.termsUri,
    },
    account: shown.account,
    destination: shown.device === null ? destinationOf(shown.redirectUri) : deviceDestination(shown.device, language),
    resources: shown.resources,
    again: question.again,
    // Where only the resource is new, the scopes granted before are shown as those of this request.
    ...(asked.length + question.details.length === 0 && !question.again
      ? { scopes: before, already: [] }
      : { scopes: asked, already: before }),
    details: question.details.map((detail) => shownDetail(detail, shown, language)),
    alreadyDetails: question.alreadyDetails.map((detail) => shownDetail(detail, shown, language)),
    lifetime: { access: shown.accessTtl, lasting: shown.lasting },
    now: shown.now,
  }
}

/** If its type was deleted meanwhile, all members are shown; such a detail would not be granted either. */
function shownDetail(detail: AuthorizationDetail, { detailTypes }: Consent, language: Language): ShownDetail {
  const type = detailTypes.find((it) => it.type === detail.type)
  const template = type === undefined ? undefined : described(language, type.description)
  const { sentence, others } = detailText(template ?? '', detail, type?.schema ?? {})
  const { yes, no } = language.messages.consent
  const text = (value: string | number | boolean): string =>
    typeof value === 'boolean' ? (value ? yes : no) : String(value)
  return {
    sentence: sentence.map((part) => ('words' in part ? part.words : { value: part.values.map(text).join(', ') })),
    others: others.map(({ label, value }) => ({ label, value: text(value) })),
  }
}

/**
 * Claims requested by name are shown as the scope they belong to, so that the page never shows less than will be told.
 */
const scopesAround = (claims: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(Object.keys(scopeClaims).filter((scope) => scopeClaims[scope]?.some((name) => claims.has(name))))

/** The device that asked: its name by its user agent, if known, and its IP address. */
function deviceDestination(asking: AskingDevice, { messages }: Language): Destination {
  const { userCode, backchannel, userAgent, ip, askedAt } = asking
  const known = [deviceOf(userAgent), ip].filter((it) => it !== null)
  const from = known.length === 0 ? messages.sessions.unknownDevice : known.join(', ')
  return userCode === null
    ? { kind: 'backchannel', message: backchannel?.bindingMessage ?? null, from, askedAt }
    : { kind: 'device', userCode: showUserCode(userCode), from, askedAt }
}

function destinationOf(redirectUri: string): Destination {
  const url = URL.parse(redirectUri)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return { kind: 'app', scheme: redirectUri.slice(0, redirectUri.indexOf(':')) }
  }
  const loopback = isLoopbackHost(url.hostname)
  return { kind: loopback ? 'loopback' : 'site', host: url.host }
}
