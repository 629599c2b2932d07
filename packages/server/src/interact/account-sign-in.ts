/** Signing in to the account pages, and signing in again before a sensitive change. */
import { providerChoice, providerFor, type SecondFactorQuestion, type SignInOutcome } from '@grantor/authority'
import type { FastifyReply } from 'fastify'
import { type Section, sectionPaths } from '../pages/account/layout.ts'
import { passkeyField } from '../pages/components/passkey.ts'
import { type LoginError, loginPage } from '../pages/login.ts'
import { type SecondFactorError, secondFactorPage } from '../pages/second-factor.ts'
import type { Route } from '../routes/route.ts'
import { accountFormPurpose } from './own-account/account-form.ts'
import { goTo, showError, showPage } from './page-answer.ts'
import { problemIn, problemQuery, providerField, sendToProvider } from './providers/departure.ts'
import { type PageRequest, pageRoute } from './page-route.ts'
import { errorAnswer, factorAnswer, factorData, factorError, signInError } from './second-factor-data.ts'
import { rememberLanguage, type Visit } from './visit.ts'

interface AccountSignIn {
  readonly path: '/account/enter' | '/account/confirm'
  /** Whether the second factor is required even in a trusted browser. */
  readonly confirming: boolean
  onward(visit: Visit, section: Section): string
}

const entrance: AccountSignIn = {
  path: '/account/enter',
  confirming: false,
  // Goes on to the address page after a mailed link, otherwise to the page that asked for the sign-in.
  onward: ({ base, links }, section) => `${base}/account${sectionPaths[links.address === null ? section : 'address']}`,
}
const confirmation: AccountSignIn = {
  path: '/account/confirm',
  confirming: true,
  onward: ({ base }) => `${base}/account${sectionPaths.methods}`,
}
export const confirmPath = confirmation.path

const signInOf = (confirming: boolean): AccountSignIn => (confirming ? confirmation : entrance)

/** Where a sign-in to the account goes on after it returns from a provider. */
export const onwardFrom = (visit: Visit, section: Section, confirming: boolean): string =>
  signInOf(confirming).onward(visit, section)

export const secondFactorPath = (visit: Visit, section: Section, confirming: boolean): string =>
  secondFactorAt({ visit, section, signIn: signInOf(confirming) })

interface SignInRequest extends PageRequest {
  readonly signIn: AccountSignIn
  /** The page of the account that asked for the sign-in. */
  readonly section: Section
}

const sectionField = 'section'

/** Only a name from our own list, never a URL. */
const sectionIn = ({ form }: Visit): Section => {
  const named = form.get(sectionField) ?? ''
  return Object.hasOwn(sectionPaths, named) ? (named as Section) : 'apps'
}

/** The first page is the default and needs no parameter. */
const inQuery = (section: Section): Readonly<Record<string, string>> =>
  section === 'apps' ? {} : { [sectionField]: section }

const carried = (section: Section) => (section === 'apps' ? {} : { hidden: inQuery(section) })

/** A browser without a secret of its own gets one with the page, on which the form's CSRF token depends. */
async function showLogin(request: SignInRequest, failed: LoginError | null): Promise<FastifyReply> {
  const { browser, reply, visit, signIn, section } = request
  const { providers, byAddress } = providerChoice(await request.catalogue())
  const error = failed ?? problemIn(visit.form, providers)
  const cookies = browser.nameBrowser(visit.visitor)
  visit.setCookies(reply, cookies)
  const visitor = { ...visit.visitor, browser: cookies.browser ?? visit.visitor.browser }
  const options = await browser.accountSignIn.passkeyQuestion(visitor)
  const target = (path: string) => ({
    ...visit.formTarget(path, accountFormPurpose, cookies.browser),
    ...carried(section),
  })
  const known = signIn.confirming ? (await browser.accounts(visit.visitor)).at(-1)?.person.username : undefined
  const data = {
    form: target(signIn.path),
    client: null,
    username: visit.form.get('username') ?? known ?? visit.lastAccount ?? '',
    again: signIn.confirming,
    error,
    passkey: options === null ? null : { form: target(`${signIn.path}/passkey`), options },
    providers: { form: target(`${signIn.path}/provider`), list: providers, byAddress },
  }
  return showPage(request, loginPage(visit.repeatablePageContext({}, inQuery(section)), data), errorAnswer(error))
}

export const askToSignIn = (request: PageRequest, section: Section): Promise<FastifyReply> =>
  showLogin({ ...request, signIn: entrance, section }, null)

/** A form of the sign-in: a POST is carried out, any other request shows the page. */
const signInRoute = (
  { path, signIn }: { readonly path: string; readonly signIn: AccountSignIn },
  show: (request: SignInRequest) => Promise<FastifyReply> | FastifyReply,
  act: (request: SignInRequest) => Promise<FastifyReply>,
): Route =>
  pageRoute({ path, methods: ['GET', 'POST'] }, async (request) => {
    const { reply, visit, method } = request
    rememberLanguage(reply, visit)
    const at: SignInRequest = { ...request, signIn, section: sectionIn(visit) }
    if (method !== 'POST') return show(at)
    const forged = visit.forged(accountFormPurpose)
    return forged === null ? act(at) : showError(request, forged)
  })

