/** The layout around every page: one document, one h1, its landmarks, its language. */
import type { LanguageTag } from '@grantor/protocol/oidc'
import { type Asset, assetFolder, mark, stylesheet } from './assets/assets.ts'
import { icon } from './components/icon.ts'
import { type Html, html, nothing } from './html.ts'
import { type Language, languages } from './language/index.ts'
import type { PageTheme } from './theme/theme.ts'

/** The context that all parts of a page share. */
export interface PageContext {
  /** The prefix of /assets and /problems: '' or, behind a proxy, '/auth'; the same for all tenants. */
  readonly base: string
  readonly theme: PageTheme
  readonly language: Language
  /** URLs of this page in other languages; the switch is hidden where there are none. */
  readonly languageLinks: readonly { readonly tag: LanguageTag; readonly href: string }[]
  /** Links to pages that need mail; absent where the server cannot send it. */
  readonly mail?: { readonly forgotHref: string; readonly signUpHref?: string; readonly signInLinkHref?: string }
}

export interface PageContent {
  readonly title: string
  readonly main: Html
  /** `card` in the middle for one decision; `wide` for pages to read or work in. */
  readonly shape: 'card' | 'wide'
  /** Whether something must be corrected; then the title says so for screen readers. */
  readonly failed?: boolean
  readonly scripts?: readonly Asset[]
  readonly head?: Html
  readonly navigation?: Html
}

export const assetAddress = (context: PageContext, asset: Pick<Asset, 'name'>): string =>
  `${context.base}${assetFolder}/${asset.name}`

export function layout(context: PageContext, page: PageContent): Html {
  const { language, theme } = context
  const words = language.messages.layout
  const title = words.pageTitle(page.title, theme.name)
  return html`<!doctype html>
    <html lang="${language.tag}" dir="${language.direction}">
      <head>
        <meta charset="utf-8" />
        <title>${page.failed === true ? words.errorTitle(title) : title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <link rel="icon" href="${assetAddress(context, mark)}" type="image/svg+xml" />
        <link rel="stylesheet" href="${assetAddress(context, stylesheet)}" />
        ${theme.stylesheet === null ? nothing : html`<link rel="stylesheet" href="${assetAddress(context, theme.stylesheet)}" />`}
        ${page.head}${page.scripts?.map((script) => html`<script src="${assetAddress(context, script)}" defer></script>`)}
      </head>
      <body class="${page.shape}">
        <a class="skip" href="#main">${words.skip}</a>
        <header class="brand">
          <p class="brand-name">
            <img src="${assetAddress(context, theme.logo)}" alt="" height="32" /><span>${theme.name}</span>
          </p>
          ${page.navigation}
        </header>
        <main id="main" tabindex="-1">${page.main}</main>
        <footer>${languageSwitch(context)}</footer>
      </body>
    </html> `
}

/** Every language by its own name, behind the one that is shown; without script, too. */
function languageSwitch({ language, languageLinks }: PageContext): Html {
  if (languageLinks.length === 0) return nothing
  const { layout: words } = language.messages
  return html`<nav class="languages" aria-label="${words.languages}">
    <details>
      <summary>${icon('globe')}<span class="unseen">${words.languages}</span> ${language.name}</summary>
      <ul>
        ${languageLinks.map(({ tag, href }) => {
          const { name, direction } = languages[tag]
          const current = tag === language.tag ? html`aria-current="true"` : nothing
          return html`<li>
            <a href="${href}" lang="${tag}" hreflang="${tag}" dir="${direction}" ${current}>${name}</a>
          </li>`
        })}
      </ul>
    </details>
  </nav>`
}
