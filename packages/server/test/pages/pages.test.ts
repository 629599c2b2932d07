import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  type AccountPageContext,
  type ConsentData,
  type PageContext,
  type Html,
  activityPage,
  addressPage,
  appsPage,
  authenticatorPage,
  chooseAccountPage,
  consentPage,
  consentTextVersion,
  defaultTheme,
  deviceDonePage,
  deviceEntryPage,
  errorPage,
  formPostPage,
  frontChannelLogoutPage,
  languages,
  loginPage,
  newAccountPage,
  logoutPage,
  ownDataPage,
  profilePage,
  passwordPage,
  problemIndexPage,
  recoveryCodesPage,
  resetPasswordPage,
  secondFactorPage,
  signInMethodsPage,
  sessionsPage,
  signedOutPage,
} from '../../src/pages/index.ts'

const now = Date.UTC(2026, 10, 15)
const form = { action: '/interaction/1', csrf: 'token-1' }
const context = (tag: 'en' | 'de' = 'en'): PageContext => ({
  base: '/auth',
  theme: defaultTheme,
  language: languages[tag],
  languageLinks: [{ tag: 'de', href: '?lang=de' }],
})
const account: AccountPageContext = {
  ...context(),
  home: '/auth/account',
  account: { name: 'Alice', username: 'alice' },
  signOut: form,
  notice: null,
}

/** A page of every kind in which every text from outside is `text`. */
const everyPage = (text: string): Readonly<Record<string, Html>> => ({
  login: loginPage(context(), {
    form,
    client: { name: text, logo: text, policyUri: text, termsUri: 'https://client.example/terms' },
    username: text,
    again: false,
    error: { kind: 'rejected' },
    passkey: null,
  }),
  choose: chooseAccountPage(context(), {
    form,
    client: text,
    accounts: [{ reference: text, name: text, username: text, signedIn: false }],
  }),
  consent: consentPage(context(), consentOf(text)),
  deviceEntry: deviceEntryPage(context(), { form, userCode: text, prefilled: true, error: null }),
  deviceDone: deviceDonePage(context(), { kind: 'approved', client: text, account: text }),
  logout: logoutPage(context(), { form, client: text }),
  signedOut: signedOutPage(context(), { back: { client: text, href: text }, signIn: null }),
  frontChannel: frontChannelLogoutPage(context(), { frames: [text], onward: text }),
  formPost: formPostPage(context(), { action: text, parameters: [[text, text]] }),
  error: errorPage(context(), {
    kind: 'client',
    code: text,
    traceId: text,
    sent: { clientId: text, redirectUri: text },
  }),
  problems: problemIndexPage(context()),
  apps: appsPage(account, {
    further: '/account?after=a%22b',
    form,
    now,
    apps: [
      {
        reference: text,
        name: text,
        vouchedBy: 'nobody',
        provenHost: text,
        firstParty: true,
        open: text,
        logo: null,
        scopes: [text],
        resources: [text],
        firstUsedAt: now,
        lastUsedAt: null,
        hasAccess: true,
        endsAt: now,
      },
    ],
  }),
  sessions: sessionsPage(account, {
    older: '/account/sessions?before=1.a',
    form,
    now,
    sessions: [{ reference: text, device: text, address: text, startedAt: now, seenAt: now, current: false }],
  }),
  secondFactor: secondFactorPage(context(), {
    form,
    account: { name: text, username: text },
    otp: true,
    recoveryCodes: 3,
    passkeyOnly: false,
    passkey: { form, options: { challenge: text, rpId: text } },
    rememberFor: 86_400,
    error: { kind: 'throttled', seconds: 60 },
    typed: null,
  }),
  methods: signInMethodsPage(account, {
    form,
    confirmHref: null,
    passkeys: [{ reference: text, name: text, synced: true, createdAt: now, usedAt: now }],
    addPasskey: { form, options: { user: { name: text } }, suggestion: text },
    authenticator: null,
    authenticatorHref: text,
    recoveryCodes: 1,
    browsers: [{ reference: text, device: text, usedAt: now, endsAt: now }],
    failed: 'passkey',
    now,
  }),
  authenticator: authenticatorPage(account, { form, sealed: text, uri: text, secret: text, back: text, failed: true }),
  recoveryCodes: recoveryCodesPage(account, { codes: [text], isFirst: true, onward: text }),
  password: passwordPage(account, { form, leastLength: 12, hasPassword: true, error: 'short' }),
  activity: activityPage(account, {
    events: [{ kind: 'consent.granted', at: now, client: text, address: text, device: text }],
    group: null,
    addressOf: () => text,
    older: text,
    now,
  }),
})

