/** A forgotten password in real Chromium, with a real mail server: asked for, mailed, followed, replaced. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ReceivedMail, startSmtpServer } from '../../interop/smtp-server.ts'
import { openPerson } from '../person.ts'
import { setUp } from '../setup.ts'

describe('mail', { concurrency: 2 }, async () => {
  const smtp = await startSmtpServer()
  const settings = {
    GRANTOR_MAIL_SMTP: `smtp://127.0.0.1:${smtp.port}`,
    GRANTOR_MAIL_FROM: 'Example <login@as.example>',
    GRANTOR_LOG: 'trace',
  }
  const { browser, deployment } = await setUp(settings, smtp)

  /** Generous, because it bounds what hangs. */
  async function arrival(username: string, about: RegExp): Promise<ReceivedMail> {
    const found = () => smtp.arrived.find(({ to, text }) => to.includes(`${username}@example.com`) && about.test(text))
    for (let n = 0; n < 6_000 && found() === undefined; n += 1) await new Promise((over) => setTimeout(over, 10))
    const mail = found()
    assert.ok(mail, `no mail to ${username}`)
    return mail
  }
  const linkIn = ({ html }: ReceivedMail): string => /href="(https:[^"]+token=[^"]+)"/.exec(html)?.[1] ?? ''

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? 'with scripts' : 'without scripts'
    test(`a forgotten password is replaced by the link of a mail, ${how}; no log has the link`, async () => {
      await using person = await openPerson(browser, { javaScriptEnabled })
      const who = deployment.somebody()
      const { page } = person
      await page.goto(deployment.authorizeUrl({ state: `forgot-${javaScriptEnabled}` }))
      await page.click('#forgot-password')
      await person.checkPage(`forgot-password-${javaScriptEnabled}`)
      await page.fill('#username', `${who.username}@example.com`)
      await person.press('send-link')
      await page.waitForSelector('#link-sent')
      const link = linkIn(await arrival(who.username, /reset-password/))
      await page.goto(link)
      assert.equal(page.url(), `${deployment.issuer}/reset-password`)
      await person.checkPage(`reset-password-${javaScriptEnabled}`)
      await page.fill('#new-password', 'a-brand-new-password')
      await person.press('change-password')
      await page.waitForSelector('#password-changed')
      await page.click('main a.button')
      await person.signIn(who, 'a-brand-new-password')
      await page.waitForURL(`${deployment.issuer}/account`)
      await arrival(who.username, /password .* was changed/)
      const secret = new URL(link).searchParams.get('token') ?? ''
      assert.match(secret, /^gp_/)
      assert.equal(deployment.server.output().includes(secret), false)
    })
  }

  test('an address is changed by a link that is followed in the browser of the person', async () => {
    await using person = await openPerson(browser)
    const who = deployment.somebody()
    const { page } = person
    await page.goto(`${deployment.issuer}/account`)
    await person.signIn(who)
    await page.waitForURL(`${deployment.issuer}/account`)
    await page.goto(`${deployment.issuer}/account/address`)
    await page.fill('#email', `new-${who.username}@example.com`)
    await page.fill('#password', who.password)
    await person.press('change-address')
    await page.waitForURL(/done=check_sent/)
    await page.goto(linkIn(await arrival(`new-${who.username}`, /account\/address/)))
    await person.checkPage('account-address-pending')
    await person.press('confirm')
    await page.waitForURL(/done=address_confirmed/)
    assert.match(await page.innerText('main'), new RegExp(`new-${who.username}@example.com`))
    await person.checkPage('account-address-confirmed')
    await arrival(who.username, /Another address was confirmed/)
  })
})
