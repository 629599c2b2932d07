/** Apps with access: what each may do, its first and last use, and how to revoke the access of one or all. */
import { avatar } from '../components/avatar.ts'
import { leftToRight } from '../components/direction.ts'
import { facts } from '../components/facts.ts'
import { type FormTarget, button, form } from '../components/form.ts'
import { icon } from '../components/icon.ts'
import { shownName } from '../components/name.ts'
import { furtherLink } from '../components/onward.ts'
import { ago, day } from '../components/time.ts'
import { type Html, html, nothing } from '../html.ts'
import { type AccountPageContext, accountLayout } from './layout.ts'

export interface ConnectedApp {
  /** The value that the form sends as `revoke`. */
  readonly reference: string
  readonly name: string
  readonly vouchedBy: 'operator' | 'domain' | 'nobody'
  readonly provenHost: string | null
  /** The app belongs to the service, and needs no consent. */
  readonly firstParty: boolean
  readonly logo: string | null
  /** The URL where the app begins a sign-in. */
  readonly open: string | null
  /** In plain words. */
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly firstUsedAt: number | null
  readonly lastUsedAt: number | null
  readonly endsAt: number | null
  /** False: the app has no access now, but may get it again without asking. */
  readonly hasAccess: boolean
}

export interface AppsData {
  readonly form: FormTarget
  readonly apps: readonly ConnectedApp[]
  /** The address of the next page; null at the end. */
  readonly further: string | null
  readonly now: number
}

/** The form sends `revoke` with a reference, or `revoke-all`. */
export function appsPage(context: AccountPageContext, data: AppsData): Html {
  const words = context.language.messages.apps
  return accountLayout(context, {
    section: 'apps',
    lead: words.lead,
    content:
      data.apps.length === 0
        ? html`<p class="empty">${words.none}</p>`
        : html`<ul class="cards">
              ${data.apps.map((app) => appCard(context, data, app))}
            </ul>
            ${furtherLink(context, data.further)}
            ${data.apps.length === 1 && data.further === null ? nothing : removeAll(context, data)}`,
  })
}

function appCard(context: AccountPageContext, data: AppsData, app: ConnectedApp): Html {
  const words = context.language.messages.apps
  const name = shownName(app.name)
  const used = (at: number | null): Html | string =>
    at === null ? words.neverUsed : ago(context.language, at, data.now)
  return html`<li class="tile">
    <div class="tile-head">
      ${avatar(name, app.logo)}
      <h2>${name}</h2>
      ${
        app.provenHost === null
          ? app.vouchedBy === 'nobody'
            ? html`<span class="badge">${context.language.messages.consent.selfRegistered}</span>`
            : nothing
          : html`<span class="host">${leftToRight(app.provenHost)}</span>`
      }
      ${
        app.open === null
          ? nothing
          : html`<a class="tile-open" href="${app.open}" aria-label="${words.openNamed(name)}">${words.open}</a>`
      }
    </div>
    ${app.firstParty ? html`<p>${words.firstParty}</p>` : nothing}
    ${app.hasAccess ? nothing : html`<p>${words.noAccessNow}</p>`}
    <h3>${words.mayDo}</h3>
    <ul class="scopes">
      ${app.scopes.map((scope) => html`<li class="scope">${icon('check')}<span class="scope-text">${scope}</span></li>`)}
    </ul>
    ${facts([
      app.resources.length === 0 ? null : [words.reaches, context.language.formats.list(app.resources)],
      app.hasAccess ? [words.firstUse, used(app.firstUsedAt)] : null,
      app.hasAccess ? [words.lastUse, used(app.lastUsedAt)] : null,
      [words.until, app.endsAt === null ? words.withoutEnd : day(context.language, app.endsAt)],
    ])}
    ${confirmed(
      { summary: words.remove, lead: app.firstParty ? words.removeFirstPartyLead(name) : words.removeLead(name) },
      () =>
        form(
          data.form,
          button({
            name: 'revoke',
            id: `revoke-${app.reference}`,
            value: app.reference,
            text: words.removeNamed(name),
            look: 'danger',
          }),
        ),
    )}
  </li>`
}

const removeAll = (context: AccountPageContext, data: AppsData): Html => {
  const words = context.language.messages.apps
  const lead =
    data.further === null ? words.removeAllLead(data.apps.length, context.language.formats) : words.removeAllManyLead
  return confirmed({ summary: words.removeAll, lead }, () =>
    form(data.form, button({ name: 'revoke-all', text: words.removeAll, look: 'danger' })),
  )
}

/** Confirms without a second page: the button is inside a section that must be opened first. */
const confirmed = (words: { readonly summary: string; readonly lead: string }, act: () => Html): Html =>
  html`<details class="confirm">
    <summary>${words.summary}</summary>
    <p>${words.lead}</p>
    ${act()}
  </details>`
