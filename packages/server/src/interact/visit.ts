/** A visit: the request of a person's browser, read once, with the CSRF check of forms and the context of its pages. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Authority, CookieChanges, DisplayedClient, Visitor } from '@grantor/authority'
import { type Form, parseForm, type Refusal } from '@grantor/protocol/oauth'
import { isLanguageTag, uiLocales } from '@grantor/protocol/oidc'
import { ok, type Result } from '@grantor/protocol/result'
import type { Secret, TenantId } from '@grantor/protocol/types'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { defaultTenant } from '../issuer.ts'
import { csrfField, type FormTarget } from '../pages/components/form.ts'
import { acceptedLanguages, chooseLanguage } from '../pages/language/index.ts'
import type { PageContext } from '../pages/layout.ts'
import type { TenantPages } from '../pages/theme/page-theme.ts'
import { clientTheme } from '../pages/theme/tenant-theme.ts'
import type { RouteContext } from '../routes/route.ts'
import {
  accountCookie,
  type Cookies,
  languageCookie,
  linkCookie,
  type LinkPurpose,
  readCookies,
  cookieHeaders,
} from './cookies.ts'

/** How a step's page is shown: in which languages, and for which client. */
export interface ShownStep {
  readonly uiLocales?: readonly string[]
  readonly client?: Pick<DisplayedClient, 'colours'>
}

export interface Visit {
  readonly tenant: TenantId
  readonly visitor: Visitor
  /** The form of a POST, the query of a GET. */
  readonly form: Form
  /** The prefix of our own paths: '' or '/t/{tenant}'. */
  readonly base: string
  /** The server's scheme, host and port. */
  readonly origin: string
  pageContext(step?: ShownStep): PageContext
  /** For a page that a GET of the same path with these parameters shows again, even if this request was a POST. */
  repeatablePageContext(step?: ShownStep, query?: Readonly<Record<string, string>>): PageContext
  /** For a page that is shown only once, on the way out, so it does not offer other languages. */
  leavingPageContext(): PageContext
  /** `browser`: the browser's secret, where this same answer sets it. */
  formTarget(path: string, purpose: string, browser?: Secret): FormTarget
  /** The refusal of a form that was not sent from a page of ours in this browser; null if it was. */
  forged(purpose: string): Refusal | null
  setCookies(reply: FastifyReply, changes: CookieChanges): void
  /** The username last used to sign in here; null where there is none. */
  readonly lastAccount: string | null
  /** Remembers the username in the form of a sign-in. */
  rememberAccount(reply: FastifyReply): void
  /** Secrets of the mailed links that this browser followed. */
  readonly links: Cookies['links']
  setLinkCookie(reply: FastifyReply, purpose: LinkPurpose, secret: Secret | null): void
}

interface VisitContext extends Pick<RouteContext, 'responder' | 'issuer'> {
  readonly browser: Pick<Authority['browser'], 'mail'>
  /** What the tenant offers in addition to passwords. */
  readonly pages: Pick<TenantPages, 'signUp' | 'signInLinks'>
}

