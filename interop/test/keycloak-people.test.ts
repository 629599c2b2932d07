/** A real Keycloak beside us: as a provider by OpenID Connect and by SAML, and as what people are brought over from. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { AuthenticatorApp } from '../authenticator-app.ts'
import { type Certificate, newCertificate } from '../certificates.ts'
import { FormBrowser, type Page } from '../form-browser.ts'
import { ensureKeycloak, exportRealm, formToken, type Keycloak, startKeycloak } from '../keycloak.ts'
import { freePort } from '../plain-browser.ts'
import { type RelyingServer, startRelyingServer } from '../relying-server.ts'
import { runCommand, temporaryFolder } from '../server.ts'

const missing = ensureKeycloak()
const secret = 'a-secret-of-32-or-more-characters-long'
const api = 'https://api.shop.example'

/** Everyone by the form in which Keycloak keeps their password. */
const algorithms = ['argon2', 'pbkdf2', 'pbkdf2-sha256', 'pbkdf2-sha512'] as const
const passwordOf = (algorithm: string): string => `the password of ${algorithm}`

/** What Keycloak shows in its QR code is the base 32 of these letters. */
const appSecret = 'dJgVlIbSgMgKuNqzWEVb'
const appTyped = 'MRFGOVTMJFRFGZ2NM5FXKTTRPJLUKVTC'

const realm = (relying: string, certificate: string) => ({
  realm: 'shop',
  displayName: 'The shop',
  enabled: true,
  sslRequired: 'none',
  roles: {
    realm: [
      { name: 'customer' },
      { name: 'manager', composite: true, composites: { realm: ['customer'], client: { stock: ['write'] } } },
    ],
    client: { stock: [{ name: 'write' }] },
  },
  groups: [{ name: 'staff', realmRoles: ['customer'], subGroups: [{ name: 'buyers', realmRoles: ['manager'] }] }],
  clients: [
    { clientId: 'stock', bearerOnly: true },
    {
      clientId: 'relying',
      secret,
      standardFlowEnabled: true,
      redirectUris: [`${relying}/callback/keycloak`],
      attributes: {
        'backchannel.logout.url': `${relying}/callback/keycloak/backchannel-logout`,
        'backchannel.logout.session.required': 'true',
      },
    },
    { clientId: 'direct', secret, directAccessGrantsEnabled: true, standardFlowEnabled: false },
  ],
  identityProviders: [
    {
      alias: 'google',
      providerId: 'google',
      enabled: true,
      config: { clientId: '1234.apps.googleusercontent.com', clientSecret: 'secret of the shop at google' },
    },
    {
      alias: 'corp',
      providerId: 'saml',
      enabled: true,
      config: {
        idpEntityId: 'https://corp.example/saml',
        entityId: 'https://shop.example',
        singleSignOnServiceUrl: 'https://corp.example/saml/sso',
        signingCertificate: certificate.replaceAll(/-----[A-Z ]+-----|\s/g, ''),
        validateSignature: 'true',
      },
    },
  ],
})

