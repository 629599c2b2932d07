/** A forgotten password in real Chromium, with a real mail server: asked for, mailed, followed, replaced. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Arrived, openPostOffice } from '../../interop/smtp-server.ts'
import { sitDown } from '../person.ts'
import { setScene } from '../setup.ts'

describe('mail', { concurrency: 2 }, async () => {
  const office = await openPostOffice()
  const settings = {
    GRANTOR_MAIL_SMTP: `smtp://127.0.0.1:${office.port}`,
    GRANTOR_MAIL_FROM: 'Example <login@as.example>',
    GRANTOR_LOG: 'trace',
  }
  const { browser, house } = await setScene(settings, office)

  /** Generous, because it bounds what hangs. */
  async function arrival(username: string, about: RegExp): Promise<Arrived> {
    const found = () =>
      office.arrived.find(({ to, text }) => to.includes(`${username}@example.com`) && about.test(text))
    for (let n = 0; n < 6_000 && found() === undefined; n += 1) await new Promise((over) => setTimeout(over, 10))
    const mail = found()
    assert.ok(mail, `no mail to ${username}`)
    return mail
  }
  const linkIn = ({ html }: Arrived): string => /href="(https:[^"]+token=[^"]+)"/.exec(html)?.[1] ?? ''

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? 'with scripts' : 'without scripts'
    test(`a forgotten password is replaced by the link of a mail, ${how}; no log has the link`, async () => {
      await using person = await sitDown(browser, { javaScriptEnabled })
      const who = house.somebody()
      const { page } = person
      await page.goto(house.ask({ state: `forgot-${javaScriptEnabled}` }))
      await page.click('#forgot-password')
      await person.look(`forgot-password-${javaScriptEnabled}`)
      await page.fill('#username', `${who.username}@example.com`)
      await person.press('send-link')
      await page.waitForSelector('#link-sent')
      const link = linkIn(await arrival(who.username, /reset-password/))
      await page.goto(link)
      assert.equal(page.url(), `${house.issuer}/reset-password`)
      await person.look(`reset-password-${javaScriptEnabled}`)
      await page.fill('#new-password', 'a-brand-new-password')
      await person.press('change-password')
      await page.waitForSelector('#password-changed')
      await page.click('main a.button')
      await person.signIn(who, 'a-brand-new-password')
      await page.waitForURL(`${house.issuer}/account`)
      await arrival(who.username, /password .* was changed/)
      const secret = new URL(link).searchParams.get('token') ?? ''
      assert.match(secret, /^gp_/)
      assert.equal(house.server.output().includes(secret), false)
    })
  }

  test('an address is changed by a link that is followed in the browser of the person', async () => {
    await using person = await sitDown(browser)
    const who = house.somebody()
    const { page } = person
    await page.goto(`${house.issuer}/account`)
    await person.signIn(who)
    await page.waitForURL(`${house.issuer}/account`)
    await page.goto(`${house.issuer}/account/address`)
    await page.fill('#email', `new-${who.username}@example.com`)
    await page.fill('#password', who.password)
    await person.press('change-address')
    await page.waitForURL(/done=check_sent/)
    await page.goto(linkIn(await arrival(`new-${who.username}`, /account\/address/)))
    await person.look('account-address-pending')
    await person.press('confirm')
    await page.waitForURL(/done=address_confirmed/)
    assert.match(await page.innerText('main'), new RegExp(`new-${who.username}@example.com`))
    await person.look('account-address-confirmed')
    await arrival(who.username, /Another address was confirmed/)
  })
})