/** Nobody vouches for it. */
const unknown = {
  name: 'x',
  vouchedBy: 'nobody',
  provenHost: null,
  logo: null,
  policyUri: null,
  termsUri: null,
} as const

const consentOf = (text: string, more: Partial<ConsentData> = {}): ConsentData => ({
  form,
  client: {
    ...unknown,
    name: text,
    vouchedBy: 'operator',
    provenHost: text,
    policyUri: text,
    termsUri: 'https://client.example/terms',
  },
  account: { name: text, username: text },
  destination: { kind: 'site', host: text },
  resources: [{ name: text, identifier: text }],
  scopes: [
    { name: 'a:read', text, sensitive: true, optional: false, isNew: false },
    { name: 'b:read', text, sensitive: false, optional: true, isNew: true },
  ],
  details: [{ sentence: ['Pay ', { value: text }, ' now'], others: [{ label: text, value: text }] }],
  alreadyDetails: [],
  already: [],
  again: false,
  lifetime: { access: 600, lasting: null },
  accountHref: '/auth/account',
  now,
  ...more,
})

const count = (page: Html, pattern: RegExp): number => [...page.text.matchAll(pattern)].length

/** The names of elements, in order: the skeleton that text from outside must never change. */
const skeleton = (page: Html): string => [...page.text.matchAll(/<\/?[a-z][a-z0-9]*/gi)].join('')

test('no text from outside changes the skeleton of any page', () => {
  const plain = everyPage('x')
  const nasty = fc.string({
    unit: fc.constantFrom('<', '>', '"', "'", '`', '=', '&', '/', ' ', 'script', 'onload', '\n', 'x'),
  })
  fc.assert(
    fc.property(nasty, (text) => {
      const shown = everyPage(`x${text}`)
      for (const [name, page] of Object.entries(shown)) {
        assert.equal(skeleton(page), skeleton(plain[name] as Html), name)
      }
    }),
    { numRuns: 60 },
  )
})

