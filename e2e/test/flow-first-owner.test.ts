/** The first owner in real Chromium: signs in with the password of the file, must choose another, and then administers. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openPerson } from '../person.ts'
import { setUp } from '../setup.ts'

describe('the first owner', async () => {
  const { browser, deployment } = await setUp()

  test('the first sign-in asks for a password of one’s own, on the way to an app and at the account pages', async () => {
    const password = readFileSync(join(deployment.data, 'first-owner-password'), 'utf8').trim()
    const admin = { username: 'admin', password, name: 'admin' }
    await using person = await openPerson(browser)
    const { page } = person
    await page.goto(deployment.authorizeUrl({ state: 'first' }))
    await person.signIn(admin)
    await page.waitForSelector('#new-password')
    await person.checkPage('new-password')
    // There is no way round it: not by another page of the account, and not by the app.
    for (const path of ['/account', '/account/sessions', '/account/sign-in-methods']) {
      await page.goto(`${deployment.issuer}${path}`)
      assert.ok(await page.isVisible('#new-password'), path)
    }
    await page.goto(deployment.authorizeUrl({ state: 'second' }))
    await page.fill('#new-password', 'short')
    await person.press('change-password')
    await page.waitForSelector('[aria-invalid="true"]')
    await person.checkPage('new-password-short')
    await page.fill('#new-password', password)
    await person.press('change-password')
    await page.waitForSelector('[aria-invalid="true"]')
    await page.fill('#new-password', 'correct-horse-battery')
    await person.press('change-password')
    await page.waitForSelector('#allow')
    await person.press('allow')
    assert.ok((await person.arrivalAt(deployment.web, 'second')).parameters['code'])

    await using other = await openPerson(browser, { javaScriptEnabled: false })
    await other.page.goto(`${deployment.issuer}/account`)
    await other.signIn(admin)
    assert.ok(await other.page.isVisible('#sign-in'), 'the first password is worth nothing any more')
    await other.signIn(admin, 'correct-horse-battery')
    await other.page.waitForURL(`${deployment.issuer}/account`)
  })
})
