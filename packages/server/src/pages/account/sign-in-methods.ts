/** The page of a person's sign-in methods: passkeys, authenticator app, recovery codes, trusted browsers. */
import type { LinkedProvider } from '@grantor/authority'
import { passkeyScript } from '../assets/assets.ts'
import { facts } from '../components/facts.ts'
import { field } from '../components/field.ts'
import { type FormTarget, button, form } from '../components/form.ts'
import { shownName } from '../components/name.ts'
import { notice } from '../components/notice.ts'
import { type PasskeyPrompt, passkeyForm } from '../components/passkey.ts'
import { providerNotice } from '../components/providers.ts'
import { ago, day } from '../components/time.ts'
import { type Html, html, nothing } from '../html.ts'
import { type AccountPageContext, accountLayout } from './layout.ts'
import { linkedProviders } from './linked-providers.ts'

export interface ShownPasskey {
  /** The value that the form sends as `remove-passkey`. */
  readonly reference: string
  readonly name: string
  readonly synced: boolean
  readonly createdAt: number
  readonly usedAt: number | null
}

export interface ShownRememberedBrowser {
  /** The value that the form sends as `forget`. */
  readonly reference: string
  readonly device: string | null
  readonly usedAt: number
  readonly endsAt: number
}

export interface SignInMethodsData {
  readonly form: FormTarget
  /** The URL for signing in again; null where that is not needed now. */
  readonly confirmHref: string | null
  readonly passkeys: readonly ShownPasskey[]
  /** Null where passkeys are not possible, or the person must sign in again first. */
  readonly addPasskey: (PasskeyPrompt & { readonly suggestion: string }) | null
  readonly authenticator: { readonly createdAt: number; readonly usedAt: number | null } | null
  readonly authenticatorHref: string
  readonly recoveryCodes: number
  readonly browsers: readonly ShownRememberedBrowser[]
  /** Providers that can be linked, with the time if they are. */
  readonly providers?: readonly LinkedProvider[]
  readonly failed: 'passkey' | 'full' | 'outrun' | 'last' | Parameters<typeof providerNotice>[1] | null
  readonly now: number
}

/** The form sends `remove-passkey` or `forget` with a reference, `remove-authenticator`, `new-codes`, `link-provider` or `unlink-provider` with an id, or `passkey` and `name`. */
export function signInMethodsPage(context: AccountPageContext, data: SignInMethodsData): Html {
  const words = context.language.messages.methods
  const enrolled = data.passkeys.length > 0 || data.authenticator !== null
  return accountLayout(context, {
    section: 'methods',
    failed: data.failed !== null,
    lead: enrolled ? words.leadOn : words.leadOff,
    ...(data.addPasskey === null ? {} : { scripts: [passkeyScript] }),
    content: html`${data.failed === null ? nothing : failure(context, data.failed)}
    ${data.confirmHref === null ? nothing : confirmFirst(context, data.confirmHref)} ${passkeys(context, data)}
    ${authenticator(context, data)} ${linkedProviders(context, data)}
    ${enrolled ? recoveryCodes(context, data) : nothing} ${enrolled ? browsers(context, data) : nothing}`,
  })
}

const failure = (context: AccountPageContext, failed: NonNullable<SignInMethodsData['failed']>): Html =>
  typeof failed === 'object'
    ? providerNotice(context, failed)
    : notice('warning', context.language.messages.methods.failed[failed])

const confirmFirst = (context: AccountPageContext, href: string): Html => {
  const words = context.language.messages.methods
  return html`<div class="notice info">
    <p>${words.confirmFirst} <a id="confirm" href="${href}">${words.confirm}</a></p>
  </div>`
}

const isLast = (data: SignInMethodsData): boolean => data.passkeys.length + (data.authenticator === null ? 0 : 1) === 1

/** Confirms without a second page; for the last factor, the text tells the consequences. */
function removal(context: AccountPageContext, data: SignInMethodsData, act: Html): Html {
  const words = context.language.messages.methods
  if (data.confirmHref !== null) return nothing
  return html`<details class="confirm">
    <summary>${words.remove}</summary>
    <p>${isLast(data) ? words.removeLast : words.removeLead}</p>
    ${act}
  </details>`
}