describe('a real Keycloak', { skip: missing ?? false }, () => {
  const stack = new AsyncDisposableStack()
  let signer: Certificate
  let keycloak: Keycloak
  let relying: RelyingServer
  let issuer = ''
  let kept = ''
  let relyingOrigin = ''

  before(async () => {
    signer = await newCertificate({ name: 'Signer', authority: true })
    const certificate = await newCertificate({ name: 'localhost', signer, host: 'localhost' })
    kept = stack.use(temporaryFolder()).path
    keycloak = stack.use(await startKeycloak({ certificate, kept, trusted: signer.cert }))
    issuer = `${keycloak.secureOrigin}/realms/shop`
    const port = await freePort()
    relyingOrigin = `https://localhost:${port}`
    await keycloak.addRealm(realm(relyingOrigin, certificate.cert))
    for (const algorithm of algorithms) await addPerson(algorithm)
    relying = stack.use(
      await startRelyingServer({ signer, port, allow: [`localhost:${new URL(keycloak.secureOrigin).port}`], seed: {} }),
    )
  })
  after(() => stack.disposeAsync())

  async function addPerson(algorithm: string): Promise<void> {
    await keycloak.administer('PUT', '/shop', { passwordPolicy: `hashAlgorithm(${algorithm})` })
    await keycloak.administer('POST', '/shop/users', {
      username: algorithm,
      enabled: true,
      email: `${algorithm}@example.com`,
      emailVerified: true,
      firstName: 'Ada',
      lastName: algorithm,
      attributes: { locale: ['en'] },
      federatedIdentities: [{ identityProvider: 'google', userId: `google-${algorithm}`, userName: algorithm }],
      groups: algorithm === 'argon2' ? ['/staff/buyers'] : ['/staff'],
      credentials: [{ type: 'password', value: passwordOf(algorithm) }, ...(algorithm === 'argon2' ? [otp] : [])],
    })
  }

  const otp = {
    type: 'otp',
    secretData: JSON.stringify({ value: appSecret }),
    credentialData: JSON.stringify({ subType: 'totp', digits: 6, period: 30, counter: 0, algorithm: 'HmacSHA1' }),
  }

  /** From our page to Keycloak's form and back. */
  async function signInBy(browser: FormBrowser, provider: string, who: string): Promise<Page> {
    const first = await browser.open(`${relyingOrigin}/account`)
    const there = await browser.submit(first, `id="provider-${provider}"`, { provider })
    assert.equal(there.url.origin, keycloak.secureOrigin)
    return browser.submit(there, 'kc-form-login', { username: who, password: passwordOf(who) })
  }

  const isAccount = ({ status, url }: Page): boolean =>
    status === 200 && url.origin === relyingOrigin && url.pathname === '/account'

  async function declare(provider: object): Promise<void> {
    const folder = stack.use(temporaryFolder())
    await relying.command('apply', folder.write('provider.json', { providers: [provider] }))
  }

  const lastProblem = async (): Promise<string> =>
    (await relying.command('audit', 'export')).split('\n').slice(-4).join('\n')

  test('OpenID Connect: a sign-in there makes an account here, and a sign-out there ends the session here', async () => {
    await declare({
      id: 'keycloak',
      kind: 'oidc',
      name: 'Keycloak',
      issuer,
      client_id: 'relying',
      client_secret: secret,
      create: true,
      trust_email: true,
    })
    await using browser = new FormBrowser([signer.cert])
    const account = await signInBy(browser, 'keycloak', 'pbkdf2')
    assert.ok(isAccount(account), `${account.url.href} ${account.body} ${await lastProblem()}`)
    const [made] = JSON.parse(
      await relying.command('user', 'list', '--username', 'pbkdf2', '--json'),
    ) as readonly Record<string, unknown>[]
    assert.deepEqual(
      [made?.['email'], made?.['email_verified'], made?.['name']],
      ['pbkdf2@example.com', true, 'Ada pbkdf2'],
    )

    const [there] = (await keycloak.administer('GET', '/shop/users?exact=true&username=pbkdf2')) as [{ id: string }]
    await keycloak.administer('POST', `/shop/users/${there.id}/logout`)
    const later = await browser.open(`${relyingOrigin}/account`)
    assert.ok(later.body.includes('id="provider-keycloak"'), await lastProblem())
  })

  test('SAML 2.0: Keycloak reads our metadata, and its signed assertion makes an account', async () => {
    const descriptor = await (await fetch(`${keycloak.origin}/realms/shop/protocol/saml/descriptor`)).text()
    const base64 = /<ds:X509Certificate>([^<]+)</.exec(descriptor)?.[1] ?? ''
    const lines = base64.match(/.{1,64}/g) ?? []
    await declare({
      id: 'saml',
      kind: 'saml',
      name: 'Keycloak by SAML',
      issuer,
      sso_url: `${issuer}/protocol/saml`,
      certificates: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
      client_id: relyingOrigin,
      claims: { username: 'username' },
      create: true,
      trust_email: true,
    })
    await using browser = new FormBrowser([signer.cert])
    const metadata = await browser.open(`${relyingOrigin}/callback/saml/metadata`)
    assert.equal(metadata.status, 200)
    const client = (await keycloak.administer('POST', '/shop/client-description-converter', metadata.body)) as {
      readonly attributes: Readonly<Record<string, string>>
    }
    assert.equal(client.attributes['saml.assertion.signature'], 'true', 'as our metadata asks')
    const mapped = (name: string, property: string) => ({
      name,
      protocol: 'saml',
      protocolMapper: 'saml-user-property-mapper',
      config: { 'user.attribute': property, 'attribute.name': name, 'attribute.nameformat': 'Basic' },
    })
    const protocolMappers = [mapped('username', 'username'), mapped('mail', 'email'), mapped('givenName', 'firstName')]
    const attributes = {
      ...client.attributes,
      // What our metadata says of this it does not take over: AuthnRequestsSigned="false".
      'saml.client.signature': 'false',
      saml_name_id_format: 'persistent',
      saml_force_name_id_format: 'true',
    }
    await keycloak.administer('POST', '/shop/clients', { ...client, attributes, protocolMappers })

    const sent = await signInBy(browser, 'saml', 'pbkdf2-sha256')
    const account = await throughForms(browser, sent)
    assert.ok(isAccount(account), `${account.url.href} ${account.body} ${await lastProblem()}`)
    const [made] = JSON.parse(
      await relying.command('user', 'list', '--username', 'pbkdf2-sha256', '--json'),
    ) as readonly Record<string, unknown>[]
    assert.deepEqual([made?.['email'], made?.['given_name']], ['pbkdf2-sha256@example.com', 'Ada'])

    // A second time it is the same person, and the answer of before is worth nothing.
    await using another = new FormBrowser([signer.cert])
    assert.ok(isAccount(await throughForms(another, await signInBy(another, 'saml', 'pbkdf2-sha256'))))
    await using thief = new FormBrowser([signer.cert])
    const replayed = await throughForms(thief, await thief.submit(sent, 'SAMLResponse'))
    assert.ok(!isAccount(replayed) && !(await thief.open(`${relyingOrigin}/account`)).body.includes('id="sign-out"'))
  })

  /** Pages that only send what they hold on. */
  async function throughForms(browser: FormBrowser, page: Page): Promise<Page> {
    const next = page.body.includes('SAMLResponse') ? await browser.submit(page, 'SAMLResponse') : page
    return next.body.includes('SAMLResponse') ? browser.submit(next, 'SAMLResponse') : next
  }

  test('an export of a realm is brought over: passwords of every form and an authenticator app sign in here', async () => {
    const app = new AuthenticatorApp(appTyped)
    const direct = { grant_type: 'password', client_id: 'direct', client_secret: secret, scope: 'openid' }
    const form = { ...direct, username: 'argon2', password: passwordOf('argon2') }
    const without = await formToken(`${keycloak.origin}/realms/shop`, form)
    assert.equal(without['access_token'], undefined, 'Keycloak wants the code')
    const there = await formToken(`${keycloak.origin}/realms/shop`, { ...form, totp: app.code() })
    assert.notEqual(there['access_token'], undefined, JSON.stringify(there))
    await keycloak[Symbol.asyncDispose]()
    const file = exportRealm(kept, 'shop')

    using data = temporaryFolder()
    const words = ['import', 'keycloak', file, '--roles-at', api]
    const plan = await runCommand([...words, '--plan'], { data: data.path })
    assert.equal(plan.code, 0, plan.stderr)
    assert.match(plan.stdout, /People: 4 new/)
    const done = await runCommand([...words, '--json'], { data: data.path })
    const report = JSON.parse(done.stdout) as Record<string, unknown>
    assert.deepEqual(
      [report['people'], report['brought'], report['groups'], report['roles'], report['providers'], report['clients']],
      [
        { created: 4 },
        { password: 4, totp: 1, provider: 4, groups: 4 },
        { create: 2 },
        { create: 3 },
        { create: 2 },
        { create: 1 },
      ],
      done.stdout,
    )
    await using here = await startRelyingServer({ signer, data: data.path })
    for (const algorithm of algorithms) {
      await using browser = new FormBrowser([signer.cert])
      const page = await browser.open(`${here.server.issuer}/account`)
      const who = { username: algorithm, password: passwordOf(algorithm) }
      const wrong = await browser.submit(page, 'id="sign-in"', { ...who, password: 'another password' })
      assert.equal(wrong.status, 401, algorithm)
      const next = await browser.submit(page, 'id="sign-in"', who)
      const account = next.body.includes('name="otp"')
        ? await browser.submit(next, 'name="otp"', { otp: app.code() })
        : next
      assert.deepEqual([account.status, account.url.pathname], [200, '/account'], `${algorithm}: ${account.body}`)
      assert.equal(next.body.includes('name="otp"'), algorithm === 'argon2')
    }
    const again = await runCommand(words, { data: data.path })
    assert.match(again.stdout, /People: 4 here already/)
  })
})
