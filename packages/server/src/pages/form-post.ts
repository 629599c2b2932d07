/** response_mode=form_post: the answer as a form that a script submits, or its button (OAuth 2.0 Form Post Response Mode §2). */
import { submitScript } from './assets/assets.ts'
import { type Html, html } from './html.ts'
import { type PageContext, layout } from './layout.ts'
import { hostOrScheme } from './components/name.ts'

export interface FormPostData {
  /** The validated redirect URI. */
  readonly action: string
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

/** Not one of our own forms: it goes to the client, so it carries no CSRF token of ours, and its button has no name. */
export function formPostPage(context: PageContext, data: FormPostData): Html {
  const words = context.language.messages.formPost
  return layout(context, {
    title: words.title,
    shape: 'card',
    scripts: [submitScript],
    main: html`<h1>${words.title}</h1>
      <p class="lead">${words.lead(hostOrScheme(data.action))}</p>
      <form method="post" action="${data.action}">
        ${data.parameters.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <button type="submit" class="button primary" autofocus>${words.submit}</button>
      </form>`,
  })
}
