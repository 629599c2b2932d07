/** Passkeys and second factors in real Chromium, with an authenticator that only this browser has. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CDPSession } from 'playwright-core'
import { totpCode } from '@grantor/protocol/people'
import { fromBase32 } from '../authenticator-secret.ts'
import { type Person, signedIn, openPerson } from '../person.ts'
import { setUp } from '../setup.ts'

interface Credential {
  readonly credentialId: string
  readonly userHandle?: string
}

describe('strong sign-in', { concurrency: 2 }, async () => {
  const { browser, deployment } = await setUp()

  const methods = () => `${deployment.issuer}/account/sign-in-methods`

  /** A platform authenticator: keeps passkeys and knows its owner. Without `present` it waits for a finger for ever. */
  async function giveAuthenticator({ context, page }: Person): Promise<{ cdp: CDPSession; id: string }> {
    const cdp = await context.newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return { cdp, id }
  }
  const held = async ({ cdp, id }: { cdp: CDPSession; id: string }): Promise<readonly Credential[]> =>
    (await cdp.send('WebAuthn.getCredentials', { authenticatorId: id })).credentials

  /** Adds a passkey on the account page and walks through the recovery codes that come with it. */
  async function enrol(person: Person): Promise<readonly string[]> {
    const { page } = person
    await page.goto(methods())
    await page.fill('#name', 'My laptop')
    await page.click('#add-passkey')
    await page.waitForSelector('.codes')
    const codes = await page.locator('.codes code').allTextContents()
    await page.click('#kept')
    await page.waitForURL(methods())
    return codes
  }

  const signOut = async ({ page }: Person): Promise<void> => {
    await page.goto(`${deployment.issuer}/account`)
    await page.click('#sign-out')
    await page.waitForSelector('#signed-out')
  }

  test('a passkey is enrolled, signs in by its button without a name, and is removed', async () => {
    await using person = await signedIn(browser, deployment)
    const authenticator = await giveAuthenticator(person)
    const { page } = person
    await page.goto(methods())
    await person.checkPage('sign-in-methods')
    const codes = await enrol(person)
    assert.equal(codes.length, 10)
    await person.checkPage('sign-in-methods-passkey')
    const [credential] = await held(authenticator)
    assert.ok(credential?.userHandle, 'it can be found without a name')
    assert.equal((await held(authenticator)).length, 1)
    assert.equal(await page.locator('#add-passkey').count(), 1, 'what was just proven is not asked for again')

    await signOut(person)
    // The autofill would answer by itself: this is about the button.
    await page.addInitScript('delete PublicKeyCredential.isConditionalMediationAvailable')
    await page.goto(deployment.authorizeUrl({ state: 'by-button' }))
    await page.click('#use-passkey')
    await page.click('#allow')
    const arrival = await person.arrivalAt(deployment.web, 'by-button')
    assert.ok(arrival.parameters['code'])

    await page.goto(methods())
    await page.click('.confirm summary')
    await page.locator('[name=remove-passkey]').click()
    await page.waitForURL(`${methods()}?done=passkey_removed`)
    await signOut(person)
    await page.goto(deployment.authorizeUrl({ state: 'after' }))
    await page.click('#use-passkey')
    await page.waitForSelector('[role=alert]')
    await person.signIn(person.who)
    await person.arrivalAt(deployment.web, 'after')
  })

  test('WebAuthn §5.1.4: a passkey is offered with the autofill of the username', async () => {
    await using person = await signedIn(browser, deployment)
    await giveAuthenticator(person)
    await enrol(person)
    await signOut(person)
    await person.page.goto(`${deployment.issuer}/account`)
    // Nobody pressed anything: the authenticator of the test picks the one it has.
    await person.page.waitForSelector('.sections')
    await person.page.goto(methods())
    await person.page.waitForSelector('#add-passkey')
  })

  test('a password needs the passkey as its second step; without it a recovery code, and without script too', async () => {
    await using person = await signedIn(browser, deployment)
    await giveAuthenticator(person)
    const codes = await enrol(person)
    await using plain = await openPerson(browser, { javaScriptEnabled: false })
    const { page } = plain
    await page.goto(deployment.authorizeUrl({ state: 'recovered' }))
    await plain.signIn(person.who)
    await page.waitForSelector('#start-over')
    assert.match((await page.locator('noscript').allTextContents()).join(' '), /need JavaScript/)
    assert.equal(await page.locator('#use-passkey').isVisible(), false)
    await plain.checkPage('second-factor-no-script')
    await page.click('summary')
    await page.fill('#recovery_code', codes[0] ?? '')
    await page.click('#recover')
    await page.click('#allow')
    await page.click('#onward')
    assert.ok((await plain.arrivalAt(deployment.web, 'recovered')).parameters['code'])
  })

  test('an app is set up from its QR code page and asked for; a trusted browser is not, and can be forgotten', async () => {
    await using person = await signedIn(browser, deployment)
    const { page, who } = person
    await page.goto(methods())
    await page.click('#set-up-authenticator')
    await person.checkPage('authenticator')
    const secret = fromBase32(((await page.locator('#secret').textContent()) ?? '').replaceAll(' ', ''))
    // A step ahead is accepted and later than the one that confirms, whatever the clock does meanwhile.
    const code = (ahead: 0 | 1) => totpCode(secret, Math.floor(Date.now() / 30_000) + ahead)
    await page.fill('#otp', '000000')
    await page.click('#confirm')
    await page.waitForSelector('[role=alert]')
    await page.fill('#otp', code(0))
    await page.click('#confirm')
    await page.waitForSelector('.codes')
    const [recovery = ''] = await page.locator('.codes code').allTextContents()
    await person.checkPage('recovery-codes')

    await using other = await openPerson(browser)
    await other.page.goto(deployment.authorizeUrl({ state: 'with-app' }))
    await other.signIn(who)
    await other.page.waitForSelector('#otp')
    await other.checkPage('second-factor')
    // By hand, in the order of the page: the code goes with its last digit.
    await other.page.check('#remember')
    await other.page.locator('#otp').pressSequentially(code(1))
    await other.press('allow')
    await other.arrivalAt(deployment.web, 'with-app')
    await signOut(other)
    await other.page.goto(`${deployment.issuer}/account`)
    await other.signIn(who)
    await other.page.waitForSelector('.sections')
    await other.page.goto(methods())
    assert.equal(await other.page.locator('[name=remove-authenticator]').count(), 0, 'trusted is not strong')
    await other.page.locator('[name=forget]').click()
    await other.page.waitForURL(`${methods()}?done=browser_forgotten`)
    await signOut(other)
    await other.page.goto(`${deployment.issuer}/account`)
    await other.signIn(who)
    await other.page.waitForSelector('#otp')
    await other.page.click('summary')
    await other.page.fill('#recovery_code', recovery)
    await other.press('recover')
    await other.page.waitForSelector('.sections')
  })

  test('RFC 9470: an app that asks for a passkey gets one on top of a session; and nobody is asked in silence', async () => {
    await using person = await signedIn(browser, deployment)
    await giveAuthenticator(person)
    await enrol(person)
    const { page } = person
    const claims = JSON.stringify({ id_token: { acr: { essential: true, values: ['phr'] } } })
    await page.goto(deployment.authorizeUrl({ state: 'silent', claims, prompt: 'none' }))
    assert.equal((await person.arrivalAt(deployment.web, 'silent')).parameters['error'], 'login_required')
    await page.goto(deployment.authorizeUrl({ state: 'stepped', claims }))
    await person.checkPage('second-factor-passkey-only')
    await page.click('#use-passkey')
    await page.click('#allow')
    assert.ok((await person.arrivalAt(deployment.web, 'stepped')).parameters['code'])
  })

  test('whoever cancels is told, and goes on another way', async () => {
    await using person = await openPerson(browser)
    const { page } = person
    await page.addInitScript('delete PublicKeyCredential.isConditionalMediationAvailable')
    await page.goto(deployment.authorizeUrl({ state: 'cancelled' }))
    // No authenticator has anything for this site.
    await giveAuthenticator(person)
    await page.click('#use-passkey')
    await page.waitForSelector('[data-passkey-failed]:visible')
    await person.checkPage('passkey-failed')
    await person.signIn(deployment.somebody())
    await page.waitForSelector('#allow')
  })
})
