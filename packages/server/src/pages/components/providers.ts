/** The buttons of identity providers, and the error of a sign-in at one of them. */
import type { DisplayedProvider } from '@grantor/authority'
import { type Html, html, nothing } from '../html.ts'
import type { PageContext } from '../layout.ts'
import type { Messages } from '../language/en.ts'
import { button, form, type FormTarget } from './form.ts'
import { shownName } from './name.ts'
import { notice } from './notice.ts'

export interface ProviderButtons {
  /** The form sends `provider` with the id. */
  readonly form: FormTarget
  readonly list: readonly DisplayedProvider[]
  /** Whether an email address alone may lead to a provider. */
  readonly byAddress: boolean
}

/** The icon of a kind; kinds without one of their own use that of `oidc`. */
export const providerIcon = (kind: DisplayedProvider['kind']) =>
  kind === 'ldap' || kind === 'active_directory' || kind === 'saml' ? 'oidc' : kind

export function providerButtons(context: PageContext, { form: target, list }: ProviderButtons): Html {
  const { login, passkey } = context.language.messages
  if (list.length === 0) return nothing
  const buttons = list.map(({ id, name, kind }) =>
    button({
      name: 'provider',
      id: `provider-${id}`,
      value: id,
      text: login.providers.with(shownName(name)),
      look: 'plain',
      icon: providerIcon(kind),
    }),
  )
  return form(
    target,
    html`<p class="or"><span>${passkey.or}</span></p>
      <div class="providers">${buttons}</div>`,
  )
}

interface ProviderFailure {
  readonly problem: keyof Messages['login']['providers']['problems']
  readonly name: string
}

export const providerNotice = (context: PageContext, { problem, name }: ProviderFailure): Html =>
  notice('warning', context.language.messages.login.providers.problems[problem](shownName(name)))
