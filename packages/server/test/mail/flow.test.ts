/** A forgotten password and a mail address over HTTP, with a real mail server: the way through, and every wrong way. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  type PageAnswer,
  type Deployment,
  deploy,
  type HandBrowser,
  hiddenIn,
  type Person,
  tokenIn,
} from '../interact/deployment.ts'
import { type ReceivedMail, startSmtpServer, type TestSmtpServer } from '../../../../interop/smtp-server.ts'

let smtp: TestSmtpServer
let deployment: Deployment

before(async () => {
  smtp = await startSmtpServer()
  deployment = await deploy({
    GRANTOR_MAIL_SMTP: `smtp://127.0.0.1:${smtp.port}`,
    GRANTOR_MAIL_FROM: 'Login <login@as.example>',
    // One address asks for all of them here.
    GRANTOR_LIMIT_RESET_ADDRESS: '100/1h',
  })
})
after(async () => {
  await deployment[Symbol.asyncDispose]()
  await smtp[Symbol.asyncDispose]()
})

/** Generous, because it bounds what hangs. */
async function arrival(to: string, about: RegExp, before = 0): Promise<ReceivedMail> {
  const found = () => smtp.arrived.filter((mail) => mail.to.includes(to) && about.test(mail.text))[before]
  for (let n = 0; n < 6_000 && found() === undefined; n += 1) await new Promise((over) => setTimeout(over, 10))
  const mail = found()
  assert.ok(mail, `no mail to ${to}`)
  return mail
}

const addressOf = ({ username }: Person): string => `${username}@example.com`

/** Follows the link of a mail to the page it leads to. */
async function follow(browser: HandBrowser, link: string): Promise<PageAnswer> {
  const { pathname, search } = new URL(link)
  const moved = await browser.ask(`${pathname}${search}`)
  assert.equal(moved.status, 303, moved.body)
  assert.equal(moved.headers.location, pathname)
  return browser.ask(pathname)
}

async function asked(browser: HandBrowser, named: string, base = ''): Promise<PageAnswer> {
  return browser.press(`${base}/forgot-password`, '', { username: named, 'send-link': 'yes' })
}

async function linkFor(who: Person, nth = 0, base = ''): Promise<string> {
  await asked(deployment.browser(), who.username, base)
  const { text } = await arrival(addressOf(who), /reset-password/, nth)
  return /https:\S+\/reset-password\?token=gp_[\w-]{43}/.exec(text)?.[0] ?? ''
}

const setTo = (browser: HandBrowser, page: PageAnswer, password: string, path = '/reset-password') =>
  browser.ask(path, { form: { csrf: tokenIn(page.body), 'new-password': password } })

/** At the account page. */
async function entered(browser: HandBrowser, { username, password }: Person): Promise<boolean> {
  const csrf = tokenIn((await browser.ask('/account')).body)
  const answer = await browser.ask('/account/enter', { form: { csrf, username, password } })
  return answer.status === 303
}