describe('every page', () => {
  for (const [name, page] of Object.entries(everyPage('x'))) {
    test(`${name} has one h1, its landmarks, a language and nothing inline`, () => {
      assert.equal(count(page, /<h1[\s>]/g), 1)
      assert.equal(count(page, /<main[\s>]/g), 1)
      assert.match(page.text, /^<!doctype html>\s*<html lang="en" dir="ltr">/)
      assert.doesNotMatch(page.text, /<style|\sstyle=|\son[a-z]+=|<script(?! src="\/auth\/assets\/)/)
      assert.doesNotMatch(page.text, /undefined|\[object/)
    })

    test(`${name} posts its forms with the token, and gives no id twice`, () => {
      const forms = [...page.text.matchAll(/<form[^>]*>[\s\S]*?<\/form>/g)].map(String)
      for (const text of forms) {
        assert.match(text, /<form\s+method="post"/)
        if (name !== 'formPost') assert.match(text, /<input type="hidden" name="csrf" value="token-1" \/>/)
      }
      const ids = [...page.text.matchAll(/\sid="([^"]*)"/g)].map((found) => found[1])
      assert.equal(new Set(ids).size, ids.length)
    })
  }
})

test('fields and buttons have their stable names, each both id and name', () => {
  const pages = everyPage('x')
  const wanted = {
    login: ['username', 'password', 'sign-in'],
    consent: ['deny', 'allow'],
    deviceEntry: ['user_code', 'confirm'],
    logout: ['sign-out'],
    apps: ['sign-out'],
  }
  for (const [name, ids] of Object.entries(wanted)) {
    for (const id of ids)
      assert.match(pages[name]?.text ?? '', new RegExp(`id="${id}"\\s+name="${id}"`), `${name} ${id}`)
  }
  assert.match(pages['error']?.text ?? '', /<h1 id="error"/)
  assert.match(pages['signedOut']?.text ?? '', /<h1 id="signed-out"/)
})

describe('consent', () => {
  test('Enter pressed by habit refuses: Deny is the first button of its form, and Allow stands out only where a host is proven', () => {
    const page = consentPage(context(), consentOf('x')).text
    assert.ok(page.indexOf('id="deny"') < page.indexOf('id="allow"'))
    const looks = (text: string): readonly (string | undefined)[] =>
      [...text.matchAll(/class="button (\w+)"\s+id="(?:deny|allow)"/g)].map((found) => found[1])
    assert.deepEqual(looks(page), ['plain', 'primary'])
    assert.deepEqual(looks(consentPage(context(), consentOf('x', { client: unknown })).text), ['plain', 'plain'])
    // Switching accounts is a form of its own, closed before the one that decides begins.
    assert.match(page, /id="switch-account"[\s\S]*?<\/form>[\s\S]*?<form[\s\S]*?id="deny"/)
  })

  test('only optional scopes have a box, one field each', () => {
    const page = consentPage(context(), consentOf('x')).text
    assert.match(page, /type="checkbox"\s+id="scope:b:read"\s+name="scope:b:read"\s+value="yes"\s+checked/)
    assert.doesNotMatch(page, /scope:a:read/)
  })

  test('what was allowed before is not asked again', () => {
    const already = [{ name: 'c:read', text: 'Old right', sensitive: false, optional: true, isNew: false }]
    const page = consentPage(context(), consentOf('x', { already })).text
    assert.match(page, /<details>[\s\S]*Old right[\s\S]*<\/details>/)
    assert.doesNotMatch(page, /scope:c:read/)
  })

  test('who stands behind a client is said as it is: the operator, its domain, or nobody', () => {
    const said = (client: ConsentData['client']): readonly string[] => {
      const page = consentPage(context(), consentOf('x', { client })).text
      return ['Added by those who run Grantor', 'Proven by its domain', 'Registered itself'].filter((words) =>
        page.includes(words),
      )
    }
    assert.deepEqual(said(unknown), ['Registered itself'])
    assert.deepEqual(said({ ...unknown, vouchedBy: 'domain', provenHost: 'a.example' }), ['Proven by its domain'])
    // Made here, and answered where nobody can vouch for: no host is named.
    assert.deepEqual(said({ ...unknown, vouchedBy: 'operator' }), ['Added by those who run Grantor'])
  })

  test('sensitive scopes are read first, with a mark of their own; the facts are folded; the way back is named', () => {
    const scopes = [
      { name: 'a', text: 'Harmless', sensitive: false, optional: false, isNew: false },
      { name: 'b', text: 'Harmful', sensitive: true, optional: false, isNew: false },
    ]
    const page = consentPage(context(), consentOf('x', { scopes })).text
    assert.ok(page.indexOf('Harmful') < page.indexOf('Harmless'))
    assert.match(page, /<li class="scope sensitive">/)
    assert.match(page, /<details class="circumstances">[\s\S]*For how long[\s\S]*<\/details>/)
    assert.match(page, /You will be returned to <strong>x<\/strong>/)
  })

  test('RFC 8252 §8: an answer to this computer comes with a warning', () => {
    const destination = { kind: 'loopback', host: '127.0.0.1:1' } as const
    assert.match(consentPage(context(), consentOf('x', { destination })).text, /class="notice warning"/)
  })

  test('RFC 8628 §5.4: a device is named by its code, where it asked from and when', () => {
    const destination = { kind: 'device', userCode: 'WDJB-MJHT', from: '203.0.113.7', askedAt: now - 120_000 } as const
    const page = consentPage(context(), consentOf('x', { destination })).text
    for (const shown of [/WDJB-MJHT/, /203\.0\.113\.7/, /2 minutes ago/, /class="notice warning"/]) {
      // In view before anything that could be long, and never folded.
      const at = page.search(shown)
      assert.ok(at !== -1 && at < page.indexOf('id="asked"'))
    }
    assert.doesNotMatch(page, /You will be returned/)
  })

  test('links of a client are shown only over https', () => {
    const page = consentPage(context(), consentOf('http://client.example/policy')).text
    assert.doesNotMatch(page, /Privacy policy/)
    assert.match(page, /Terms of service/)
  })

  test('a name cannot reverse, hide or flood the words around it', () => {
    const name = `\u202eevil\u2066\u200b${'long '.repeat(100)}`
    const client = { ...unknown, name }
    const page = consentPage(context(), consentOf('x', { client })).text
    assert.doesNotMatch(page, /[\u202a-\u202e\u2066-\u2069\u200b]|(?:long ){20}/)
  })

  test('what an app wrote into a detail is set apart from the words around it', () => {
    const sentence = ['Pay ', { value: 'to <b>nobody</b>' }, ' once']
    const page = consentPage(context(), consentOf('x', { details: [{ sentence, others: [] }] })).text
    assert.match(page, /Pay <strong><bdi>to &lt;b&gt;nobody&lt;\/b&gt;<\/bdi><\/strong> once/)
  })

  test('whoever changes what the page says raises the version that consent records keep', () => {
    const shown = (['en', 'de'] as const).map((tag) => {
      const already = consentOf('y').scopes
      const { details: alreadyDetails } = consentOf('y')
      const pages = [
        consentOf('x', { already, alreadyDetails }),
        consentOf('x', { scopes: [], details: [], already, alreadyDetails, again: true }),
      ]
      return pages
        .map((data) => consentPage(context(tag), data).text)
        .map((page) => page.slice(page.indexOf('<main'), page.indexOf('</main>')))
        .join('')
        .replace(/assets\/[^"]*/g, '')
        .replace(/\s*(<[^>]*>)\s*/g, '$1')
        .replace(/\s+/g, ' ')
    })
    const print = createHash('sha256').update(shown.join('')).digest('hex').slice(0, 12)
    assert.deepEqual([consentTextVersion, print], ['6', 'bd1727b3fc71'])
  })
})

test('no error of the sign-in page tells whether an account exists', () => {
  const page = (username: string): string =>
    loginPage(context(), { form, client: null, username, again: false, error: { kind: 'rejected' }, passkey: null })
      .text
  assert.equal(page('alice').replaceAll('alice', ''), page('nobody').replaceAll('nobody', ''))
})

test('the sign-in page shows the logo of the app, and its own policy and terms over https only', () => {
  const client = { name: 'x', logo: '/logos?client_id=x', policyUri: 'http://a.example', termsUri: 'https://a.example' }
  const page = loginPage(context(), { form, client, username: '', again: false, error: null, passkey: null }).text
  assert.match(page, /<img class="avatar picture large" src="\/logos\?client_id=x"/)
  assert.match(page, /Terms of service/)
  assert.doesNotMatch(page, /Privacy policy/)
})

test('the session of this browser comes first, wherever it stands in the list', () => {
  const session = { device: null, address: null, startedAt: now, seenAt: now }
  const sessions = [
    { ...session, reference: 'old', device: 'Elsewhere', current: false },
    { ...session, reference: 'here', device: 'Here', current: true },
  ]
  const page = sessionsPage(account, { form, sessions, older: null, now }).text
  assert.ok(page.indexOf('Here') < page.indexOf('Elsewhere'))
})

test('recovery codes can be copied, saved and printed; a connected device says what can be done next', () => {
  const codes = recoveryCodesPage(account, { codes: ['A-B'], isFirst: true, onward: '/' }).text
  for (const way of ['copy', 'save', 'print']) assert.match(codes, new RegExp(`data-keeps="${way}"[^>]*hidden`))
  const done = deviceDonePage(context(), { kind: 'approved', client: 'TV', account: '/auth/account' }).text
  assert.match(done, /<a class="button plain" href="\/auth\/account"/)
})

test('an error page names what the app sent only where it is told to', () => {
  const sent = { clientId: 'a<b', redirectUri: null }
  const page = errorPage(context(), { kind: 'client', code: null, traceId: 't', sent }).text
  assert.match(page, /<code class="copyable" id="sent-client_id">a&lt;b<\/code>/)
  assert.doesNotMatch(page, /sent-redirect_uri/)
  assert.doesNotMatch(errorPage(context(), { kind: 'client', code: null, traceId: 't' }).text, /sent-/)
})

test('autocomplete tells password managers which field is which', () => {
  const pages = everyPage('x')
  assert.match(pages['login']?.text ?? '', /autocomplete="username"[\s\S]*autocomplete="current-password"/)
  assert.match(
    pages['password']?.text ?? '',
    /autocomplete="username"[\s\S]*autocomplete="current-password"[\s\S]*autocomplete="new-password"/,
  )
})

describe('what is wrong is said at the field, once, and heard at once', () => {
  const wrong = { kind: 'rejected' } as const
  const step = {
    form,
    account: { name: 'Alice', username: 'alice' },
    otp: true,
    recoveryCodes: 3,
    passkeyOnly: false,
    passkey: null,
    rememberFor: 86_400,
  }
  const weak = { form, username: 'alice', leastLength: 8, hasPassword: true, error: 'short' } as const
  for (const [name, field, page] of [
    ['second factor, code', 'otp', secondFactorPage(context(), { ...step, typed: 'otp', error: wrong })],
    [
      'second factor, recovery code',
      'recovery_code',
      secondFactorPage(context(), { ...step, typed: 'recovery_code', error: wrong }),
    ],
    [
      'device',
      'user_code',
      deviceEntryPage(context(), { form, userCode: 'ABCD', prefilled: false, error: { kind: 'unknown' } }),
    ],
    ['reset', 'new-password', resetPasswordPage(context(), weak)],
    ['account, new password', 'new-password', passwordPage(account, weak)],
    ['account, current password', 'password', passwordPage(account, { ...weak, error: 'wrong' })],
  ] as const)
    test(name, () => {
      const marked = new RegExp(`<input[^>]*id="${field}"[^>]*aria-describedby="[^"]*${field}-error"[^>]*aria-invalid`)
      assert.match(page.text, marked)
      assert.match(page.text, new RegExp(`id="${field}-error" role="alert"`))
      assert.doesNotMatch(page.text, /error-summary/, 'once')
      assert.equal(page.text.match(/aria-invalid/g)?.length, 1, 'no other field is blamed')
    })

  test('a rejected recovery code is in view, and has the focus', () => {
    const { text } = secondFactorPage(context(), { ...step, typed: 'recovery_code', error: wrong })
    assert.match(text, /<details class="otherwise" open>/)
    assert.match(text, /<input[^>]*id="recovery_code"[^>]*autofocus/)
    assert.equal(text.match(/autofocus/g)?.length, 1)
  })

  test('what may be ticked stands before the code, which sends the form; and comes back as it was', () => {
    const page = (remember: boolean) =>
      secondFactorPage(context(), { ...step, remember, typed: 'otp', error: wrong }).text
    assert.ok(page(false).indexOf('id="remember"') < page(false).indexOf('id="otp"'))
    assert.match(page(true), /<input[^>]*id="remember"[^>]* checked/)
    assert.doesNotMatch(page(false), /checked/)
    const offered = {
      form,
      email: 'a@b.example',
      name: 'A',
      leastLength: 8,
      terms: { version: '7', url: 'https://as.example/terms' },
    }
    const made = (agreed: boolean) => newAccountPage(context(), { ...offered, agreed, error: 'short' }).text
    assert.match(made(true), /<input[^>]*id="terms"[^>]* checked/)
    assert.doesNotMatch(made(false), /checked/)
  })

  test('who has no password is asked for none, and reads all the same what is wrong', () => {
    const none = { form, hasPassword: false } as const
    const address = { ...none, email: null, verified: false, pending: null, linkGone: false, typed: '' }
    const data = { ...none, downloadHref: '/data', dueAt: now }
    for (const page of [
      passwordPage(account, { ...weak, ...none, error: null }),
      addressPage(account, { ...address, error: 'malformed' }),
      ownDataPage(account, { ...data, error: 'stale' }),
    ])
      assert.doesNotMatch(page.text, /type="password"/)
    assert.match(ownDataPage(account, { ...data, error: 'stale' }).text, /signed in too long ago/i)
  })

  test('whoever types no password ends their account by a second press', () => {
    const data = { form, downloadHref: '/data', dueAt: now, error: null }
    const typed = ownDataPage(account, { ...data, hasPassword: true }).text
    assert.doesNotMatch(typed, /<details class="confirm">/)
    const pressed = ownDataPage(account, { ...data, hasPassword: false }).text
    assert.match(pressed, /<details class="confirm">(?:(?!<\/details>)[^])*name="delete-account"/)
  })

  test('an account that was changed at the same moment is no mistake of any field', () => {
    const outrun = /changed from another window/
    const data = { form, hasPassword: true, downloadHref: '/data', dueAt: now, error: 'outrun' } as const
    const empty = { name: '', given_name: '', family_name: '', locale: '', zoneinfo: '', picture: '' }
    for (const page of [ownDataPage(account, data), profilePage(account, { form, profile: empty, wrong: 'outrun' })]) {
      assert.match(page.text, outrun)
      assert.doesNotMatch(page.text, /aria-invalid/)
    }
  })

  test('a new password of an account gets a hint of its strength', () =>
    assert.match(passwordPage(account, { ...weak, error: null }).text, /data-strength-of="new-password"/))
})
