/** A person's own account in real Chromium: apps, sessions, password, activity, signing out. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, signedIn, openPerson } from '../person.ts'
import { setUp } from '../setup.ts'

describe('the account pages', { concurrency: 2 }, async () => {
  const { browser, deployment } = await setUp()

  async function connect(person: Person, state: string): Promise<void> {
    await person.page.goto(
      deployment.authorizeUrl({ state, scope: 'openid offline_access photos:read', prompt: 'consent' }),
    )
    await person.press('allow')
    await person.arrivalAt(deployment.web, state)
  }
  const open = (person: Person, section: string) => person.page.goto(`${deployment.issuer}/account${section}`)
  const isSignedIn = async (person: Person): Promise<boolean> => {
    await open(person, '')
    return (await person.page.locator('#username').count()) === 0
  }

  test('whoever is not signed in is asked to; a wrong password is told there', async () => {
    await using person = await openPerson(browser)
    const who = deployment.somebody()
    await open(person, '')
    await person.checkPage('account-sign-in')
    await person.signIn(who, 'not-the-password')
    assert.match(await person.page.innerText('main'), /do not match/)
    // The address bar now names the form; opening it anew leads back to the page.
    await person.page.goto(person.page.url())
    await person.signIn(who)
    await person.page.waitForURL(`${deployment.issuer}/account`)
    await person.checkPage('account-apps-none')
  })

  test('an app with access is shown with what it may do, and loses it', async () => {
    await using person = await signedIn(browser, deployment)
    await connect(person, 'apps')
    await open(person, '')
    assert.match(await person.page.innerText('main'), /Photo Printer.*See your photos/s)
    await person.checkPage('account-apps')
    await person.page.click('details.confirm summary')
    await person.page.click('#revoke-printer')
    await person.page.waitForURL(/done=access_removed/)
    await person.checkPage('account-apps-removed')
    // It must ask again.
    await person.page.goto(deployment.authorizeUrl({ state: 'apps-2', prompt: 'none' }))
    assert.equal((await person.arrivalAt(deployment.web, 'apps-2')).parameters['error'], 'consent_required')
  })

  test('sessions elsewhere are listed and ended, one or all', async () => {
    await using here = await signedIn(browser, deployment)
    const elsewhere = await Promise.all([1, 2, 3].map(() => openPerson(browser)))
    for (const person of elsewhere) {
      await open(person, '')
      await person.signIn(here.who)
      await person.page.waitForURL(`${deployment.issuer}/account`)
    }
    await open(here, '/sessions')
    assert.equal(await here.page.locator('[name=end]').count(), 3)
    await here.checkPage('account-sessions')
    await here.page.locator('[name=end]').first().click()
    await here.page.waitForURL(/done=session_ended/)
    assert.equal(await here.page.locator('[name=end]').count(), 2)
    await here.press('end-others')
    await here.page.waitForURL(/done=other_sessions_ended/)
    for (const person of elsewhere) assert.equal(await isSignedIn(person), false)
    assert.equal(await isSignedIn(here), true)
    for (const person of elsewhere) await person[Symbol.asyncDispose]()
  })

  test('a changed password counts at once, and ends the sessions elsewhere', async () => {
    await using here = await signedIn(browser, deployment)
    await using there = await openPerson(browser)
    await open(there, '')
    await there.signIn(here.who)
    await there.page.waitForURL(`${deployment.issuer}/account`)
    const change = async (current: string, next: string): Promise<void> => {
      await open(here, '/password')
      await here.page.fill('#password', current)
      await here.page.fill('#new-password', next)
      await here.press('change-password')
    }
    await change('not-the-password', 'tr0ub4dor-and-three')
    assert.match(await here.page.innerText('main'), /current password is not right/)
    await here.checkPage('account-password-wrong')
    await change(here.who.password, 'short')
    assert.match(await here.page.innerText('main'), /too short/)
    await change(here.who.password, 'tr0ub4dor-and-three')
    await here.page.waitForURL(/done=password_changed/)
    await here.checkPage('account-password-changed')
    assert.equal(await isSignedIn(there), false)
    await there.signIn(here.who)
    assert.match(await there.page.innerText('main'), /do not match/)
    await there.signIn(here.who, 'tr0ub4dor-and-three')
    await there.page.waitForURL(`${deployment.issuer}/account`)
  })

  test('recent activity tells one line for each thing that happened, newest first', async () => {
    await using person = await signedIn(browser, deployment)
    await connect(person, 'activity')
    await open(person, '/activity')
    const lines = await person.page.locator('tbody tr td:first-child').allInnerTexts()
    assert.deepEqual(lines, ['Allowed Photo Printer', 'Signed in'])
    await using stranger = await openPerson(browser)
    await open(stranger, '')
    for (let i = 0; i < 3; i++) await stranger.signIn(person.who, 'guess')
    await open(person, '/activity')
    await person.checkPage('account-activity')
    const later = await person.page.locator('tbody tr td:first-child').allInnerTexts()
    assert.deepEqual(later, [...Array<string>(3).fill('Sign-in failed'), ...lines])
  })

  test('OIDC RP-Initiated Logout §2: /logout asks first, and signs out when it is confirmed', async () => {
    await using person = await signedIn(browser, deployment)
    await person.page.goto(`${deployment.issuer}/logout`)
    await person.checkPage('logout')
    await person.press('stay')
    await person.page.waitForURL(`${deployment.issuer}/account`)
    await person.page.goto(`${deployment.issuer}/logout`)
    await person.press('sign-out')
    await person.page.waitForSelector('#signed-out')
    await person.checkPage('signed-out')
    assert.equal(await isSignedIn(person), false)
  })

  test('on a phone, in the dark, in German, the account pages fit', async () => {
    await using person = await openPerson(browser, {
      locale: 'de',
      colorScheme: 'dark',
      viewport: { width: 360, height: 740 },
    })
    await open(person, '')
    await person.signIn(deployment.somebody())
    await person.page.waitForURL(`${deployment.issuer}/account`)
    await connect(person, 'phone')
    for (const section of ['', '/sessions', '/password', '/activity']) {
      await open(person, section)
      assert.equal(await person.page.getAttribute('html', 'lang'), 'de')
      await person.checkPage(`account-phone${section.replace('/', '-')}`)
    }
  })
})
