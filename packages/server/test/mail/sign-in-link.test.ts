/** Signing in by a mailed link over HTTP, with a real mail server: the way through, and every wrong way. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { type ReceivedMail, startSmtpServer, type TestSmtpServer } from '../../../../interop/smtp-server.ts'
import {
  type Deployment,
  deploy,
  type HandBrowser,
  hiddenIn,
  type PageAnswer,
  pageOf,
  tokenIn,
} from '../interact/deployment.ts'
import { enrolApp } from '../interact/enrolled.ts'

let smtp: TestSmtpServer
let deployment: Deployment
const operator = { kind: 'operator', id: 'test' } as const

before(async () => {
  smtp = await startSmtpServer()
  deployment = await deploy({
    GRANTOR_MAIL_SMTP: `smtp://127.0.0.1:${smtp.port}`,
    GRANTOR_MAIL_FROM: 'Login <login@as.example>',
    // One address asks for all of them here.
    GRANTOR_LIMIT_SIGN_IN_LINK_ADDRESS: '500/1h',
    GRANTOR_LIMIT_LOGIN_ADDRESS: '500/15m',
  })
  await deployment.declare({
    accounts: { sign_in_links: true },
    tenants: [{ id: 'acme', accounts: { sign_in_links: true } }],
  })
})
after(async () => {
  await deployment[Symbol.asyncDispose]()
  await smtp[Symbol.asyncDispose]()
})

const to = (address: string): readonly ReceivedMail[] =>
  smtp.arrived.filter((mail) => mail.to.includes(address) && mail.text.includes('/sign-in-link/finish'))

/** Generous, because it bounds what hangs. */
async function arrival(address: string, nth = 0): Promise<string> {
  for (let n = 0; n < 6_000 && to(address)[nth] === undefined; n += 1) await new Promise((over) => setTimeout(over, 10))
  const { text } = to(address)[nth] ?? assert.fail(`no mail to ${address}`)
  return /https:\S+\/sign-in-link\/finish\?token=gp_[\w-]{43}/.exec(text)?.[0] ?? assert.fail(text)
}

const asked = (browser: HandBrowser, username: string) => browser.press('/sign-in-link', '', { username })

async function linkFor(browser: HandBrowser, { username }: { readonly username: string }, nth = 0): Promise<string> {
  const answer = await asked(browser, username)
  assert.equal(answer.status, 303, answer.body)
  return arrival(`${username}@example.com`, nth)
}

async function follow(browser: HandBrowser, link: string): Promise<PageAnswer> {
  const { pathname, search } = new URL(link)
  const moved = await browser.ask(`${pathname}${search}`)
  assert.equal(moved.status, 303, moved.body)
  assert.equal(moved.headers.location, pathname)
  return browser.ask(pathname)
}

const finishing = (browser: HandBrowser, page: PageAnswer, path = '/sign-in-link/finish') =>
  browser.ask(path, { form: { csrf: tokenIn(page.body), 'finish-sign-in': 'yes' } })

const subjectOf = async ({ username }: { readonly username: string }): Promise<string> => {
  const search = { prefix: username, email: `${username}@example.com`, after: null, limit: 1 }
  const found = await deployment.authority.admin.users.search('default' as never, search)
  return (found.kind === 'ok' ? found.value[0]?.id : undefined) ?? assert.fail(JSON.stringify(found))
}

const events = async (name: string, who: { readonly username: string }) => {
  const last = await deployment.authority.admin.events.last('default' as never, 1_000)
  const subject = await subjectOf(who)
  assert.ok(last.kind === 'ok')
  return last.value.filter((it) => it.name === name && it.subject === subject)
}

/** Whoever begins an authorization and asks for a link on the way. */
async function askedOnTheWay(browser: HandBrowser, username: string, params: Record<string, string> = {}) {
  const hub = await browser.begin({ scope: 'openid', ...params })
  const login = await browser.ask(hub)
  const href = /id="sign-in-link" href="([^"]+)"/.exec(login.body)?.[1] ?? assert.fail(login.body)
  const page = await browser.ask(href)
  const back = /name="back" value="([^"]+)"/.exec(page.body)?.[1] ?? assert.fail(page.body)
  const sent = await browser.ask('/sign-in-link', { form: { csrf: tokenIn(page.body), username, back } })
  assert.equal(sent.status, 303)
  return hub
}