export function visitOf(request: FastifyRequest, context: VisitContext): Result<Visit, Refusal> {
  const { responder, issuer, browser, pages } = context
  const named = responder.tenant(request)
  if (named.kind === 'error') return named
  const tenant = named.value
  // A POST without a body has no parameters; those in its URL are not read.
  const sent = request.method === 'POST' ? (request.body ?? parseForm('')) : parseForm(queryOf(request))
  const read = sent as Result<Form, Refusal>
  if (read.kind === 'error') return read
  const form = read.value
  const { headers } = request
  const cookies = readCookies(headers.cookie, tenant)
  const base = tenant === defaultTenant ? '' : `/t/${tenant}`
  const visitor: Visitor = {
    tenant,
    browser: cookies.browser,
    sessions: cookies.sessions,
    pendingSecondFactor: cookies.pendingSecondFactor,
    remembered: cookies.remembered,
    ip: request.remote.ip,
    userAgent: headers['user-agent'] ?? null,
    traceId: responder.traceId(request),
  }
  const origin = issuer.origin()
  const mail = browser.mail === null ? {} : { mail: linksOfMailPages(base, pages) }
  const pageContext = ({ uiLocales = [], client }: ShownStep = {}): PageContext => {
    const preferred = [...(cookies.language === null ? [] : [cookies.language]), ...uiLocales]
    const context = { ...pageContextOf({ request, form, preferred }), ...mail }
    return client === undefined ? context : { ...context, theme: clientTheme(context.theme, client.colours) }
  }
  return ok({
    tenant,
    visitor,
    form,
    base,
    origin,
    pageContext,
    repeatablePageContext: (step, query = {}) => ({
      ...pageContext(step),
      languageLinks: languageLinks(query),
    }),
    lastAccount: cookies.lastAccount,
    rememberAccount: (reply) => {
      const header = accountCookie(form.get('username') ?? '', tenant)
      if (header !== null) reply.header('set-cookie', header)
    },
    leavingPageContext: () => ({ ...pageContext(), languageLinks: [] }),
    formTarget: (path, purpose, browser) => ({
      action: `${base}${path}`,
      csrf: csrfOf(browser ?? cookies.browser, purpose),
    }),
    forged: (purpose) =>
      isOwnForm(request, { origin, expected: csrfOf(cookies.browser, purpose), form }) ? null : forgedForm,
    setCookies: (reply, changes) => void reply.header('set-cookie', cookieHeaders(changes, tenant)),
    links: cookies.links,
    setLinkCookie: (reply, purpose, secret) => void reply.header('set-cookie', linkCookie(purpose, secret, tenant)),
  })
}

/** Links to the pages that need mail; used only where the server can send it. */
const linksOfMailPages = (base: string, { signUp, signInLinks }: VisitContext['pages']) => ({
  forgotHref: `${base}/forgot-password`,
  ...(signUp ? { signUpHref: `${base}/sign-up` } : {}),
  ...(signInLinks ? { signInLinkHref: `${base}/sign-in-link` } : {}),
})

const forgedForm: Refusal = { reason: 'form_forged' }

const queryOf = ({ raw: { url = '' } }: FastifyRequest): string =>
  url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''

interface LanguageInputs {
  readonly request: FastifyRequest
  readonly form: Form
  readonly preferred: readonly string[]
}

function pageContextOf({ request, form, preferred }: LanguageInputs): PageContext {
  const asked = form.get('lang')
  const accepted = acceptedLanguages(request.headers['accept-language'] ?? '')
  const language = chooseLanguage([...(asked === undefined ? [] : [asked]), ...preferred, ...accepted])
  // Only a page that a link can reach again may offer other languages. The link has no path, because the request target
  // may be an absolute URL, and not ours.
  const links = request.method === 'GET' ? languageLinks({}) : []
  return { base: '', theme: request.theme ?? request.server.theme, language, languageLinks: links }
}

const languageLinks = (query: Readonly<Record<string, string>>) =>
  uiLocales.map((tag) => ({
    tag,
    href: `?${new URLSearchParams({ lang: tag, ...query }).toString()}`,
  }))

/**
 * The CSRF token, derived from the browser's secret: other sites can neither read nor guess it, and it is not stored.
 */
const csrfOf = (browser: Secret | null, purpose: string): string =>
  browser === null ? '' : createHmac('sha256', browser).update(`csrf ${purpose}`).digest('base64url')

interface FormProof {
  readonly origin: string
  readonly expected: string
  readonly form: Form
}

/** The CSRF token decides; the headers about the form's origin can only refuse it. */
function isOwnForm({ headers }: FastifyRequest, { origin, expected, form }: FormProof): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (headers.origin !== undefined && headers.origin !== 'null' && headers.origin !== origin) return false
  const token = Buffer.from(form.get(csrfField) ?? '')
  const expectedToken = Buffer.from(expected)
  const isComparable = expectedToken.length > 0 && token.length === expectedToken.length
  return isComparable && timingSafeEqual(token, expectedToken)
}

/** Remembers the language a person chose by its link. */
export function rememberLanguage(reply: FastifyReply, visit: Visit): void {
  const asked = visit.form.get('lang')
  if (asked !== undefined && isLanguageTag(asked)) reply.header('set-cookie', languageCookie(asked))
}
