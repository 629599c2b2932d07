/** The terms of use: a link to them, and the box to agree. */
import type { Terms } from '@grantor/protocol/people'
import { formCard } from '../components/card.ts'
import { type FormTarget, button } from '../components/form.ts'
import { type Html, html, nothing } from '../html.ts'
import type { PageContext } from '../layout.ts'

/** The value of the field is the version of the terms. */
export const termsField = 'terms'

export interface TermsData {
  readonly form: FormTarget
  readonly terms: Terms
  /** The form was sent without agreeing. */
  readonly missing: boolean
}

/** The form sends `terms`. */
export function termsPage(context: PageContext, data: TermsData): Html {
  const words = context.language.messages.terms
  return formCard(context, {
    title: words.title,
    lead: words.lead,
    error: data.missing ? { field: termsField, text: words.required, shown: false } : null,
    form: data.form,
    content: [termsFields(context, data.terms, false), button({ name: 'agree', text: words.submit, look: 'primary' })],
  })
}

export function termsFields(context: PageContext, { version, url }: Terms, agreed: boolean): Html {
  const words = context.language.messages.terms
  return html`<p class="document">
      <a href="${url}" target="_blank" rel="noopener noreferrer">${words.read(version)}</a>
    </p>
    <p class="tick">
      <input
        type="checkbox"
        id="${termsField}"
        name="${termsField}"
        value="${version}"
        required
        ${agreed ? html`checked` : nothing}
      />
      <label for="${termsField}">${words.agree}</label>
    </p>`
}
