/** The device flow in real Chromium: a device polls, a person types its code, signs in, and allows or denies. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, openPerson } from '../person.ts'
import { setUp } from '../setup.ts'

interface Codes {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
}

describe('a device asks', { concurrency: 2 }, async () => {
  const { browser, deployment } = await setUp()

  /** The television speaks for itself; that it shares a browser's connection is nobody's business but the test's. */
  const television = ({ context }: Person) => {
    const post = async (path: string, form: Record<string, string>): Promise<Record<string, string>> =>
      (await (await context.request.post(`${deployment.issuer}${path}`, { form })).json()) as Record<string, string>
    return {
      ask: async (): Promise<Codes> => {
        const scope = 'openid offline_access photos:read photos:write'
        return (await post('/device_authorization', { client_id: 'tv', scope })) as unknown as Codes
      },
      poll: (codes: Codes) =>
        post('/token', {
          grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
          device_code: codes.device_code,
          client_id: 'tv',
        }),
    }
  }

  test('RFC 8628 §3.3: the code is typed on a phone, by keyboard alone, without script; the device gets its tokens', async () => {
    const phone = { viewport: { width: 360, height: 740 }, javaScriptEnabled: false, locale: 'de' }
    await using person = await openPerson(browser, phone)
    const { page } = person
    const tv = television(person)
    const codes = await tv.ask()
    assert.equal((await tv.poll(codes))['error'], 'authorization_pending')
    await page.goto(codes.verification_uri)
    await person.checkPage('device-entry-phone')
    await page.keyboard.type(codes.user_code.toLowerCase().replace('-', ''))
    await page.keyboard.press('Enter')
    await person.signIn(deployment.somebody())
    await page.waitForSelector('#allow')
    assert.ok((await page.innerText('main')).includes(codes.user_code))
    await person.checkPage('device-consent-phone')
    await person.press('allow')
    await page.waitForSelector('#device-approved')
    await person.checkPage('device-approved-phone')
    const tokens = await tv.poll(codes)
    assert.ok(tokens['access_token'] && tokens['refresh_token'] && tokens['id_token'])
  })

  test('RFC 8628 §5.4: a link with the code asks to compare it; who denies, denies for good', async () => {
    await using person = await openPerson(browser, { colorScheme: 'dark' })
    const { page } = person
    const tv = television(person)
    const codes = await tv.ask()
    await page.goto(codes.verification_uri_complete)
    assert.equal(await page.inputValue('#user_code'), codes.user_code)
    await person.checkPage('device-prefilled')
    await person.press('confirm')
    await person.signIn(deployment.somebody())
    await page.waitForSelector('#deny')
    await person.checkPage('device-consent')
    await person.press('deny')
    await page.waitForSelector('#device-denied')
    await person.checkPage('device-denied')
    assert.equal((await tv.poll(codes))['error'], 'access_denied')
    await page.goto(codes.verification_uri)
    await page.fill('#user_code', codes.user_code)
    await person.press('confirm')
    await page.waitForSelector('[role="alert"], .error-summary')
    await person.checkPage('device-unknown')
  })
})
