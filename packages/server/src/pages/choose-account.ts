/** The page for choosing one of several accounts that are signed in in one browser. */
import { avatar } from './components/avatar.ts'
import { type FormTarget, form } from './components/form.ts'
import { icon } from './components/icon.ts'
import { shownName } from './components/name.ts'
import { type Html, html, nothing } from './html.ts'
import { type PageContext, layout } from './layout.ts'

export interface KnownAccount {
  /** The value that the form sends; opaque, and useless in another browser. */
  readonly reference: string
  readonly name: string
  readonly username: string
  readonly signedIn: boolean
}

export interface ChooseAccountData {
  readonly form: FormTarget
  readonly client: string | null
  readonly accounts: readonly KnownAccount[]
}

/** The form sends `account` with a reference, or `another`. */
export function chooseAccountPage(context: PageContext, data: ChooseAccountData): Html {
  const words = context.language.messages.choose
  return layout(context, {
    title: words.title,
    shape: 'card',
    main: html`<h1>${words.title}</h1>
      ${data.client === null ? nothing : html`<p class="lead">${words.to(shownName(data.client))}</p>`}
      ${form(
        data.form,
        html`<ul class="accounts">
          ${data.accounts.map(
            (account) =>
              html`<li>
                <button type="submit" class="account" name="account" value="${account.reference}">
                  ${avatar(account.name)}
                  <span class="who"
                    ><strong>${account.name}</strong
                    ><span>${account.username}</span
                    >${account.signedIn ? nothing : html`<span class="badge">${words.signedOut}</span>`}</span
                  >
                </button>
              </li>`,
          )}
          <li>
            <button type="submit" class="account" id="another" name="another" value="yes">
              <span class="avatar small empty">${icon('plus')}</span><span class="who">${words.another}</span>
            </button>
          </li>
        </ul>`,
      )}`,
  })
}
