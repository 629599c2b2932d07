/** Pages that are one card: a form that asks for one thing, or an outcome. */
import { formScript } from '../assets/assets.ts'
import { type Html, type Renderable, html, nothing } from '../html.ts'
import { type PageContext, layout } from '../layout.ts'
import { type FormTarget, form } from './form.ts'
import { type IconName, icon } from './icon.ts'
import { errorSummary } from './notice.ts'

/** The error of a form and its field; `shown` where the field itself displays it. */
export interface FieldError {
  readonly field: string
  readonly text: Renderable
  readonly shown: boolean
}

interface FormCard {
  readonly title: string
  readonly lead: string
  readonly error: FieldError | null
  readonly form: FormTarget
  readonly content: Renderable
}

export const formCard = (context: PageContext, { title, lead, error, form: target, content }: FormCard): Html =>
  layout(context, {
    title,
    shape: 'card',
    failed: error !== null,
    scripts: [formScript],
    main: html`<h1>${title}</h1>
      <p class="lead">${lead}</p>
      ${error === null || error.shown ? nothing : errorSummary(context, error.field, error.text)}
      ${form(target, content)}`,
  })

const emblems = { approved: 'check', failed: 'alert', denied: 'info', expired: 'info' } as const satisfies Readonly<
  Record<string, IconName>
>

export type Outcome = keyof typeof emblems

interface OutcomeCard {
  readonly outcome: Outcome
  /** The id of the heading, for scripts and test suites. */
  readonly id: string
  readonly title: string
  readonly lead: string
  /** Content below the lead, such as more text or a link. */
  readonly content?: Renderable
}

export const outcomeCard = (context: PageContext, { outcome, id, title, lead, content }: OutcomeCard): Html =>
  layout(context, {
    title,
    shape: 'card',
    main: html`<p class="emblem ${outcome}">${icon(emblems[outcome])}</p>
      <h1 id="${id}">${title}</h1>
      <p class="lead">${lead}</p>
      ${content}`,
  })

/** A link to the next page. */
export const wayOn = (href: string, text: string, look: 'primary' | 'plain' = 'plain'): Html =>
  html`<p class="onward"><a class="button ${look}" href="${href}">${text}</a></p>`