describe('signing in by a mailed link', () => {
  test('on the way to a client: back to it, signed in, told truthfully; the link is kept nowhere', async () => {
    const who = deployment.somebody()
    const browser = deployment.browser()
    const hub = await askedOnTheWay(browser, who.username)
    const link = await arrival(`${who.username}@example.com`)
    const page = await follow(browser, link)
    assert.equal(page.status, 200)
    assert.match(page.body, new RegExp(who.username))
    const done = await finishing(browser, page)
    assert.equal(done.headers.location, hub)
    assert.equal(pageOf(await browser.ask(hub)), 'consent')
    const [started] = await events('session.started', who)
    assert.deepEqual([started?.data?.['amr'], started?.data?.['acr']], [['mca'], 'urn:grantor:acr:1fa'])
    assert.equal((await events('login.link_requested', who)).length, 1)
    const secret = new URL(link).searchParams.get('token') ?? ''
    for (const file of readdirSync(deployment.data).filter((name) => name.startsWith('grantor.db')))
      assert.equal(readFileSync(join(deployment.data, file)).includes(secret), false, file)
  })

  test('it works once, for one of many at the same moment; looking uses nothing up', async () => {
    const who = deployment.somebody()
    const browser = deployment.browser()
    const link = await linkFor(browser, who)
    for (const _ of [1, 2]) assert.equal((await follow(browser, link)).status, 200)
    const page = await follow(browser, link)
    const all = await Promise.all(Array.from({ length: 8 }, () => finishing(browser, page)))
    assert.deepEqual(all.map(({ status }) => String(status)).toSorted(), [
      '303',
      ...Array.from({ length: 7 }, () => '400'),
    ])
    assert.equal((await events('session.started', who)).length, 1)
    assert.equal((await follow(browser, link)).status, 400)
    assert.equal((await browser.ask('/account')).status, 200)
  })

  test('a page that is open while the link of somebody else is followed signs nobody in', async () => {
    const [one, other] = [deployment.somebody(), deployment.somebody()]
    const browser = deployment.browser()
    const page = await follow(browser, await linkFor(browser, one))
    await follow(browser, await linkFor(browser, other))
    const late = await browser.ask('/sign-in-link/finish', { form: hiddenIn(page.body, '/sign-in-link/finish') })
    assert.deepEqual([late.status, late.headers.location], [303, '/sign-in-link/finish'])
    assert.equal(pageOf(await browser.ask('/account')), 'login')
    const shown = await browser.ask('/sign-in-link/finish')
    assert.match(shown.body, new RegExp(other.username))
    assert.equal(
      (await browser.ask('/sign-in-link/finish', { form: hiddenIn(shown.body, '/sign-in-link/finish') })).headers
        .location,
      '/account',
    )
  })

  test('forwarded, or asked for by somebody else, it signs no other browser in, and is not spent', async () => {
    const who = deployment.somebody()
    const [attacker, victim] = [deployment.browser(), deployment.browser()]
    const link = await linkFor(attacker, who)
    const shown = await follow(victim, link)
    assert.equal(shown.status, 400)
    assert.match(shown.body, /id="error"/)
    assert.doesNotMatch(shown.body, new RegExp(who.username), 'nor is it told whose it is')
    // A form of the victim's own browser does not help the link across.
    const own = await victim.ask('/sign-in-link')
    assert.equal((await finishing(victim, own)).status, 400)
    assert.equal(pageOf(await victim.ask('/account')), 'login')
    const [failed] = await events('login.failed', who)
    assert.equal(failed?.reason, 'link')
    assert.equal((await finishing(attacker, await follow(attacker, link))).status, 303)
  })

  test('of another tenant, made up, of another purpose: all read the same', async () => {
    const browser = deployment.browser()
    const link = await linkFor(browser, deployment.somebody())
    const token = new URL(link).searchParams.get('token') ?? ''
    const gone = new Set<string>()
    for (const made of [`gp_${'x'.repeat(43)}`, '%22%3E', `${token}x`]) {
      const page = await follow(deployment.browser(), `${deployment.issuer}/sign-in-link/finish?token=${made}`)
      assert.equal(page.status, 400, made)
      gone.add(page.body)
    }
    assert.equal(gone.size, 1)
    assert.equal((await follow(browser, `${deployment.issuer}/t/acme/sign-in-link/finish?token=${token}`)).status, 400)
    assert.equal((await follow(browser, `${deployment.issuer}/reset-password?token=${token}`)).status, 400)
    assert.equal((await finishing(browser, await follow(browser, link))).status, 303)
  })

  test('nobody learns whether there is such an account; the disabled and the unknown are mailed nothing', async () => {
    const [known, disabled] = [deployment.somebody(), deployment.somebody()]
    await deployment.authority.admin.users.setDisabled(operator, 'default' as never, { ...disabled, disabled: true })
    const answers = new Set<string>()
    for (const name of [disabled.username, 'nobody-at-all', 'x'.repeat(5_000), `${known.username}@example.com`]) {
      const { status, headers, body } = await asked(deployment.browser(), name)
      answers.add(JSON.stringify([status, headers.location, Object.keys(headers).toSorted(), body]))
    }
    assert.equal(answers.size, 1, [...answers].join('\n'))
    await arrival(`${known.username}@example.com`)
    assert.equal(to(`${disabled.username}@example.com`).length, 0)
  })

  test('disabled, or with another password meanwhile: the link is worth nothing', async () => {
    for (const meanwhile of ['disabled', 'password'] as const) {
      const who = deployment.somebody()
      const browser = deployment.browser()
      const page = await follow(browser, await linkFor(browser, who))
      const { users } = deployment.authority.admin
      const outcome =
        meanwhile === 'disabled'
          ? await users.setDisabled(operator, 'default' as never, { ...who, disabled: true })
          : await users.resetPassword(operator, 'default' as never, { ...who, password: 'quite-another-password' })
      assert.equal(outcome.kind, 'ok')
      assert.equal((await finishing(browser, page)).status, 400, meanwhile)
      assert.equal((await events('session.started', who)).length, 0)
    }
  })

  test('after ten minutes the link is worth nothing, also where its page was opened before', async () => {
    const tenMinutesPass = (): void => {
      using file = new DatabaseSync(join(deployment.data, 'grantor.db'), { timeout: 5000 })
      file.exec('update sign_in_links set made_at = made_at - 600000, expires_at = expires_at - 600000')
    }
    const [late, slow] = [deployment.somebody(), deployment.somebody()]
    const [browser, other] = [deployment.browser(), deployment.browser()]
    const link = await linkFor(browser, late)
    const page = await follow(other, await linkFor(other, slow))
    assert.equal(page.status, 200)
    tenMinutesPass()
    assert.equal((await follow(browser, link)).status, 400)
    assert.equal((await finishing(other, page)).status, 400)
    for (const who of [late, slow]) assert.equal((await events('session.started', who)).length, 0)
    assert.equal((await finishing(browser, await follow(browser, await linkFor(browser, late, 1)))).status, 303)
  })

  test('a newer link replaces the older of the same browser; what a stranger asks for takes nothing away', async () => {
    const who = deployment.somebody()
    const browser = deployment.browser()
    const older = await linkFor(browser, who)
    await linkFor(deployment.browser(), who, 1)
    assert.equal((await follow(browser, older)).status, 200)
    const newer = await linkFor(browser, who, 2)
    assert.equal((await follow(browser, older)).status, 400)
    assert.equal((await finishing(browser, await follow(browser, newer))).status, 303)
    // Three an hour for strangers; a browser that they signed in with has its own.
    await asked(deployment.browser(), who.username)
    await linkFor(browser, who, 3)
    assert.equal(to(`${who.username}@example.com`).length, 4)
  })

  test('a second factor is asked for as after a password, in an authorization and at the account', async () => {
    const { who, otp } = await enrolApp(deployment)
    const browser = deployment.browser()
    const hub = await askedOnTheWay(browser, who.username)
    const done = await finishing(browser, await follow(browser, await arrival(`${who.username}@example.com`)))
    assert.equal(done.headers.location, hub)
    assert.match((await browser.ask(hub)).body, /id="otp"/)
    await browser.press(hub, '/second-factor', { otp: otp(), remember: 'yes' })
    assert.equal(pageOf(await browser.ask(hub)), 'consent')
    const started = (await events('session.started', who)).at(-1)
    assert.deepEqual(started?.data?.['amr'], ['mca', 'otp', 'mfa'])
    // Whoever is signed in and confirms who they are shows it in a trusted browser, too; else they could change nothing there.
    const again = await finishing(browser, await follow(browser, await linkFor(browser, who, 1)))
    assert.equal(again.headers.location, '/account/enter/second-factor')
    const other = deployment.browser()
    const at = await finishing(other, await follow(other, await linkFor(other, who, 2)))
    assert.equal(at.headers.location, '/account/enter/second-factor')
  })

  test('prompt=login and max_age are met by it; an acr that it does not reach is not claimed', async () => {
    const who = deployment.somebody()
    const browser = deployment.browser()
    await finishing(browser, await follow(browser, await linkFor(browser, who)))
    let nth = 1
    for (const params of [{ prompt: 'login' }, { max_age: '0' }]) {
      const hub = await askedOnTheWay(browser, who.username, params)
      await finishing(browser, await follow(browser, await arrival(`${who.username}@example.com`, nth++)))
      assert.equal(pageOf(await browser.ask(hub)), 'consent', JSON.stringify(params))
    }
    const claims = JSON.stringify({ id_token: { acr: { essential: true, values: ['urn:grantor:acr:2fa'] } } })
    const hub = await browser.begin({ scope: 'openid', claims })
    const answer = await browser.ask(hub)
    assert.notEqual(pageOf(answer), 'consent', answer.body)
  })

  test('a forged form asks for nothing and signs nobody in; while it is off there is nothing here', async () => {
    const who = deployment.somebody()
    const browser = deployment.browser()
    await browser.ask('/sign-in-link')
    assert.equal((await browser.ask('/sign-in-link', { form: { username: who.username } })).status, 403)
    const page = await follow(browser, await linkFor(browser, who))
    assert.equal((await browser.ask('/sign-in-link/finish', { form: { 'finish-sign-in': 'yes' } })).status, 403)
    assert.equal(to(`${who.username}@example.com`).length, 1)
    await deployment.declare({ accounts: {} })
    assert.equal((await finishing(browser, page)).status, 404)
    assert.equal((await browser.ask('/sign-in-link')).status, 404)
    assert.doesNotMatch((await browser.ask('/account')).body, /sign-in-link/)
    await deployment.declare({ accounts: { sign_in_links: true } })
    assert.equal((await finishing(browser, page)).status, 303)
  })
})
