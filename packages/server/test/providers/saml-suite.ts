/** Signing in by a provider of SAML 2.0, on either database: the way there and back, and every answer that must not let anybody in. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { enrolAppIn } from '../interact/enrolled.ts'
import { type HandBrowser, type PageAnswer, pageOf, tokenIn } from '../interact/deployment.ts'
import { deployWithProviders, main, type ProviderDatabase, type ProviderDeployment } from './deployment.ts'
import {
  assertionOf,
  encoded,
  entityId,
  newSigningKey,
  readRequest,
  refusalOf,
  responseOf,
  sign,
  type SigningKey,
  type Statement,
} from './saml-provider.ts'

let it: ProviderDeployment
let key: SigningKey
let stranger: SigningKey
let origin = ''

const audience = 'https://id.example'
const session = '__Host-grantor-session'

const provider = (more: JsonObject = {}): JsonObject => ({
  id: 'corp',
  kind: 'saml',
  name: 'Corp',
  issuer: entityId,
  sso_url: 'https://idp.example/sso',
  certificates: key.cert,
  client_id: audience,
  create: true,
  ...more,
})

interface Left {
  readonly browser: HandBrowser
  readonly id: string
  readonly relayState: string
  readonly statement: Statement
}

async function leave(id = 'corp', page = '/account', browser = it.browser()): Promise<Left> {
  const path = page.includes('/interact/') ? '/provider' : '/enter/provider'
  const csrf = tokenIn((await browser.ask(page)).body)
  const answer = await browser.ask(`${page}${path}`, { form: { csrf, provider: id } })
  assert.equal(answer.status, 303, answer.body)
  const asked = readRequest(answer.headers.location ?? '')
  origin = /AssertionConsumerServiceURL="(https:\/\/[^/"]+)/.exec(asked.xml)?.[1] ?? ''
  const statement = { inResponseTo: asked.id, recipient: `${origin}/callback/${id}`, audience }
  return { browser, id: asked.id, relayState: asked.relayState, statement }
}

/** As a page of ours sends it on, with the browser's cookies. */
const send = (browser: HandBrowser, xml: string, relayState: string, id = 'corp'): Promise<PageAnswer> =>
  browser.ask(`/callback/${id}`, { form: { SAMLResponse: encoded(xml), RelayState: relayState, resent: 'yes' } })

const good = (statement: Statement, by = key): string => sign(responseOf(assertionOf(statement)), 'Assertion', by)
const isSignedIn = async (browser: HandBrowser): Promise<boolean> => pageOf(await browser.ask('/account')) === 'account'

async function lastEvents(count: number): Promise<string> {
  const found = await it.authority.admin.events.last(main, count)
  assert.ok(found.kind === 'ok')
  return JSON.stringify(found.value)
}