function passkeys(context: AccountPageContext, data: SignInMethodsData): Html {
  const words = context.language.messages.methods
  return html`<section class="tile" aria-labelledby="passkeys">
    <h2 id="passkeys">${words.passkeys}</h2>
    <p>${words.passkeysLead}</p>
    ${
      data.passkeys.length === 0
        ? nothing
        : html`<ul class="methods">
            ${data.passkeys.map((it) => passkey(context, data, it))}
          </ul>`
    }
    ${data.addPasskey === null ? nothing : addPasskey(context, data.addPasskey)}
  </section>`
}

function passkey(context: AccountPageContext, data: SignInMethodsData, it: ShownPasskey): Html {
  const words = context.language.messages.methods
  const name = shownName(it.name)
  const act = form(
    data.form,
    button({
      name: 'remove-passkey',
      id: `remove-passkey-${it.reference}`,
      value: it.reference,
      text: words.removeNamed(name),
      look: 'danger',
    }),
  )
  return html`<li>
    <h3>${name}${it.synced ? html` <span class="badge">${words.synced}</span>` : nothing}</h3>
    ${facts([
      [words.added, day(context.language, it.createdAt)],
      [words.used, it.usedAt === null ? words.never : ago(context.language, it.usedAt, data.now)],
    ])}
    ${removal(context, data, act)}
  </li>`
}

const addPasskey = (context: AccountPageContext, ask: NonNullable<SignInMethodsData['addPasskey']>): Html => {
  const words = context.language.messages.methods
  return passkeyForm(context.language, {
    form: ask.form,
    options: ask.options,
    does: 'create',
    content: field({
      name: 'name',
      label: words.passkeyName,
      type: 'text',
      autocomplete: 'off',
      value: ask.suggestion,
      maxLength: 60,
    }),
    button: { name: 'add-passkey', text: words.addPasskey, look: 'primary' },
  })
}

function authenticator(context: AccountPageContext, data: SignInMethodsData): Html {
  const words = context.language.messages.methods
  const { authenticator: app } = data
  return html`<section class="tile" aria-labelledby="authenticator">
    <h2 id="authenticator">${words.authenticator}</h2>
    <p>${words.authenticatorLead}</p>
    ${
      app === null
        ? data.confirmHref === null
          ? html`<p>
              <a class="button plain" id="set-up-authenticator" href="${data.authenticatorHref}">${words.setUp}</a>
            </p>`
          : nothing
        : html`${facts([
            [words.added, day(context.language, app.createdAt)],
            [words.used, app.usedAt === null ? words.never : ago(context.language, app.usedAt, data.now)],
          ])}
          ${removal(context, data, form(data.form, button({ name: 'remove-authenticator', text: words.removeAuthenticator, look: 'danger' })))}`
    }
  </section>`
}

function recoveryCodes(context: AccountPageContext, data: SignInMethodsData): Html {
  const words = context.language.messages.methods
  const left = words.codesLeft(data.recoveryCodes, context.language.formats)
  return html`<section class="tile" aria-labelledby="codes">
    <h2 id="codes">${words.codes}</h2>
    <p>${words.codesLead}</p>
    <p id="codes-left">${data.recoveryCodes < 3 ? html`<strong>${left}</strong>` : left}</p>
    ${
      data.confirmHref !== null
        ? nothing
        : html`<details class="confirm">
            <summary>${words.newCodes}</summary>
            <p>${words.newCodesLead}</p>
            ${form(data.form, button({ name: 'new-codes', text: words.newCodes, look: 'danger' }))}
          </details>`
    }
  </section>`
}

function browsers(context: AccountPageContext, data: SignInMethodsData): Html {
  const words = context.language.messages.methods
  return html`<section class="tile" aria-labelledby="browsers">
    <h2 id="browsers">${words.browsers}</h2>
    ${
      data.browsers.length === 0
        ? html`<p>${words.noBrowsers}</p>`
        : html`<p>${words.browsersLead}</p>
            <ul class="methods">
              ${data.browsers.map((it) => browser(context, data, it))}
            </ul>`
    }
  </section>`
}

function browser(context: AccountPageContext, data: SignInMethodsData, it: ShownRememberedBrowser): Html {
  const words = context.language.messages.methods
  const device = it.device === null ? context.language.messages.sessions.unknownDevice : shownName(it.device)
  return html`<li>
    <h3>${device}</h3>
    ${facts([
      [words.used, ago(context.language, it.usedAt, data.now)],
      [words.until, day(context.language, it.endsAt)],
    ])}
    ${form(
      data.form,
      button({
        name: 'forget',
        id: `forget-${it.reference}`,
        value: it.reference,
        text: words.forget,
        label: words.forgetNamed(device),
        look: 'plain',
      }),
    )}
  </li>`
}