describe('a forgotten password', () => {
  test('is replaced by the link of a mail; the secret is in no address, no page and no database', async () => {
    const who = deployment.somebody()
    const browser = deployment.browser()
    assert.match((await browser.ask('/account')).body, /href="\/forgot-password"/)
    const answer = await asked(browser, who.username)
    assert.equal(answer.headers.location, '/forgot-password?done=sent')
    assert.match((await browser.ask('/forgot-password?done=sent')).body, /id="link-sent"/)
    const mail = await arrival(addressOf(who), /reset-password/)
    assert.ok(mail.text.includes(deployment.issuer))
    const link = /https:\S+token=(gp_[\w-]{43})/.exec(mail.text)
    assert.ok(link !== null && mail.html.includes(link[0]))
    const page = await follow(browser, link[0])
    assert.match(page.body, new RegExp(who.username))
    const secret = link[1] ?? ''
    assert.doesNotMatch(page.body, new RegExp(secret))
    const done = await setTo(browser, page, 'a-brand-new-password')
    assert.equal(done.headers.location, '/reset-password?done=changed')
    assert.match((await browser.ask('/reset-password?done=changed')).body, /id="password-changed"/)
    assert.equal(await entered(browser, who), false)
    assert.equal(await entered(browser, { ...who, password: 'a-brand-new-password' }), true)
    await arrival(addressOf(who), /password .* was changed/)
    const kept = readdirSync(deployment.data).filter((name) => name.startsWith('grantor.db'))
    assert.ok(kept.length > 0)
    for (const file of kept) assert.equal(readFileSync(join(deployment.data, file)).includes(secret), false, file)
  })

  test('whoever is named, every byte of the answer is the same', async () => {
    const names = [deployment.somebody().username, 'nobody-at-all', 'nobody@example.com', '"><script>', 'x'.repeat(900)]
    const answers: string[] = []
    for (const named of names) {
      const { status, headers, body } = await asked(deployment.browser(), named)
      answers.push(JSON.stringify([status, headers.location, Object.keys(headers).toSorted(), body]))
    }
    assert.equal(new Set(answers).size, 1)
  })

  test('looking at a link uses nothing up; a used one, a made-up one and none at all read the same', async () => {
    const who = deployment.somebody()
    const link = await linkFor(who)
    for (const _ of [1, 2, 3]) assert.equal((await follow(deployment.browser(), link)).status, 200)
    await deployment.send(`${new URL(link).pathname}${new URL(link).search}`, { method: 'HEAD' })
    const browser = deployment.browser()
    const page = await follow(browser, link)
    assert.equal((await setTo(browser, page, 'a-brand-new-password')).status, 303)
    const used = await follow(deployment.browser(), link)
    const madeUp = await follow(deployment.browser(), `${deployment.issuer}/reset-password?token=gp_${'x'.repeat(43)}`)
    const odd = await follow(deployment.browser(), `${deployment.issuer}/reset-password?token=%22%3E`)
    const none = await deployment.browser().ask('/reset-password')
    for (const answer of [used, madeUp, odd, none]) {
      assert.deepEqual([answer.status, answer.body], [400, none.body])
      assert.match(answer.body, /id="error"/)
    }
  })

  test('a page that is open while a newer link is sent, or another browser uses it, sets nothing', async () => {
    const who = deployment.somebody()
    const first = deployment.browser()
    const page = await follow(first, await linkFor(who))
    const second = deployment.browser()
    const newer = await follow(second, await linkFor(who, 1))
    assert.equal((await setTo(first, page, 'a-brand-new-password')).status, 400)
    // The form of one browser, sent by another.
    const thief = deployment.browser()
    assert.equal((await setTo(thief, newer, 'a-brand-new-password')).status, 403)
    assert.equal((await setTo(second, newer, 'short')).status, 400)
    assert.equal((await setTo(second, newer, 'a-brand-new-password')).status, 303)
    assert.equal((await setTo(second, newer, 'another-password')).status, 400)
    assert.equal(await entered(second, { ...who, password: 'a-brand-new-password' }), true)
  })

  test('a page that is open while the link of somebody else is followed sets nobody’s password', async () => {
    const [one, other] = [deployment.somebody(), deployment.somebody()]
    const browser = deployment.browser()
    const page = await follow(browser, await linkFor(one))
    const newer = await follow(browser, await linkFor(other))
    const late = await browser.ask('/reset-password', {
      form: { ...hiddenIn(page.body, '/reset-password'), 'new-password': 'of-the-first' },
    })
    assert.deepEqual([late.status, late.headers.location], [303, '/reset-password'])
    assert.match((await browser.ask('/reset-password')).body, new RegExp(`>[^<]*${other.username}`))
    assert.equal(await entered(deployment.browser(), other), true, 'the password is the old one')
    const form = { ...hiddenIn(newer.body, '/reset-password'), 'new-password': 'of-the-second' }
    const done = await browser.ask('/reset-password', { form })
    assert.equal(done.headers.location, '/reset-password?done=changed')
    assert.equal(await entered(browser, { ...other, password: 'of-the-second' }), true)
  })

  test('a link of one tenant is none at another', async () => {
    const who = deployment.somebody()
    const link = await linkFor(who, 0, '/t/acme')
    assert.match(link, /\/t\/acme\/reset-password\?token=/)
    assert.equal((await follow(deployment.browser(), link.replace('/t/acme', ''))).status, 400)
    const browser = deployment.browser()
    const page = await follow(browser, link)
    assert.equal(page.status, 200)
    assert.equal((await setTo(browser, page, 'a-brand-new-password')).status, 403)
    assert.equal((await setTo(browser, page, 'a-brand-new-password', '/t/acme/reset-password')).status, 303)
    assert.equal(await entered(deployment.browser(), who), true)
  })

  test('forms that are forged, repeated, malformed or too large change nothing', async () => {
    const browser = deployment.browser()
    const csrf = tokenIn((await browser.ask('/forgot-password')).body)
    const post = (content: string, headers = {}) => browser.ask('/forgot-password', { content, headers })
    const who = deployment.somebody()
    const bodies = [
      `username=${who.username}`,
      `csrf=${'x'.repeat(43)}&username=${who.username}`,
      `csrf=${csrf}&username=${who.username}&username=${who.username}`,
      `csrf=${csrf}&username=%FF%FE`,
      `csrf=${csrf}&username=${'x'.repeat(70_000)}`,
    ]
    for (const body of bodies) assert.ok((await post(body)).status >= 400, body.slice(0, 60))
    const elsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    assert.equal((await post(`csrf=${csrf}&username=${who.username}`, elsewhere)).status, 403)
    assert.equal((await post(`csrf=${csrf}&username=`)).status, 200)
    // What is asked for after them arrives; of them nothing did.
    await linkFor(deployment.somebody())
    assert.equal(
      smtp.arrived.some((mail) => mail.to.includes(addressOf(who))),
      false,
    )
  })
})

