/** The layout of the account pages: the account, the navigation, and a notice about the last action. */
import type { Asset } from '../assets/assets.ts'
import { avatar } from '../components/avatar.ts'
import { type FormTarget, button, form } from '../components/form.ts'
import { notice } from '../components/notice.ts'
import { type Html, html, nothing } from '../html.ts'
import type { Messages } from '../language/en.ts'
import { type PageContext, layout } from '../layout.ts'

export type Section =
  | 'apps'
  | 'requests'
  | 'sessions'
  | 'methods'
  | 'password'
  | 'profile'
  | 'address'
  | 'activity'
  | 'data'

/** The path of each section below the account page of a tenant; `apps` is that page itself. */
export const sectionPaths: Readonly<Record<Section, string>> = {
  apps: '',
  requests: '/requests',
  sessions: '/sessions',
  methods: '/sign-in-methods',
  password: '/password',
  profile: '/profile',
  address: '/address',
  activity: '/activity',
  data: '/data',
}

export interface AccountPageContext extends PageContext {
  /** The address of the account page: /account, or /t/acme/account. */
  readonly home: string
  /** Whether apps can ask by the back channel; not given: they cannot. */
  readonly requests?: boolean
  readonly account: { readonly name: string; readonly username: string }
  /** The form for signing out: pressed on our own page, so no confirmation follows. */
  readonly signOut: FormTarget
  readonly notice: keyof Messages['account']['notices'] | null
  /**
   * Seconds until the last service stops revoked access; 0: all have stopped. Not given: there are none to wait for.
   */
  readonly stopsWithin?: number
}

export interface AccountPageContent {
  readonly section: Section
  /** The title of a page that is one of several in its section. */
  readonly title?: string
  readonly failed?: boolean
  readonly scripts?: readonly Asset[]
  readonly lead: string
  readonly content: Html
}

export function accountLayout(context: AccountPageContext, page: AccountPageContent): Html {
  const words = context.language.messages.account
  return layout(context, {
    title: page.title ?? words[page.section],
    shape: 'wide',
    ...(page.failed === undefined ? {} : { failed: page.failed }),
    ...(page.scripts === undefined ? {} : { scripts: page.scripts }),
    navigation: navigation(context, page.section),
    main: html`<h1>${page.title ?? words[page.section]}</h1>
      <p class="lead">${page.lead}</p>
      ${context.notice === null ? nothing : notice('done', [words.notices[context.notice], stopped(context)])}
      ${page.content}`,
  })
}

/** Whether revoked access has stopped everywhere, in words. */
function stopped({ language, stopsWithin }: AccountPageContext): string {
  if (stopsWithin === undefined) return ''
  const { stopped, stopping } = language.messages.account
  return ` ${stopsWithin === 0 ? stopped : stopping(language.formats.duration(stopsWithin))}`
}

function navigation(context: AccountPageContext, here: Section): Html {
  const words = context.language.messages.account
  const all = Object.entries(sectionPaths) as [Section, string][]
  const served = { address: context.mail !== undefined, requests: context.requests === true }
  const sections = all.filter(([section]) => !(section in served) || served[section as keyof typeof served])
  return html`<div class="signed-in">
      ${avatar(context.account.name)}
      <p class="who"><strong>${context.account.name}</strong><span>${context.account.username}</span></p>
      ${form(context.signOut, button({ name: 'sign-out', text: words.signOut, look: 'link' }))}
    </div>
    <nav class="sections" aria-label="${words.nav}">
      <ul>
        ${sections.map(
          ([section, path]) =>
            html`<li>
              <a href="${context.home}${path}" ${section === here ? html`aria-current="page"` : nothing}
                >${words[section]}</a
              >
            </li>`,
        )}
      </ul>
    </nav>`
}
