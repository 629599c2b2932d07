/** Recovery codes, on the one page that ever shows them. */
import { formScript } from '../assets/assets.ts'
import { notice } from '../components/notice.ts'
import { type Html, html, nothing } from '../html.ts'
import { type AccountPageContext, accountLayout } from './layout.ts'

export interface RecoveryCodesData {
  readonly codes: readonly string[]
  /** Whether the codes come with a first factor; then the page also confirms the factor. */
  readonly isFirst: boolean
  readonly onward: string
}

export function recoveryCodesPage(context: AccountPageContext, data: RecoveryCodesData): Html {
  const words = context.language.messages.recoveryCodes
  return accountLayout(context, {
    section: 'methods',
    title: words.title,
    lead: data.isFirst ? words.leadFirst : words.lead,
    scripts: [formScript],
    content: html`${notice('warning', words.once)}
      <div class="tile">
        <ol class="codes">
          ${data.codes.map((code) => html`<li><code>${code}</code></li>`)}
        </ol>
        <p class="keeping">
          ${keep('copy', words.copy, { done: words.copied })}${keep('save', words.save)}${keep('print', words.print)}
        </p>
      </div>
      <p class="onward"><a class="button primary" id="kept" href="${data.onward}">${words.kept}</a></p>`,
  })
}

/** Hidden without script; the codes can then be copied by hand. */
const keep = (way: 'copy' | 'save' | 'print', text: string, { done }: { readonly done?: string } = {}): Html =>
  html`<button
    type="button"
    class="button plain small"
    id="${way}-codes"
    data-keeps="${way}"
    data-of=".codes code"
    data-file="recovery-codes.txt"
    ${done === undefined ? nothing : html`data-done="${done}"`}
    hidden
  >
    ${text}
  </button>`
