/** The terms of use: where they are read, and the box that says that one agrees. */
import type { Terms } from '@grantor/protocol/people'
import { type FormTarget, button, form } from '../components/form.ts'
import { errorSummary } from '../components/notice.ts'
import { type Html, html } from '../html.ts'
import { type PageContext, layout } from '../layout.ts'

/** Its value is the version that was read. */
export const termsField = 'terms'

export interface TermsData {
  readonly form: FormTarget
  readonly terms: Terms
  /** Sent without agreeing. */
  readonly missing: boolean
}

/** The form sends `terms`. */
export function termsPage(context: PageContext, data: TermsData): Html {
  const words = context.language.messages.terms
  return layout(context, {
    title: words.title,
    shape: 'card',
    failed: data.missing,
    main: html`<h1>${words.title}</h1>
      <p class="lead">${words.lead}</p>
      ${errorSummary(context, termsField, data.missing ? words.required : null)}
      ${form(data.form, [
        termsFields(context, data.terms),
        button({ name: 'agree', text: words.submit, look: 'primary' }),
      ])}`,
  })
}

export function termsFields(context: PageContext, { version, url }: Terms): Html {
  const words = context.language.messages.terms
  return html`<p><a href="${url}" target="_blank" rel="noopener noreferrer">${words.read(version)}</a></p>
    <p class="tick">
      <input type="checkbox" id="${termsField}" name="${termsField}" value="${version}" required />
      <label for="${termsField}">${words.agree}</label>
    </p>`
}