describe('a mail address', () => {
  test('is confirmed in the account it is for, after signing in there, and nowhere else', async () => {
    const who = deployment.somebody()
    const browser = deployment.browser()
    await entered(browser, who)
    const page = await browser.ask('/account/address')
    assert.match(page.body, /id="send-check"/)
    const sent = await browser.ask('/account/address', { form: { csrf: tokenIn(page.body), 'send-check': 'yes' } })
    assert.equal(sent.headers.location, '/account/address?done=check_sent')
    const { text } = await arrival(addressOf(who), /account\/address/)
    const link = /https:\S+\/account\/address\?token=gp_[\w-]{43}/.exec(text)?.[0] ?? ''
    // Somebody else who reads that mailbox, at their own account.
    const stranger = deployment.browser()
    await entered(stranger, deployment.somebody())
    assert.equal((await follow(stranger, link)).status, 400)
    // Its owner at another browser signs in, and is led on.
    const elsewhere = deployment.browser()
    assert.match((await follow(elsewhere, link)).body, /id="sign-in"/)
    const csrf = tokenIn((await elsewhere.ask('/account')).body)
    const { username, password } = who
    const entering = await elsewhere.ask('/account/enter', { form: { csrf, username, password } })
    assert.equal(entering.headers.location, '/account/address')
    const pending = await elsewhere.ask('/account/address')
    assert.match(pending.body, /id="confirm"/)
    const confirm = { csrf: tokenIn(pending.body), confirm: 'yes' }
    assert.equal((await elsewhere.ask('/account/address', { form: confirm })).status, 303)
    assert.equal((await elsewhere.ask('/account/address', { form: confirm })).status, 200)
    assert.doesNotMatch((await browser.ask('/account/address')).body, /id="send-check"/)
  })

  test('another one needs the password, and hears of it itself', async () => {
    const who = deployment.somebody()
    const browser = deployment.browser()
    await entered(browser, who)
    const change = async (email: string, password: string) => {
      const csrf = tokenIn((await browser.ask('/account/address')).body)
      return browser.ask('/account/address', { form: { csrf, email, password, 'change-address': 'yes' } })
    }
    const next = `${who.username}@elsewhere.example`
    assert.equal((await change(next, 'wrong-password')).status, 400)
    assert.equal((await change('a@b.example\r\nBcc: c@d.example', who.password)).status, 400)
    assert.equal((await change(next, who.password)).status, 303)
    const mail = await arrival(next, /account\/address/)
    assert.deepEqual(mail.to, [next])
    assert.match((await browser.ask('/account/address')).body, new RegExp(addressOf(who)))
  })
})

test('where nothing can be mailed, nothing of it is offered, and its addresses do not exist', async () => {
  await using bare = await deploy()
  const browser = bare.browser()
  assert.doesNotMatch((await browser.ask('/account')).body, /forgot/)
  await entered(browser, bare.somebody())
  assert.doesNotMatch((await browser.ask('/account')).body, /account\/address/)
  for (const path of ['/forgot-password', '/reset-password', '/reset-password?token=gp_x', '/account/address']) {
    assert.equal((await browser.ask(path)).status, 404, path)
    assert.equal((await browser.ask(path, { form: { username: 'alice' } })).status, 404, path)
    assert.equal((await browser.ask(`/t/acme${path}`)).status, 404, path)
  }
})