/** Everything of it over one database. */
export function samlSuite(database: ProviderDatabase): void {
  before(async () => {
    it = await deployWithProviders(database)
    ;[key, stranger] = [await newSigningKey(), await newSigningKey()]
    await it.declare([provider(), provider({ id: 'other', name: 'Other', issuer: 'https://other.example' })])
  })
  after(() => it[Symbol.asyncDispose]())

  test('SAML Bindings §3.4, §3.5: a request by redirect, an answer by form, and the account is made', async () => {
    const { browser, relayState, statement } = await leave()
    const attributes = { 'urn:oid:2.16.840.1.113730.3.1.241': 'Ada L.', uid: 'ada', mail: 'ada@example.com' }
    const xml = good({ ...statement, attributes })
    const form = { SAMLResponse: encoded(xml), RelayState: relayState }
    const bounced = await it.send('/callback/corp', { form })
    assert.equal(bounced.status, 200)
    assert.ok(bounced.body.includes('name="resent"') && bounced.body.includes(`value="${relayState}"`))
    assert.equal(bounced.headers['set-cookie'], undefined)
    const back = await send(browser, xml, relayState)
    assert.equal(back.status, 303, back.body)
    assert.ok(await isSignedIn(browser))
    const users = await it.authority.admin.users.list(main, { after: null, limit: 100 })
    assert.ok(users.kind === 'ok')
    const ada = users.value.find(({ username }) => username === 'ada')
    assert.deepEqual(ada?.claims, { name: 'Ada L.' }, 'an address that is not trusted is not taken over')
    assert.match(await lastEvents(3), /"amr":\[\]/)
  })

  test('a whole response that is signed does as well, and the same name is the same person', async () => {
    const { browser, relayState, statement } = await leave()
    const sentTo = ` Destination='${statement.recipient}'`
    const xml = sign(responseOf(assertionOf({ ...statement, nameId: 'whole' }), sentTo), 'Response', key)
    assert.equal((await send(browser, xml, relayState)).status, 303)
    assert.ok(await isSignedIn(browser))
    const again = await leave()
    await send(again.browser, good({ ...again.statement, nameId: 'whole' }), again.relayState)
    assert.ok(await isSignedIn(again.browser))
  })

  test('an answer is good once, in the browser that left, for the sign-in that was left; none comes unasked', async () => {
    const { browser, relayState, statement } = await leave()
    const xml = good(statement)
    const strayed = async (answer: Promise<PageAnswer>): Promise<void> => {
      const { status, headers } = await answer
      assert.equal(status, 400)
      assert.ok(!String(headers['set-cookie'] ?? '').includes(session))
    }
    await strayed(send(it.browser(), xml, relayState))
    await strayed(send(browser, xml, 'x'.repeat(43)))
    await strayed(send(browser, xml, ''))
    await strayed(send(browser, xml, relayState, 'other'))
    const [one, two] = await Promise.all([send(browser, xml, relayState), send(browser, xml, relayState)])
    assert.deepEqual(new Set([one.status, two.status]), new Set([303, 400]))
    await strayed(send(browser, xml, relayState))
    const another = await leave()
    const replayed = await send(another.browser, xml, another.relayState)
    assert.match(replayed.headers.location ?? '', /problem=refused/)
    assert.match(await lastEvents(2), /saml_in_response_to/)
  })

  const minutes = 60_000
  const wrong: readonly (readonly [string, (left: Left) => string, string])[] = [
    ['not signed', ({ statement }) => responseOf(assertionOf(statement)), 'saml_signature'],
    [
      'signed by somebody else, who brings the certificate',
      ({ statement }) => good(statement, stranger),
      'saml_signature',
    ],
    [
      'signed with SHA-1',
      ({ statement }) => sign(responseOf(assertionOf(statement)), 'Assertion', key, 'sha1'),
      'saml_algorithm',
    ],
    [
      'signed with SHA-1 by a name with references',
      ({ statement }) => signedOld(statement, (name) => `Algorithm="${name.replace('sha1', 'sh&#97;1')}"`),
      'saml_algorithm',
    ],
    [
      'signed with SHA-1 by a name without quotes',
      ({ statement }) => signedOld(statement, (name) => `Algorithm=${name} `),
      'saml_xml',
    ],
    [
      'signed with SHA-1 by a name without an equals sign',
      ({ statement }) => signedOld(statement, (name) => `Algorithm"${name}"`),
      'saml_xml',
    ],
    ['changed after it was signed', ({ statement }) => good(statement).replace('>ada<', '>eve<'), 'saml_signature'],
    ['for somebody else', ({ statement }) => good({ ...statement, audience: 'https://else.example' }), 'saml_audience'],
    [
      'sent elsewhere',
      ({ statement }) => good({ ...statement, recipient: `${statement.recipient}x` }),
      'saml_recipient',
    ],
    [
      'in a message that was sent elsewhere',
      ({ statement }) =>
        sign(responseOf(assertionOf(statement), ` Destination="${statement.recipient}x"`), 'Assertion', key),
      'saml_destination',
    ],
    [
      'in a message that tells of an error',
      ({ statement }) => good(statement).replace('status:Success', 'status:Responder'),
      'saml_status',
    ],
    ['of another request', ({ statement }) => good({ ...statement, inResponseTo: '_x' }), 'saml_in_response_to'],
    ['of another issuer', ({ statement }) => good({ ...statement, issuer: 'https://other.example' }), 'saml_issuer'],
    ['over', ({ statement }) => good({ ...statement, until: -5 * minutes }), 'saml_conditions_time'],
    ['not yet', ({ statement }) => good({ ...statement, from: 5 * minutes }), 'saml_conditions_time'],
    [
      'confirmed no longer',
      ({ statement }) => good({ ...statement, confirmedUntil: -5 * minutes }),
      'saml_confirmation_time',
    ],
    [
      'of a name that does not last',
      ({ statement }) => good({ ...statement, format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }),
      'saml_subject',
    ],
    [
      'with a document type',
      ({ statement }) => `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${good(statement)}`,
      'saml_xml',
    ],
    ['with an entity', ({ statement }) => good(statement).replace('</saml:Issuer>', '&e;</saml:Issuer>'), 'saml_xml'],
    [
      'with a comment in the name',
      ({ statement }) =>
        good({ ...statement, nameId: 'ada@example.com.evil.example' }).replace('.evil', '<!-- -->.evil'),
      'saml_xml',
    ],
    [
      'encrypted',
      () => responseOf('<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>'),
      'saml_signature',
    ],
    ['long, and no XML', () => 'x'.repeat(20_000), 'saml_status'],
    ['no XML', () => 'hello', 'saml_status'],
    // Signature wrapping (XSW): what is signed lies somewhere, and what is read would be another.
    [
      'wrapped: a second assertion before the signed one',
      ({ statement }) => good(statement).replace('<saml:Assertion', `${evil(statement)}<saml:Assertion`),
      'saml_assertions',
    ],
    [
      'wrapped: a second assertion behind it',
      ({ statement }) => good(statement).replace('</samlp:Response>', `${evil(statement)}</samlp:Response>`),
      'saml_assertions',
    ],
    ['wrapped: the signed one inside the other', ({ statement }) => wrapInside(statement), 'saml_assertions'],
    [
      'wrapped: the signed one in an object of the signature',
      ({ statement }) => wrapInObject(statement),
      'saml_assertions',
    ],
    [
      'wrapped: the same id twice',
      ({ statement }) => good(statement).replace('</samlp:Response>', '<x ID="_assertion"/></samlp:Response>'),
      'saml_signature',
    ],
    ['wrapped: a signature of something else', ({ statement }) => signatureElsewhere(statement), 'saml_signature'],
  ]

  /** What is signed of it is its canonical form: the signature stays good however the names are written. */
  const signedOld = (statement: Statement, written: (name: string) => string): string =>
    sign(responseOf(assertionOf(statement)), 'Assertion', key, 'sha1').replaceAll(
      /Algorithm="([^"]*sha1)"/g,
      (_, name: string) => written(name),
    )
  const evil = (statement: Statement): string => assertionOf({ ...statement, nameId: 'evil', id: '_evil' })
  const signedOne = (statement: Statement): string =>
    /<saml:Assertion.*<\/saml:Assertion>/s.exec(good(statement))?.[0] ?? ''
  const wrapInside = (statement: Statement): string =>
    responseOf(evil(statement).replace('</saml:Assertion>', `${signedOne(statement)}</saml:Assertion>`))
  function wrapInObject(statement: Statement): string {
    const signature = /<Signature.*<\/Signature>/s.exec(signedOne(statement))?.[0] ?? ''
    const stripped = signedOne(statement).replace(signature, '')
    const object = signature.replace('</Signature>', `<Object>${stripped}</Object></Signature>`)
    return responseOf(evil(statement).replace('</saml:Issuer>', `</saml:Issuer>${object}`))
  }
  /** The response is signed, and then its assertion is another. */
  function signatureElsewhere(statement: Statement): string {
    const signature = /<Signature.*<\/Signature>/s.exec(signedOne(statement))?.[0] ?? ''
    return responseOf(evil(statement).replace('</saml:Issuer>', `</saml:Issuer>${signature}`))
  }

  describe('an answer that is refused, and the log says why', () => {
    for (const [what, make, problem] of wrong)
      test(what, async () => {
        const left = await leave()
        const answer = await send(left.browser, make(left), left.relayState)
        assert.equal(answer.status, 303, answer.body)
        assert.match(answer.headers.location ?? '', /problem=refused/)
        assert.equal(await isSignedIn(left.browser), false)
        assert.ok((await lastEvents(1)).includes(`"problem":"${problem}"`), await lastEvents(1))
      })
  })

  test('an answer may be long, and its base64 broken into lines', async () => {
    const { browser, relayState, statement } = await leave()
    const xml = good({ ...statement, nameId: 'long', attributes: { photo: 'x'.repeat(20_000) } })
    const lines = encoded(xml).replaceAll(/(.{76})/g, '$1\r\n')
    const form = { SAMLResponse: lines, RelayState: relayState, resent: 'yes' }
    assert.equal((await browser.ask('/callback/corp', { form })).status, 303)
    assert.ok(await isSignedIn(browser))
  })

  test('cancelled there: the person is back where they were', async () => {
    const left = await leave()
    const answer = await send(left.browser, refusalOf('AuthnFailed'), left.relayState)
    assert.match(answer.headers.location ?? '', /problem=cancelled/)
  })

  test('an authorization goes on where it was left, with what is believed of how they signed in', async () => {
    await it.declare([provider({ trust_amr: true, trust_email: true, subject_attribute: 'employeeNumber' })])
    const browser = it.browser()
    const hub = await browser.begin()
    const left = await leave('corp', hub, browser)
    const xml = good({
      ...left.statement,
      nameId: 'x',
      format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
      context: 'https://refeds.org/profile/mfa',
      attributes: { employeeNumber: '42', uid: 'number-42', mail: 'n42@example.com' },
    })
    const back = await send(browser, xml, left.relayState)
    assert.equal(back.headers.location, hub)
    assert.match(await lastEvents(4), /"amr":\["mfa"\]/)
    await it.declare([provider(), provider({ id: 'other', name: 'Other', issuer: 'https://other.example' })])
  })

  test('a new sign-in is asked for (ForceAuthn), and an old one is not taken for it', async () => {
    const browser = it.browser()
    const hub = await browser.begin({ prompt: 'login' })
    const csrf = tokenIn((await browser.ask(hub)).body)
    const answer = await browser.ask(`${hub}/provider`, { form: { csrf, provider: 'corp' } })
    const asked = readRequest(answer.headers.location ?? '')
    assert.match(asked.xml, /ForceAuthn="true"/)
    const statement = { inResponseTo: asked.id, recipient: `${origin}/callback/corp`, audience }
    const stale = await send(browser, good({ ...statement, authenticatedAt: -60 * minutes }), asked.relayState)
    assert.match(stale.headers.location ?? '', /problem=stale/)
  })

  test('SAML Core §2.7.2: the session ends with the one there, also behind a second factor; one that is over lets nobody in', async () => {
    const endOf = async (): Promise<number> => {
      const sessions = await it.authority.admin.sessions.list(main, { subject: null, before: null, limit: 1 })
      assert.ok(sessions.kind === 'ok')
      return sessions.value[0]?.expiresAt ?? 0
    }
    const near = (end: number, minutes: number) =>
      assert.ok(Math.abs(end - Date.now() - minutes * 60_000) < 30_000, String(end))
    const came = async (sessionUntil: number, more: Partial<Statement> = {}) => {
      const { browser, relayState, statement } = await leave()
      const xml = good({ ...statement, nameId: 'brief', sessionUntil, ...more })
      return { browser, back: await send(browser, xml, relayState) }
    }
    const { browser } = await came(20 * 60_000)
    assert.ok(await isSignedIn(browser))
    near(await endOf(), 20)
    const { otp } = await enrolAppIn(browser)
    near(await endOf(), 20)
    const again = await came(10 * 60_000, { authenticatedAt: -3 * 3600_000 })
    assert.equal(again.back.headers.location, '/account/enter/second-factor')
    await again.browser.press('/account/enter/second-factor', '', { otp: otp() })
    assert.ok(await isSignedIn(again.browser), 'however long ago they signed in there')
    near(await endOf(), 10)
    const over = await came(-1)
    assert.match(over.back.headers.location ?? '', /problem=refused/)
    assert.match(await lastEvents(1), /saml_session_time/)
  })

  test('SAML Metadata §2.4.4: what the provider is told of us', async () => {
    const { status, headers, body } = await it.send('/callback/corp/metadata')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/samlmetadata+xml')
    assert.ok(body.includes(`entityID="${audience}"`) && body.includes('/callback/corp"'))
    assert.ok(body.includes('WantAssertionsSigned="true"'))
    for (const id of ['none', '..%2f']) assert.equal((await it.send(`/callback/${id}/metadata`)).status, 404)
    assert.equal((await it.send('/t/acme/callback/corp/metadata')).status, 404)
  })
}
