/** Every state of every page, with sample data, served on loopback under its real headers. */
import { type RequestListener, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Headers,
  type Html,
  type Language,
  type PageNeeds,
  activityPage,
  addressPage,
  appsPage,
  authenticatorPage,
  assetFolder,
  assetHeaders,
  assets,
  chooseAccountPage,
  consentPage,
  continuePage,
  deviceDonePage,
  deviceEntryPage,
  errorPage,
  themeFiles,
  forgotPasswordPage,
  formPostPage,
  frontChannelLogoutPage,
  landingPage,
  languages,
  linkGonePage,
  linkSentPage,
  loginPage,
  logoutPage,
  pageHeaders,
  passwordPage,
  passwordResetPage,
  problemIndexPage,
  problemOf,
  problemPage,
  recoveryCodesPage,
  secondFactorPage,
  signInMethodsPage,
  publicPageHeaders,
  newPasswordPage,
  resetPasswordPage,
  requestsPage,
  sessionsPage,
  signedOutPage,
  unredirectedPage,
  accountEndedPage,
  ownDataPage,
  profilePage,
  invitationGonePage,
  newAccountPage,
  followedLinkPage,
  linkOfAnotherBrowserPage,
  signInLinkPage,
  signInLinkSentPage,
  signUpPage,
  signUpRefusedPage,
  signUpSentPage,
  termsPage,
  unknownProblemPage,
} from '@grantor/server/pages'
import { mailHeaders, mails } from './mails.ts'
import * as c from './consent-samples.ts'
import { pseudoLanguage } from './pseudo-language.ts'
import * as s from './samples.ts'

export interface GalleryPage {
  readonly name: string
  readonly page: Pick<Html, 'text'>
  readonly headers: Headers
  /** Its script goes on to another page as soon as it runs. */
  readonly leaves: boolean
}

const state = (name: string, page: Html, needs: PageNeeds = {}): GalleryPage => ({
  name,
  page,
  headers: pageHeaders(needs),
  leaves: false,
})
const open = (name: string, page: Html): GalleryPage => ({ name, page, headers: publicPageHeaders(), leaves: false })

const leaving = (shown: GalleryPage): GalleryPage => ({ ...shown, leaves: true })

const redirect = { formTargets: ['https://print.example.com/cb'], opened: true }
const client = { ...c.consent.client, logo: null }
const login = { form: s.target, client, username: '', again: false, error: null, passkey: s.passkey }
export const accounts = [
  { reference: 'a1', name: 'Alice Doe', username: 'alice@example.com', signedIn: true },
  {
    reference: 'a2',
    name: 'Bob of the very long name that will not fit',
    username: 'bob.of.the.very.long.name@subdomain.example.com',
    signedIn: false,
  },
]
const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const problem = problemOf('invalid_grant')
if (problem === null) throw new Error('the gallery shows invalid_grant')

const letter = ({ name, html }: (typeof mails)[number]): GalleryPage => ({
  name,
  page: { text: html },
  headers: mailHeaders,
  leaves: false,
})

