/** Sign-in: username and password on one page; its errors never tell whether an account exists. */
import { avatar } from './components/avatar.ts'
import { clientLinks, type ShownClient } from './components/client.ts'
import { field } from './components/field.ts'
import { type FormTarget, button, form } from './components/form.ts'
import { shownName } from './components/name.ts'
import { notice } from './components/notice.ts'
import { wait } from './components/wait.ts'
import { type PasskeyPrompt, passkeyForm } from './components/passkey.ts'
import { type ProviderButtons, providerButtons, providerNotice } from './components/providers.ts'
import type { Messages } from './language/en.ts'
import { formScript, passkeyScript } from './assets/assets.ts'
import { type Html, html, nothing, type Renderable } from './html.ts'
import { type PageContext, layout } from './layout.ts'

export type LoginError =
  /** Wrong, unknown, disabled and locked all read the same. */
  | { readonly kind: 'rejected' }
  | { readonly kind: 'throttled'; readonly seconds: number }
  | { readonly kind: 'expired' }
  /** The outcome of a sign-in by a provider; `gone` is no longer offered, and has no name. */
  | {
      readonly kind: 'provider'
      readonly problem: keyof Messages['login']['providers']['problems']
      readonly name: string
    }

export interface LoginData {
  readonly form: FormTarget
  /** The client that the person goes on to; null when they came on their own. */
  readonly client: ShownClient | null
  readonly username: string
  /** prompt=login, max_age or a hint: a person signed in before and must sign in again. */
  readonly again: boolean
  readonly error: LoginError | null
  /** For people with a passkey; null where passkeys are not possible. */
  readonly passkey: PasskeyPrompt | null
  /** Left out where there are none. */
  readonly providers?: ProviderButtons
}

export function loginPage(context: PageContext, data: LoginData): Html {
  const words = context.language.messages.login
  const failed = data.error === null || data.error.kind === 'provider' ? null : data.error
  const error = failed === null ? null : errorText(context, failed)
  return layout(context, {
    title: words.title,
    shape: 'card',
    failed: data.error !== null,
    scripts: data.passkey === null ? [formScript] : [formScript, passkeyScript],
    main: html`${
        data.client === null || data.client.logo === null
          ? nothing
          : html`<p class="centred client-logo">${avatar(data.client.name, data.client.logo, 'large')}</p>`
      }
      <h1>${words.title}</h1>
      <p class="lead">
        ${data.client === null ? words.toService(context.theme.name) : words.to(shownName(data.client.name))}
      </p>
      ${data.again && data.error === null ? notice('info', words.again) : nothing}
      ${data.error?.kind === 'provider' ? providerNotice(context, data.error) : nothing}
      ${form(data.form, [
        field({
          name: 'username',
          label: words.username,
          type: 'text',
          // WebAuthn §5.8.2: passkeys are offered with the names that the browser knows.
          autocomplete: data.passkey === null ? 'username' : 'username webauthn',
          value: data.username,
          focus: data.username === '',
        }),
        field({
          name: 'password',
          label: words.password,
          type: 'password',
          autocomplete: 'current-password',
          focus: data.username !== '',
          // An email address in a provider's domain needs no password.
          optional: data.providers?.byAddress === true,
          show: words.show,
          error,
        }),
        button({ name: 'sign-in', text: words.submit, look: 'primary' }),
        context.mail === undefined
          ? nothing
          : html`<p class="aside"><a id="forgot-password" href="${context.mail.forgotHref}">${words.forgot}</a></p>`,
      ])}
      ${data.passkey === null ? nothing : passkey(context, data.passkey)}
      ${data.providers === undefined ? nothing : providerButtons(context, data.providers)} ${signInLink(context)}
      ${signUpLink(context)} ${data.client === null ? nothing : clientLinks(context, data.client)}`,
  })
}

const signInLink = ({ mail, language }: PageContext): Html =>
  mail?.signInLinkHref === undefined
    ? nothing
    : html`<p class="aside">
        <a id="sign-in-link" href="${mail.signInLinkHref}">${language.messages.signInLink.link}</a>
      </p>`

const signUpLink = ({ mail, language }: PageContext): Html =>
  mail?.signUpHref === undefined
    ? nothing
    : html`<p class="aside"><a id="sign-up" href="${mail.signUpHref}">${language.messages.signUp.link}</a></p>`

const passkey = (context: PageContext, ask: PasskeyPrompt): Html =>
  passkeyForm(context.language, {
    ...ask,
    does: 'get',
    autofill: true,
    content: html`<p class="or"><span>${context.language.messages.passkey.or}</span></p>`,
    button: { name: 'use-passkey', text: context.language.messages.passkey.use, look: 'plain', icon: 'passkey' },
  })

function errorText(context: PageContext, error: Exclude<LoginError, { kind: 'provider' }>): Renderable {
  const words = context.language.messages.login
  return error.kind === 'throttled' ? wait(context, error.seconds, words.throttled) : words[error.kind]
}
