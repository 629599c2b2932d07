/** Recovery codes, on the one page that ever shows them. */
import { notice } from '../components/notice.ts'
import { type Html, html } from '../html.ts'
import { type AccountPageContext, accountLayout } from './layout.ts'

export interface RecoveryCodesData {
  readonly codes: readonly string[]
  /** Where they came with a new factor: says that it is there. */
  readonly isFirst: boolean
  readonly onward: string
}

export function recoveryCodesPage(context: AccountPageContext, data: RecoveryCodesData): Html {
  const words = context.language.messages.recoveryCodes
  return accountLayout(context, {
    section: 'methods',
    title: words.title,
    lead: data.isFirst ? words.leadFirst : words.lead,
    content: html`${notice('warning', words.once)}
      <div class="tile narrow">
        <ol class="codes">
          ${data.codes.map((code) => html`<li><code>${code}</code></li>`)}
        </ol>
      </div>
      <p class="onward"><a class="button primary" id="kept" href="${data.onward}">${words.kept}</a></p>`,
  })
}