/** `elsewhere` is an origin other than the gallery's own: where a client lives that is shown in a frame. */
const statesWith = (elsewhere: string): readonly GalleryPage[] => [
  state('login', loginPage(s.frame(), login), redirect),
  state('login-rejected', loginPage(s.frame(), { ...login, username: 'alice', error: { kind: 'rejected' } }), redirect),
  state(
    'login-throttled',
    loginPage(s.frame('de'), { ...login, error: { kind: 'throttled', seconds: 700 } }),
    redirect,
  ),
  state('login-again', loginPage(s.frame(), { ...login, client: null, username: 'alice', again: true })),
  state('login-providers', loginPage(s.frame(), { ...login, providers: s.providers }), redirect),
  state(
    'login-provider-away',
    loginPage(s.frame('de', s.acme), { ...login, providers: s.providers, error: s.providerAway }),
    redirect,
  ),
  state('login-themed', loginPage(s.frame('en', s.acme), login), redirect),
  state('login-logo', loginPage(s.frame(), { ...login, client: c.consentWithLogo.client }), redirect),
  state('login-de', loginPage(s.frame('de'), login), redirect),
  state('second-factor', secondFactorPage(s.frame(), s.secondFactor), redirect),
  state(
    'second-factor-rejected',
    secondFactorPage(s.frame('de'), { ...s.secondFactor, passkey: null, typed: 'otp', error: { kind: 'rejected' } }),
    redirect,
  ),
  state(
    'second-factor-recovery-rejected',
    secondFactorPage(s.frame(), { ...s.secondFactor, typed: 'recovery_code', error: { kind: 'rejected' } }),
    redirect,
  ),
  state('second-factor-passkey', secondFactorPage(s.frame(), { ...s.secondFactor, passkeyOnly: true }), redirect),
  state(
    'choose-account',
    chooseAccountPage(s.frame(), { form: s.target, client: 'Photo Printer', accounts }),
    redirect,
  ),
  state('choose-account-de', chooseAccountPage(s.frame('de'), { form: s.target, client: null, accounts }), redirect),
  state('consent-logo', consentPage(s.frame(), c.consentWithLogo), redirect),
  state('consent-long', consentPage(s.frame(), c.consentLong), redirect),
  state('consent', consentPage(s.frame(), c.consent), redirect),
  state('consent-details', consentPage(s.frame(), c.consentDetails), redirect),
  state('consent-details-hostile', consentPage(s.frame('de'), c.consentDetailsHostile), redirect),
  state('consent-de', consentPage(s.frame('de'), c.consentGerman), { formTargets: ['de.beispiel.rechnung:/cb'] }),
  state('consent-step-up', consentPage(s.frame(), c.stepUp), redirect),
  state('consent-loopback', consentPage(s.frame(), c.loopback), { formTargets: ['http://127.0.0.1:33418/cb'] }),
  state('consent-again', consentPage(s.frame(), c.again), { formTargets: ['http://127.0.0.1:33418/cb'] }),
  state('consent-again-de', consentPage(s.frame('de'), c.again), { formTargets: ['http://127.0.0.1:33418/cb'] }),
  state('consent-device', consentPage(s.frame(), c.onDevice)),
  state('consent-device-de', consentPage(s.frame('de'), c.onDevice)),
  state('consent-hostile', consentPage(s.frame(), c.hostile)),
  state('consent-themed', consentPage(s.frame('en', s.acme), c.consent), redirect),
  state('device', deviceEntryPage(s.frame(), { form: s.target, userCode: '', prefilled: false, error: null })),
  state(
    'device-prefilled',
    deviceEntryPage(s.frame(), { form: s.target, userCode: 'WDJB-MJHT', prefilled: true, error: null }),
  ),
  state(
    'device-unknown',
    deviceEntryPage(s.frame('de'), { form: s.target, userCode: 'WDJB', prefilled: false, error: { kind: 'unknown' } }),
  ),
  state(
    'device-throttled',
    deviceEntryPage(s.frame(), {
      form: s.target,
      userCode: 'WDJB-MJHT',
      prefilled: false,
      error: { kind: 'throttled', seconds: 60 },
    }),
  ),
  state(
    'device-approved',
    deviceDonePage(s.frame(), { kind: 'approved', client: 'Living room TV', account: '/account' }),
  ),
  state('device-denied', deviceDonePage(s.frame(), { kind: 'denied', client: 'Living room TV', account: '/account' })),
  state('device-expired', deviceDonePage(s.frame('de'), { kind: 'expired', startOver: '/device' })),
  state('landing', landingPage(s.frame(), { issuerPath: '', steps: [] })),
  state('landing-demo', landingPage(s.frame('de'), s.landing)),
  state('logout', logoutPage(s.frame(), { form: s.target, client: null })),
  state('logout-asked', logoutPage(s.frame('de'), { form: s.target, client: 'Photo Printer' })),
  state('unredirected-refused', unredirectedPage(s.frame(), c.unredirected)),
  state('unredirected-denied-de', unredirectedPage(s.frame('de'), c.unredirectedForm), { formTargets: 'anywhere' }),
  state('unredirected-signed-out', unredirectedPage(s.frame(), c.unredirectedSignOut)),
  state(
    'signed-out',
    signedOutPage(s.frame(), {
      back: { client: 'Photo Printer', href: 'https://print.example.com/bye' },
      signIn: '/account',
    }),
  ),
  leaving(
    state(
      'front-channel-logout',
      frontChannelLogoutPage(s.frame(), { frames: [`${elsewhere}/frame?sid=1`], onward: '/nothing' }),
      { frames: [elsewhere] },
    ),
  ),
  leaving(
    state('continue', continuePage(s.frame('de'), { href: 'com.example.app:/cb?code=gc_sample' }), { opened: true }),
  ),
  leaving(
    state(
      'form-post',
      formPostPage(s.frame(), {
        action: 'https://print.example.com/cb',
        parameters: [
          ['code', 'gc_sample'],
          ['state', '"x"'],
        ],
      }),
    ),
  ),
  state('error-client', errorPage(s.frame(), { kind: 'client', code: 'invalid_request', traceId: trace })),
  state('error-redirect', errorPage(s.frame(), { kind: 'redirect', code: 'invalid_request', traceId: trace })),
  state('error-missing-de', errorPage(s.frame('de'), { kind: 'missing', code: 'invalid_request', traceId: trace })),
  state(
    'error-redirect-local',
    errorPage(s.frame(), { kind: 'redirect', code: 'invalid_request', traceId: trace, sent: s.sent }),
  ),
  state('error-not-found', errorPage(s.frame(), { kind: 'not_found', code: null, traceId: trace })),
  state('error-internal-de', errorPage(s.frame('de'), { kind: 'internal', code: null, traceId: trace })),
  state('error-elsewhere', errorPage(s.frame(), { kind: 'elsewhere', code: null, traceId: null })),
  open('problem', problemPage(s.frame(), problem)),
  open('problem-de', problemPage(s.frame('de'), problem)),
  open('problem-unknown', unknownProblemPage(s.frame())),
  open('problems', problemIndexPage(s.frame())),
  state('account-methods', signInMethodsPage(s.accountFrame('en', 'passkey_added'), s.methods)),
  state('account-methods-de', signInMethodsPage(s.accountFrame('de'), { ...s.methods, failed: 'passkey' })),
  state('account-methods-none', signInMethodsPage(s.accountFrame(), s.noMethods)),
  state(
    'account-methods-confirm',
    signInMethodsPage(s.accountFrame(), { ...s.methods, confirmHref: '/nothing', addPasskey: null }),
  ),
  state('account-authenticator', authenticatorPage(s.accountFrame(), s.authenticator)),
  state('account-authenticator-wrong', authenticatorPage(s.accountFrame('de'), { ...s.authenticator, failed: true })),
  state('account-recovery-codes', recoveryCodesPage(s.accountFrame(), s.recoveryCodes)),
  state('account-recovery-codes-de', recoveryCodesPage(s.accountFrame('de'), { ...s.recoveryCodes, isFirst: false })),
  state('account-apps', appsPage(s.accountFrame(), { form: s.target, apps: s.apps, further: null, now: s.now })),
  state(
    'account-apps-de',
    appsPage(
      { ...s.accountFrame('de', 'access_removed'), stopsWithin: 55 },
      { form: s.target, apps: s.apps, further: '?after=x', now: s.now },
    ),
  ),
  state('account-apps-none', appsPage(s.accountFrame(), { form: s.target, apps: [], further: null, now: s.now })),
  state('account-requests', requestsPage(s.accountFrame(), { ...s.noRequests, request: c.request })),
  state(
    'account-requests-de',
    requestsPage(s.accountFrame('de'), {
      ...s.noRequests,
      request: c.hostileRequest,
      others: c.otherRequests,
      hasUserCode: true,
    }),
  ),
  state(
    'account-requests-none',
    requestsPage(s.accountFrame('en', 'request_gone'), { ...s.noRequests, error: 'malformed' }),
  ),
  state(
    'request-approved',
    deviceDonePage(s.frame(), { kind: 'requestApproved', client: 'Corner Shop', allRequests: '/account/requests' }),
  ),
  state('request-expired', deviceDonePage(s.frame('de'), { kind: 'requestExpired', allRequests: '/account/requests' })),
  state(
    'account-sessions',
    sessionsPage(s.accountFrame(), { form: s.target, sessions: s.sessions, older: null, now: s.now }),
  ),
  state(
    'account-sessions-many',
    sessionsPage(s.accountFrame('de'), { form: s.target, sessions: s.sessions, older: '?before=1.a', now: s.now }),
  ),
  state('account-password', passwordPage(s.accountFrame(), s.ownPassword)),
  state('account-password-wrong', passwordPage(s.accountFrame('de'), { ...s.ownPassword, error: 'wrong' })),
  state('account-profile', profilePage(s.accountFrame('en', 'profile_saved'), s.profile)),
  state('account-profile-de', profilePage(s.accountFrame('de'), { ...s.profile, wrong: 'zoneinfo' })),
  state('account-password-none', passwordPage(s.accountFrame('de'), { ...s.ownPassword, hasPassword: false })),
  state('account-data', ownDataPage(s.accountFrame(), s.ownData)),
  state('account-data-de', ownDataPage(s.accountFrame('de'), { ...s.ownData, error: 'stale' })),
  state('account-data-ar', ownDataPage(s.accountFrame('ar'), { ...s.ownData, hasPassword: false, error: 'lastOwner' })),
  state('account-ended', accountEndedPage(s.frame(), { dueAt: s.ownData.dueAt, signIn: '/account' })),
  state('account-address', addressPage(s.accountFrame('en', 'check_sent'), s.address)),
  state(
    'account-address-pending-de',
    addressPage(s.accountFrame('de'), {
      ...s.address,
      verified: false,
      pending: 'neue-adresse@sehr-langer-name.example',
    }),
  ),
  state(
    'account-address-gone',
    addressPage(s.accountFrame(), {
      ...s.address,
      email: null,
      hasPassword: false,
      linkGone: true,
      typed: 'nobody',
      error: 'malformed',
    }),
  ),
  state('forgot-password', forgotPasswordPage(s.frame(), { ...s.forgot, username: '', throttled: null })),
  state('forgot-password-de', forgotPasswordPage(s.frame('de'), { ...s.forgot, username: 'alice', throttled: 700 })),
  state('forgot-password-sent', linkSentPage(s.frame(), { signIn: '/account' })),
  state('forgot-password-sent-de', linkSentPage(s.frame('de'), { signIn: '/account' })),
  state('reset-password', resetPasswordPage(s.frame(), { ...s.newPassword, error: null })),
  state('reset-password-de', resetPasswordPage(s.frame('de', s.acme), { ...s.newPassword, error: 'short' })),
  state('new-password', newPasswordPage(s.frame(), { ...s.newPassword, error: null })),
  state('new-password-de', newPasswordPage(s.frame('de', s.acme), { ...s.newPassword, error: 'same' })),
  state('login-sign-up', loginPage({ ...s.frame(), mail: s.signUpMail }, login), redirect),
  state('sign-in-link', signInLinkPage(s.frame(), { ...s.signUp, username: '', throttled: null })),
  state('sign-in-link-de', signInLinkPage(s.frame('de'), { ...s.signUp, username: 'alice', throttled: 700 })),
  state('sign-in-link-sent', signInLinkSentPage(s.frame(), { signIn: '/account' })),
  state(
    'sign-in-link-finish',
    followedLinkPage(s.frame(), { form: s.signUp.form, username: 'alice', throttled: null }),
  ),
  state(
    'sign-in-link-finish-ar',
    followedLinkPage(s.frame('ar'), { form: s.signUp.form, username: 'alice', throttled: 60 }),
  ),
  state('sign-in-link-elsewhere', linkOfAnotherBrowserPage(s.frame('fr'), { again: '/sign-in-link' })),
  state('sign-up', signUpPage(s.frame(), { ...s.signUp, email: '', error: null })),
  state('sign-up-de', signUpPage(s.frame('de'), { ...s.signUp, email: 'alice@elsewhere.example', error: 'domain' })),
  state(
    'sign-up-throttled',
    signUpPage(s.frame('ar'), { ...s.signUp, email: 'a@example.com', error: { throttled: 700 } }),
  ),
  state('sign-up-sent', signUpSentPage(s.frame(), { signIn: '/account' })),
  state('sign-up-refused', signUpRefusedPage(s.frame(), { signIn: '/account', onward: null })),
  state(
    'sign-up-step-ar',
    signUpRefusedPage(s.frame('ar'), { signIn: '/account', onward: 'https://challenge.example/' }),
  ),
  state('new-account', newAccountPage(s.frame(), { ...s.newAccount, error: null })),
  state('new-account-de', newAccountPage(s.frame('de', s.acme), { ...s.newAccount, error: 'terms' })),
  state('new-account-name', newAccountPage(s.frame('ja'), { ...s.newAccount, terms: null, error: 'name' })),
  state('invitation-gone', invitationGonePage(s.frame(), { signIn: '/account' })),
  state('terms', termsPage(s.frame(), { form: s.target, terms: s.terms, missing: false }), redirect),
  state('terms-de', termsPage(s.frame('de'), { form: s.target, terms: s.terms, missing: true }), redirect),
  state('reset-password-done', passwordResetPage(s.frame('de'), { signIn: '/account' })),
  state('reset-password-gone', linkGonePage(s.frame(), { again: '/forgot-password' })),
  ...mails.map(letter),
  state('account-activity', activityPage(s.accountFrame(), { ...s.activity, older: '?before=1' })),
  state('account-activity-de', activityPage(s.accountFrame('de'), { ...s.activity, group: 'sign_in' })),
]

