/** The consent page: which app asks for what, for which account, where the answer goes, and for how long. */
import { avatar } from './components/avatar.ts'
import { type ClientVerification, clientLinks, type ShownClient, verification } from './components/client.ts'
import { detailList, type ShownDetail } from './components/details.ts'
import { type Fact, facts } from './components/facts.ts'
import { type FormTarget, button, form } from './components/form.ts'
import { icon } from './components/icon.ts'
import { shownName } from './components/name.ts'
import { notice } from './components/notice.ts'
import { type ShownScope, scopeList } from './components/scopes.ts'
import { sentence } from './components/sentence.ts'
import { ago } from './components/time.ts'
import { type Html, html, nothing } from './html.ts'
import { type PageContext, assetAddress, layout } from './layout.ts'

/**
 * Part of every consent record: increase it whenever the words or the structure of this page change (a test checks).
 */
export const consentTextVersion = '6'

/** Where the answer goes; never a whole redirect URI. */
export type Destination =
  | { readonly kind: 'site'; readonly host: string }
  /** RFC 8252 §7.3: a program that listens on this computer; any program could. */
  | { readonly kind: 'loopback'; readonly host: string }
  /** RFC 8252 §7.1: a private-use scheme. */
  | { readonly kind: 'app'; readonly scheme: string }
  | { readonly kind: 'device'; readonly userCode: string; readonly from: string; readonly askedAt: number }
  /** A client that asked by the back channel, and fetches the answer itself. */
  | { readonly kind: 'backchannel'; readonly message: string | null; readonly from: string; readonly askedAt: number }

export interface ConsentData {
  readonly form: FormTarget
  readonly client: ShownClient & ClientVerification
  readonly account: { readonly name: string; readonly username: string }
  readonly destination: Destination
  readonly resources: readonly { readonly name: string; readonly identifier: string }[]
  readonly scopes: readonly ShownScope[]
  /** Authorization details, which are allowed or denied as a whole. */
  readonly details: readonly ShownDetail[]
  readonly alreadyDetails: readonly ShownDetail[]
  /** Allowed before and not asked again, so that only new scopes are shown first. */
  readonly already: readonly ShownScope[]
  /** Nothing is new: the page is shown because any program could have sent the request. */
  readonly again: boolean
  /** Seconds. `lasting` is null where no refresh token will be issued. */
  readonly lifetime: {
    readonly access: number
    readonly lasting: { readonly idle: number; readonly max: number } | null
  }
  /** The account page of this tenant, where access can be revoked. */
  readonly accountHref: string
  readonly now: number
}

/** The form sends `allow` or `deny`, and `scope:<name>` for every optional scope that stayed ticked; or `switch-account`. */
export function consentPage(context: PageContext, data: ConsentData): Html {
  const words = context.language.messages.consent
  const name = shownName(data.client.name)
  const title = data.again || alreadyCount(data) === 0 ? words.title(name) : words.titleMore(name)
  return layout(context, {
    title,
    shape: 'card',
    main: html`<div class="pair" aria-hidden="true">
        ${avatar(name, data.client.logo, 'large')}${icon('arrow')}<img
          class="avatar large plain"
          src="${assetAddress(context, context.theme.logo)}"
          alt=""
        />
      </div>
      <h1>${title}</h1>
      ${verification(context, data.client, { returns: !('from' in data.destination) })} ${accountSection(context, data)}
      ${form(data.form, [
        // Before the scopes, because facts to compare must be in view together with the buttons.
        consentComparison(context, data),
        data.again ? allowedBefore(context, data) : requestedAccess(context, data),
        consentCircumstances(context, data),
        html`<div class="deciding">
          ${
            'from' in data.destination
              ? nothing
              : html`<p class="fine">
                  ${sentence(words.returnedTo, html`<strong>${destinationText(context, data.destination)}</strong>`)}
                </p>`
          }
          ${consentChoice(context, data.client)}
        </div>`,
      ])}
      <p class="fine">${sentence(words.takeBack, html`<a href="${data.accountHref}">${words.takeBackAt}</a>`)}</p>
      ${clientLinks(context, data.client)}`,
  })
}

/**
 * Deny comes first, so that Enter pressed by habit denies. Allow is highlighted only where somebody vouches for the
 * host.
 */
export function consentChoice(context: PageContext, { provenHost }: ClientVerification): Html {
  const words = context.language.messages.consent
  const look = provenHost === null ? 'plain' : 'primary'
  return html`<div class="choice">
    ${button({ name: 'deny', text: words.deny, look: 'plain' })}${button({ name: 'allow', text: words.allow, look })}
  </div>`
}

