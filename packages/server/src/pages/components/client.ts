/** The parts of a page about the client: how far it is verified, and its own links. */
import { type Html, html, nothing } from '../html.ts'
import type { PageContext } from '../layout.ts'
import { icon } from './icon.ts'
import { sentence } from './sentence.ts'

export interface ShownClient {
  readonly name: string
  /** An address on our own origin. */
  readonly logo: string | null
  readonly policyUri: string | null
  readonly termsUri: string | null
}

export interface ClientVerification {
  readonly vouchedBy: 'operator' | 'domain' | 'nobody'
  /** A host that somebody vouches for; null where there is none. */
  readonly provenHost: string | null
}

/**
 * Who vouches for the client: the operator, its domain, or nobody. `returns`: whether the person is redirected to it.
 */
export function verification(
  context: PageContext,
  { vouchedBy, provenHost }: ClientVerification,
  { returns }: { readonly returns: boolean },
): Html {
  const words = context.language.messages.consent
  if (vouchedBy === 'nobody')
    return html`<p class="standing unverified">${icon('question')}<span>${words.selfRegistered}</span></p>
      <p class="fine centred">
        ${returns ? sentences(words.selfRegisteredHint, words.selfRegisteredReturn) : words.selfRegisteredHint}
      </p>`
  const who = vouchedBy === 'operator' ? words.madeHere(context.theme.name) : words.provenByDomain
  const proof =
    provenHost === null ? who : sentence((host) => words.vouchedAt(who, host), html`<strong>${provenHost}</strong>`)
  return html`<p class="standing verified">${icon('shield')}<span>${proof}</span></p>`
}

/** Joins two sentences, with a space except after a full-width full stop. */
const sentences = (one: string, other: string): string => `${one}${one.endsWith('。') ? '' : ' '}${other}`

/** The client's own links, without referrer and opener. */
export function clientLinks(context: PageContext, client: Pick<ShownClient, 'policyUri' | 'termsUri'>): Html {
  const words = context.language.messages.consent
  const links = [
    [client.policyUri, words.policy],
    [client.termsUri, words.terms],
  ] as const
  const shown = links.filter(([uri]) => uri !== null && URL.parse(uri)?.protocol === 'https:')
  if (shown.length === 0) return nothing
  return html`<p class="fine links">
    ${shown.map(([uri, text]) => html`<a href="${uri}" rel="noopener noreferrer nofollow" target="_blank">${text}</a> `)}
  </p>`
}