export interface ServedGallery {
  readonly origin: string
  readonly states: readonly GalleryPage[]
  /** The same states, in a language that nobody speaks and in one that runs from right to left. */
  readonly pseudo: readonly GalleryPage[]
  readonly rightToLeft: readonly GalleryPage[]
  close(): Promise<void>
}

export async function serveGallery(): Promise<ServedGallery> {
  const server = createServer()
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  // The same server under another name is another origin, as a client would be.
  const elsewhere = `http://localhost:${port}`
  const states = statesWith(elsewhere)
  const all = (language: Language): readonly GalleryPage[] =>
    s
      .inLanguage(language, () => statesWith(elsewhere))
      // A mail has its own language.
      .filter(({ name }) => !name.startsWith('mail-'))
      .map((shown) => ({ ...shown, name: `${language.tag}/${shown.name}` }))
  const pseudo = all(pseudoLanguage)
  const rightToLeft = all(languages.ar)
  server.on('request', answerWith([...states, ...pseudo, ...rightToLeft]))
  return {
    origin: `http://127.0.0.1:${port}`,
    states,
    pseudo,
    rightToLeft,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

/** Everything the look must see, so that it is known to look. */
const defective = `<!doctype html><html lang="en"><title>Defective</title><main><h1>Defective</h1>
<form><input name="unlabelled"></form><p style="color:red">inline</p><pre>${'wide '.repeat(200)}</pre></main></html>`

function answerWith(states: readonly GalleryPage[]): RequestListener {
  const pages = new Map(states.map((shown) => [`/${shown.name}`, shown]))
  const files = new Map(
    [...assets.values(), ...themeFiles(s.acme)].map((asset) => [`${assetFolder}/${asset.name}`, asset]),
  )
  return (request, response) => {
    const path = URL.parse(request.url ?? '/', 'http://gallery')?.pathname ?? '/'
    const page = pages.get(path)
    const file = files.get(path)
    if (page !== undefined) response.writeHead(200, page.headers).end(page.page.text)
    else if (file !== undefined) response.writeHead(200, assetHeaders(file.contentType)).end(file.bytes)
    else if (path === '/logos') response.writeHead(200, assetHeaders('image/png')).end(c.logo)
    else if (path === '/defective') response.writeHead(200, pageHeaders()).end(defective)
    else if (path === '/frame') response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')
    // Forms lead nowhere: 204 leaves the browser on the page it shows.
    else response.writeHead(path === '/nothing' ? 204 : 404).end()
  }
}

if (import.meta.main) {
  const { origin, states } = await serveGallery()
  process.stdout.write(states.map((shown) => `${origin}/${shown.name}\n`).join(''))
}