/** A form of its own, so that its button does not become the default button of the decision. */
function accountSection(context: PageContext, data: ConsentData): Html {
  const words = context.language.messages.consent
  return html`<div class="signed-in">
    ${avatar(data.account.name)}
    <p class="who">
      <span class="label">${words.signedInAs}</span><strong>${data.account.name}</strong
      ><span>${data.account.username}</span>
    </p>
    ${form(data.form, button({ name: 'switch-account', text: words.switch, label: words.switchAccount, look: 'link' }))}
  </div>`
}

export function requestedAccess(context: PageContext, data: ConsentData): Html {
  const words = context.language.messages.consent
  const more = alreadyCount(data) > 0
  return html`<section aria-labelledby="asked">
    <h2 id="asked">${more ? words.scopesMore : words.scopes}</h2>
    ${detailList(data.details)} ${data.scopes.length === 0 ? nothing : scopeList(context.language, data.scopes)}
    ${data.scopes.some((scope) => scope.optional) ? html`<p class="fine">${words.optionalHint}</p>` : nothing}
    ${more ? alreadyAllowed(context, data) : nothing}
  </section>`
}

/** Short, because the person has read it before, and only confirms having begun this request. */
function allowedBefore(context: PageContext, data: ConsentData): Html {
  const words = context.language.messages.consent
  return html`<section aria-labelledby="asked">
    <h2 id="asked">${words.allowedBefore}</h2>
    <p>${words.allowedBeforeHint}</p>
    ${alreadyAllowed(context, data)}
  </section>`
}

const alreadyCount = ({ already, alreadyDetails }: ConsentData): number => already.length + alreadyDetails.length

const alreadyAllowed = (context: PageContext, data: ConsentData): Html =>
  html`<details>
    <summary>${context.language.messages.consent.already(alreadyCount(data), context.language.formats)}</summary>
    ${detailList(data.alreadyDetails)}
    ${scopeList(
      context.language,
      data.already.map((scope) => ({ ...scope, optional: false, isNew: false })),
    )}
  </details>`

/** Further facts, collapsed. */
export const consentCircumstances = (context: PageContext, data: ConsentData): Html =>
  html`<details class="circumstances">
    <summary>${context.language.messages.consent.details}</summary>
    ${facts(circumstances(context, data))}
  </details>`

/** The facts that the person must compare, and warnings. */
export const consentComparison = (context: PageContext, data: ConsentData): Html =>
  html`${'from' in data.destination ? facts(comparedFacts(context, data)) : nothing}
  ${consentWarning(context, data.destination)}`

function comparedFacts(context: PageContext, { destination, now }: ConsentData): readonly (Fact | null)[] {
  const words = context.language.messages.consent
  return [
    destination.kind === 'device'
      ? [words.deviceCode, html`<strong class="user-code">${destination.userCode}</strong>`]
      : null,
    destination.kind === 'backchannel' && destination.message !== null
      ? [words.bindingMessage, html`<strong class="user-code">${destination.message}</strong>`]
      : null,
    'from' in destination ? [words.deviceFrom, destination.from] : null,
    'from' in destination ? [words.deviceWhen, ago(context.language, destination.askedAt, now)] : null,
  ]
}

function circumstances(context: PageContext, data: ConsentData): readonly (Fact | null)[] {
  const words = context.language.messages.consent
  const { formats } = context.language
  const { access, lasting } = data.lifetime
  return [
    [words.sentTo, html`<strong>${destinationText(context, data.destination)}</strong>`],
    data.resources.length === 0
      ? null
      : [
          words.reaches,
          data.resources.map(
            (r) => html`<span class="resource"><strong>${r.name}</strong> <span>${r.identifier}</span></span>`,
          ),
        ],
    [
      words.howLong,
      lasting === null
        ? words.once(formats.duration(access))
        : words.lasting(formats.duration(lasting.idle), formats.duration(lasting.max)),
    ],
  ]
}

function destinationText(context: PageContext, destination: Destination): string {
  const words = context.language.messages.consent
  if (destination.kind === 'site') return destination.host
  if (destination.kind === 'loopback') return words.thisComputer(destination.host)
  if (destination.kind === 'backchannel') return words.thatApp
  return destination.kind === 'app' ? words.appOnDevice(destination.scheme) : words.thatDevice
}

function consentWarning(context: PageContext, destination: Destination): Html {
  const words = context.language.messages.consent
  if (destination.kind === 'loopback') return notice('warning', words.loopback)
  if (destination.kind === 'device') return notice('warning', words.device)
  if (destination.kind === 'backchannel') return notice('warning', words.backchannel)
  return nothing
}