/** Goes on to the account, to the second factor, or back to the login page with the error. */
function afterSignIn(request: SignInRequest, outcome: SignInOutcome): Promise<FastifyReply> | FastifyReply {
  const { reply, visit, signIn, section } = request
  if (!('cookies' in outcome)) return showLogin(request, signInError(outcome))
  visit.setCookies(reply, outcome.cookies)
  visit.rememberAccount(reply)
  return goTo(
    request,
    outcome.did === 'second-factor-pending' ? secondFactorAt(request) : signIn.onward(visit, section),
  )
}

const secondFactorAt = ({ visit, signIn, section }: Pick<SignInRequest, 'visit' | 'signIn' | 'section'>): string =>
  `${visit.base}${signIn.path}/second-factor${section === 'apps' ? '' : `?${sectionField}=${section}`}`

async function showSecondFactor(request: SignInRequest, error: SecondFactorError | null): Promise<FastifyReply> {
  const question = await request.browser.accountSignIn.pendingSecondFactor(request.visit.visitor)
  return question === null ? toLogin(request) : secondFactorAnswer(request, question, error)
}

function secondFactorAnswer(
  request: SignInRequest,
  question: SecondFactorQuestion,
  error: SecondFactorError | null,
): FastifyReply {
  const { visit, signIn, section } = request
  const form = { ...visit.formTarget(`${signIn.path}/second-factor`, accountFormPurpose), ...carried(section) }
  const data = factorData(question, { form, error, sent: visit.form })
  const pageContext = visit.repeatablePageContext({}, inQuery(section))
  return showPage(request, secondFactorPage(pageContext, data), errorAnswer(error))
}

const toLogin = (request: SignInRequest): FastifyReply => {
  const { visit, signIn, section } = request
  return goTo(request, `${visit.base}${signIn.confirming ? signIn.path : `/account${sectionPaths[section]}`}`)
}

async function toProvider(
  request: SignInRequest,
  by: { readonly provider: string; readonly loginHint: string | null },
): Promise<FastifyReply> {
  const { browser, visit, signIn, section } = request
  const left = await browser.accountSignIn.leaveForProvider(
    { ...by, section, confirming: signIn.confirming },
    visit.visitor,
  )
  if (left.did === 'left') return sendToProvider(request, left)
  if (left.did === 'throttled') return showLogin(request, { kind: 'throttled', seconds: left.seconds })
  const back = signIn.confirming ? signIn.path : `/account${sectionPaths[section]}`
  return goTo(request, `${visit.base}${back}?${problemQuery('unavailable', by.provider)}`)
}

const routesOf = (signIn: AccountSignIn): readonly Route[] => [
  signInRoute(
    { path: signIn.path, signIn },
    // The URL of a refused sign-in, opened again.
    (request) => (signIn.confirming ? showLogin(request, null) : toLogin(request)),
    async (request) => {
      const { form, visitor } = request.visit
      const credentials = { username: form.get('username') ?? '', password: form.get('password') ?? '' }
      const { accountSignIn } = request.browser
      const catalogue = await request.catalogue()
      const provider = providerFor(credentials.username, catalogue)
      if (provider !== null) return toProvider(request, { provider, loginHint: credentials.username.trim() })
      const { confirming } = signIn
      return afterSignIn(request, await accountSignIn.byPassword({ ...credentials, confirming, catalogue }, visitor))
    },
  ),
  signInRoute({ path: `${signIn.path}/provider`, signIn }, toLogin, (request) =>
    toProvider(request, { provider: request.visit.form.get(providerField) ?? '', loginHint: null }),
  ),
  signInRoute({ path: `${signIn.path}/passkey`, signIn }, toLogin, async (request) => {
    const text = request.visit.form.get(passkeyField) ?? ''
    return afterSignIn(request, await request.browser.accountSignIn.byPasskey(text, request.visit.visitor))
  }),
  signInRoute(
    { path: `${signIn.path}/second-factor`, signIn },
    (request) => showSecondFactor(request, null),
    async (request) => {
      const { form, visitor } = request.visit
      const { accountSignIn } = request.browser
      if (form.get('start-over') !== undefined) {
        request.visit.setCookies(request.reply, accountSignIn.startOver(visitor))
        return toLogin(request)
      }
      const outcome = await accountSignIn.bySecondFactor(factorAnswer(form), visitor)
      return 'cookies' in outcome
        ? afterSignIn(request, outcome)
        : showSecondFactor(request, factorError(signInError(outcome)))
    },
  ),
]

export const accountSignInRoutes: readonly Route[] = [...routesOf(entrance), ...routesOf(confirmation)]
