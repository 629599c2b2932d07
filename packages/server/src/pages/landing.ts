/** The front page of an issuer: what this is, where a person goes from here, and what a demo lets one try. */
import { leftToRight } from './components/direction.ts'
import { type Html, html, nothing } from './html.ts'
import type { Messages } from './language/en.ts'
import { type PageContext, layout } from './layout.ts'

export interface LandingStep {
  readonly does: keyof Messages['landing']['steps']
  /** A shell command, or the URL of a page. */
  readonly line: string
}

/** Set once the demo has started. */
export interface DemoSteps {
  current: readonly LandingStep[]
}

export interface LandingData {
  /** The prefix of our own paths: '' or '/t/{tenant}'. */
  readonly issuerPath: string
  /** Empty outside a demo. */
  readonly steps: readonly LandingStep[]
}

export function landingPage(context: PageContext, { issuerPath, steps }: LandingData): Html {
  const words = context.language.messages.landing
  return layout(context, {
    title: words.title,
    shape: 'wide',
    main: html`<h1>${words.title}</h1>
      <p class="lead">${words.lead}</p>
      <p class="onward">
        <a class="button primary" id="sign-in" href="${issuerPath}/account"
          >${context.language.messages.login.submit}</a
        >
      </p>
      <ul class="cards places">
        ${place(`${issuerPath}/account`, 'account', words.account)}
        ${issuerPath === '' ? place('/console', 'console', words.console) : nothing}
        ${place(`${issuerPath}/.well-known/openid-configuration`, 'discovery', words.discovery)}
        ${place(`${context.base}/problems`, 'problems', words.problems)}
      </ul>
      ${
        steps.length === 0
          ? nothing
          : html`<section>
              <h2>${words.tryIt}</h2>
              <ol class="steps">
                ${steps.map((step) => html`<li>${stepOf(words.steps[step.does], step.line)}</li>`)}
              </ol>
            </section>`
      }`,
  })
}

const place = (href: string, id: string, { title, lead }: { readonly title: string; readonly lead: string }): Html =>
  html`<li class="tile">
    <h2><a id="${id}" href="${href}">${title}</a></h2>
    <p>${lead}</p>
  </li>`

const stepOf = (title: string, line: string): Html =>
  html`<p>${title}</p>
    ${
      line.startsWith('https://')
        ? html`<p><a href="${line}">${leftToRight(line)}</a></p>`
        : html`<pre class="command"><code class="copyable">${line}</code></pre>`
    }`
