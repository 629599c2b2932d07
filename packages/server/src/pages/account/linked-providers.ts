/** The part of the sign-in methods for linking and unlinking identity providers. */
import type { LinkedProvider } from '@grantor/authority'
import { facts } from '../components/facts.ts'
import { button, form, type FormTarget } from '../components/form.ts'
import { shownName } from '../components/name.ts'
import { providerIcon } from '../components/providers.ts'
import { day } from '../components/time.ts'
import { type Html, html, nothing } from '../html.ts'
import type { AccountPageContext } from './layout.ts'

interface LinkedProvidersData {
  readonly form: FormTarget
  /** Not null where the person must sign in again before any change. */
  readonly confirmHref: string | null
  readonly providers?: readonly LinkedProvider[]
}

export function linkedProviders(context: AccountPageContext, data: LinkedProvidersData): Html {
  const words = context.language.messages.methods.providers
  const { providers = [] } = data
  if (providers.length === 0) return nothing
  return html`<section class="tile" aria-labelledby="providers">
    <h2 id="providers">${words.title}</h2>
    <p>${words.lead}</p>
    <ul class="methods">
      ${providers.map((it) => provider(context, data, it))}
    </ul>
  </section>`
}

function provider(context: AccountPageContext, data: LinkedProvidersData, it: LinkedProvider): Html {
  const words = context.language.messages.methods
  const name = shownName(it.name)
  if (it.linkedAt === null) {
    const link = button({
      name: 'link-provider',
      id: `link-${it.id}`,
      value: it.id,
      text: words.providers.link(name),
      look: 'plain',
      icon: providerIcon(it.kind),
    })
    return html`<li>${data.confirmHref === null ? form(data.form, link) : html`<h3>${name}</h3>`}</li>`
  }
  const unlink = button({
    name: 'unlink-provider',
    id: `unlink-${it.id}`,
    value: it.id,
    text: words.providers.unlink(name),
    look: 'danger',
  })
  return html`<li>
    <h3>${name}</h3>
    ${facts([[words.added, day(context.language, it.linkedAt)]])}
    ${
      data.confirmHref !== null
        ? nothing
        : html`<details class="confirm">
            <summary>${words.remove}</summary>
            <p>${words.providers.unlinkLead}</p>
            ${form(data.form, unlink)}
          </details>`
    }
  </li>`
}
