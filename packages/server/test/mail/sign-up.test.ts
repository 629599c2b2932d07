/** Sign-up and terms over HTTP, with a real mail server: the way through, and every wrong way. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type ReceivedMail, startSmtpServer, type TestSmtpServer } from '../../../../interop/smtp-server.ts'
import {
  authorizeQuery,
  type Deployment,
  deploy,
  type HandBrowser,
  hiddenIn,
  type PageAnswer,
  pageOf,
  tokenIn,
} from '../interact/deployment.ts'

let smtp: TestSmtpServer
let deployment: Deployment

before(async () => {
  smtp = await startSmtpServer()
  deployment = await deploy({
    GRANTOR_MAIL_SMTP: `smtp://127.0.0.1:${smtp.port}`,
    GRANTOR_MAIL_FROM: 'Login <login@as.example>',
    // One address asks for all of them here.
    GRANTOR_LIMIT_RESET_ADDRESS: '500/1h',
  })
  await deployment.declare({ accounts: { sign_up: true } })
})
after(async () => {
  await deployment[Symbol.asyncDispose]()
  await smtp[Symbol.asyncDispose]()
})

const to = (address: string): readonly ReceivedMail[] => smtp.arrived.filter((mail) => mail.to.includes(address))

/** Generous, because it bounds what hangs. */
async function arrival(address: string, about: RegExp, nth = 0): Promise<ReceivedMail> {
  const found = () => to(address).filter((mail) => about.test(mail.text))[nth]
  for (let n = 0; n < 6_000 && found() === undefined; n += 1) await new Promise((over) => setTimeout(over, 10))
  const mail = found()
  assert.ok(mail, `no mail to ${address}`)
  return mail
}

const asked = (browser: HandBrowser, email: string, more: Readonly<Record<string, string>> = {}) =>
  browser.press('/sign-up', '', { email, 'send-link': 'yes', ...more })

const linkIn = ({ text }: ReceivedMail): string =>
  /https:\S+\/sign-up\/finish\?token=gp_[\w-]{43}/.exec(text)?.[0] ?? assert.fail(text)

async function linkFor(email: string, browser = deployment.browser(), nth = 0): Promise<string> {
  const answer = await asked(browser, email)
  assert.equal(answer.status, 303, answer.body)
  return linkIn(await arrival(email, /sign-up\/finish/, nth))
}

/** Follows the link of a mail to the page it leads to. */
async function follow(browser: HandBrowser, link: string): Promise<PageAnswer> {
  const { pathname, search } = new URL(link)
  const moved = await browser.ask(`${pathname}${search}`)
  assert.equal(moved.status, 303, moved.body)
  assert.equal(moved.headers.location, pathname)
  return browser.ask(pathname)
}

const finishing = (browser: HandBrowser, page: PageAnswer, more: Readonly<Record<string, string>> = {}) =>
  browser.ask('/sign-up/finish', {
    form: { csrf: tokenIn(page.body), name: 'Grace Hopper', 'new-password': 'a-brand-new-password', ...more },
  })

const people = async (email: string) => {
  const search = { prefix: '', email, after: null, limit: 10 }
  const found = await deployment.authority.admin.users.search('default' as never, search)
  return found.kind === 'ok' ? found.value : assert.fail(JSON.stringify(found))
}

describe('sign-up', () => {
  test('whoever makes an account on the way to a client ends at the client; the link is kept nowhere', async () => {
    const browser = deployment.browser()
    const hub = await browser.begin({ scope: 'openid email' })
    const login = await browser.ask(hub)
    const href = /id="sign-up" href="([^"]+)"/.exec(login.body)?.[1] ?? assert.fail(login.body)
    const page = await browser.ask(href)
    assert.equal(page.status, 200)
    const back = /name="back" value="([^"]+)"/.exec(page.body)?.[1] ?? assert.fail(page.body)
    const sent = await browser.ask('/sign-up', {
      form: { csrf: tokenIn(page.body), email: 'grace@example.org', back },
    })
    assert.equal(sent.status, 303)
    assert.deepEqual(await people('grace@example.org'), [], 'nothing is made before the link comes back')
    const link = linkIn(await arrival('grace@example.org', /sign-up\/finish/))
    const finish = await follow(browser, link)
    assert.match(finish.body, /grace@example\.org/)
    const done = await finishing(browser, finish)
    assert.equal(done.headers.location, hub)
    assert.equal(pageOf(await browser.ask(hub)), 'consent')
    await browser.allow(hub)
    const answer = await browser.ask(hub)
    assert.ok(new URL(answer.headers.location ?? '').searchParams.has('code'))
    const [person] = await people('grace@example.org')
    assert.equal(person?.username, 'grace@example.org')
    assert.deepEqual(person?.claims, { name: 'Grace Hopper', email: 'grace@example.org', email_verified: true })
    const secret = new URL(link).searchParams.get('token') ?? ''
    for (const file of readdirSync(deployment.data).filter((name) => name.startsWith('grantor.db')))
      assert.equal(readFileSync(join(deployment.data, file)).includes(secret), false, file)
  })

  test('nobody learns whether an address has an account: the same answer, and one mail to the address', async () => {
    const known = deployment.somebody()
    const disabled = deployment.somebody()
    const operator = { kind: 'operator', id: 'test' } as const
    await deployment.authority.admin.users.setDisabled(operator, 'default' as never, { ...disabled, disabled: true })
    const addresses = [`${known.username}@example.com`, `${disabled.username}@example.com`, 'stranger@example.com']
    const answers: string[] = []
    for (const email of addresses) {
      const { status, headers, body } = await asked(deployment.browser(), email)
      answers.push(JSON.stringify([status, headers.location, Object.keys(headers).toSorted(), body]))
    }
    assert.equal(new Set(answers).size, 1, answers.join('\n'))
    await arrival(addresses[2] ?? '', /sign-up\/finish/)
    for (const email of addresses.slice(0, 2)) await arrival(email, /There is one/)
    for (const email of addresses) assert.equal(to(email).length, 1, email)
    for (const email of addresses.slice(0, 2)) assert.doesNotMatch(to(email)[0]?.text ?? '', /token=/)
  })

  test('a link makes one account: used twice, made up, of another tenant or purpose, all read the same', async () => {
    await deployment.declare({ tenants: [{ id: 'acme', accounts: { sign_up: true } }] })
    const link = await linkFor('once@example.org')
    for (const _ of [1, 2])
      assert.equal((await follow(deployment.browser(), link)).status, 200, 'looking uses nothing up')
    const [one, two] = [deployment.browser(), deployment.browser()]
    const pages = [await follow(one, link), await follow(two, link)] as const
    const both = await Promise.all([finishing(one, pages[0]), finishing(two, pages[1])])
    assert.deepEqual(both.map(({ status }) => String(status)).toSorted(), ['303', '400'])
    assert.equal((await people('once@example.org')).length, 1)
    const secret = new URL(link).searchParams.get('token') ?? ''
    const other = await linkFor('tenants@example.org')
    const elsewhere = new URL(other).searchParams.get('token') ?? ''
    const gone: string[] = []
    for (const address of [
      `/sign-up/finish?token=${secret}`,
      `/sign-up/finish?token=gp_${'x'.repeat(43)}`,
      `/sign-up/finish?token=${elsewhere.slice(0, -1)}${elsewhere.endsWith('A') ? 'B' : 'A'}`,
      `/sign-up/finish?token=%22%3E`,
      `/invitation?token=${elsewhere}`,
    ]) {
      const page = await follow(deployment.browser(), `${deployment.issuer}${address}`)
      assert.equal(page.status, 400, address)
      gone.push(page.body)
    }
    assert.equal(new Set(gone).size, 1)
    const acme = await follow(deployment.browser(), `${deployment.issuer}/t/acme/sign-up/finish?token=${elsewhere}`)
    assert.equal(acme.status, 400)
  })

  test('a page that is open while another link is followed makes no account of that other address', async () => {
    const browser = deployment.browser()
    const page = await follow(browser, await linkFor('mine@example.org', browser))
    // Somebody leads this browser to the link of an account of their own.
    await follow(browser, await linkFor('planted@example.org'))
    const late = await finishing(browser, page, hiddenIn(page.body, '/sign-up/finish'))
    assert.deepEqual([late.status, late.headers.location], [303, '/sign-up/finish'])
    assert.match((await browser.ask('/sign-up/finish')).body, /planted@example\.org/)
    for (const email of ['mine@example.org', 'planted@example.org']) assert.deepEqual(await people(email), [])
  })

  test('a newer link replaces the older, and whoever came first keeps the address', async () => {
    const older = await linkFor('twice@example.org')
    const newer = await linkFor('twice@example.org', deployment.browser(), 1)
    assert.equal((await follow(deployment.browser(), older)).status, 400)
    const browser = deployment.browser()
    const page = await follow(browser, newer)
    const operator = { kind: 'operator', id: 'test' } as const
    const claims = { email: 'Twice@example.org' }
    const input = { username: 'twice', password: null, claims }
    assert.equal((await deployment.authority.admin.users.create(operator, 'default' as never, input)).kind, 'ok')
    assert.equal((await finishing(browser, page)).status, 400)
    assert.equal((await people('twice@example.org')).length, 1)
  })

  test('hostile names, addresses and passwords are refused at their fields, and change nothing', async () => {
    const browser = deployment.browser()
    for (const email of [
      'a@b.example\r\nBcc: victim@example.com',
      'a@b.example, victim@example.com',
      '"a b"@example.com',
      `${'x'.repeat(300)}@example.com`,
      'no address',
      '',
    ]) {
      const answer = await asked(browser, email)
      assert.equal(answer.status, 400, email)
      // What holds control characters is no form at all.
      assert.match(answer.body, email.includes('\n') ? /id="error"/ : /id="email-error"/)
    }
    const page = await follow(browser, await linkFor('hostile@example.org', browser))
    for (const name of ['', '\u202egnp.exe', 'x'.repeat(201), 'a\u0000b', '\u200b']) {
      const answer = await finishing(browser, page, { name })
      assert.equal(answer.status, 400, JSON.stringify(name))
      assert.match(answer.body, name.includes('\u0000') ? /id="error"/ : /id="name-error"/)
    }
    for (const password of ['short', 'hostile@example.org', 'x'.repeat(600)]) {
      const answer = await finishing(browser, page, { 'new-password': password })
      assert.equal(answer.status, 400, password)
      assert.match(answer.body, /id="new-password-error"/)
    }
    assert.deepEqual(await people('hostile@example.org'), [])
    const named = '<script>alert(1)</script> & "Grace"'
    assert.equal((await finishing(browser, page, { name: named })).status, 303)
    assert.doesNotMatch((await browser.ask('/account')).body, /<script>alert/)
  })

  test('a forged form asks for nothing, and a form of another browser makes nothing', async () => {
    const browser = deployment.browser()
    await browser.ask('/sign-up')
    assert.equal((await browser.ask('/sign-up', { form: { email: 'forged@example.org' } })).status, 403)
    const link = await linkFor('forged2@example.org')
    const page = await follow(deployment.browser(), link)
    const victim = deployment.browser()
    await follow(victim, link)
    assert.equal((await finishing(victim, page)).status, 403)
    assert.deepEqual(await people('forged2@example.org'), [])
  })

  test('a mailbox is not filled by strangers: beyond a few an hour nothing is sent, and nobody is told', async () => {
    for (const _ of [1, 2, 3, 4, 5]) {
      assert.equal((await asked(deployment.browser(), 'often@example.org')).status, 303)
    }
    await asked(deployment.browser(), 'after-often@example.org')
    await arrival('after-often@example.org', /sign-up\/finish/)
    await arrival('often@example.org', /sign-up\/finish/, 2)
    assert.equal(to('often@example.org').length, 3)
  })

  test('domains are held to, whatever the case; a name that only ends so is another domain', async () => {
    await deployment.declare({
      tenants: [{ id: 'acme', accounts: { sign_up: true, sign_up_domains: ['Acme.example'] } }],
    })
    const ask = (email: string) => deployment.browser().press('/t/acme/sign-up', '', { email })
    assert.equal((await ask('a@ACME.example')).status, 303)
    for (const email of ['a@evil-acme.example', 'a@acme.example.org', 'a@sub.acme.example']) {
      const answer = await ask(email)
      assert.equal(answer.status, 400, email)
      assert.match(answer.body, /certain organisations/)
    }
  })

  test('while it is off there is nothing at /sign-up, no link to it, and a link that was mailed is worth nothing', async () => {
    await deployment.declare({ tenants: [{ id: 'acme', accounts: { sign_up: true } }] })
    const browser = deployment.browser()
    const page = await browser.ask('/t/acme/sign-up')
    await browser.ask('/t/acme/sign-up', { form: { csrf: tokenIn(page.body), email: 'off@example.org' } })
    const { text } = await arrival('off@example.org', /sign-up\/finish/)
    const link = /https:\S+token=gp_[\w-]{43}/.exec(text)?.[0] ?? ''
    const finish = await follow(browser, link)
    assert.match((await browser.ask('/t/acme/account')).body, /id="sign-up"/)
    await deployment.declare({
      tenants: [{ id: 'acme', accounts: { sign_up: true, sign_up_domains: ['acme.example'] } }],
    })
    assert.notEqual((await browser.ask('/t/acme/sign-up/finish')).status, 200, 'their domain may no longer sign up')
    const grace = { csrf: tokenIn(finish.body), name: 'Grace Hopper', 'new-password': 'a-brand-new-password' }
    await browser.ask('/t/acme/sign-up/finish', { form: grace })
    const made = { prefix: '', email: 'off@example.org', after: null, limit: 1 }
    assert.deepEqual(await deployment.authority.admin.users.search('acme' as never, made), { kind: 'ok', value: [] })
    await deployment.declare({ tenants: [{ id: 'acme', accounts: {} }] })
    assert.equal((await browser.ask('/t/acme/sign-up')).status, 404)
    const late = { csrf: tokenIn(page.body), email: 'late@example.org' }
    assert.equal((await browser.ask('/t/acme/sign-up', { form: late })).status, 404)
    assert.doesNotMatch((await browser.ask('/t/acme/account')).body, /id="sign-up"/)
    const form = { csrf: tokenIn(finish.body), name: 'Off', 'new-password': 'a-brand-new-password' }
    assert.equal((await browser.ask('/t/acme/sign-up/finish', { form })).status, 400)
    assert.equal(to('late@example.org').length, 0)
  })
})

describe('terms of use', () => {
  const url = 'https://as.example/terms'

  test('are agreed to with the account, and anew when there is another version; prompt=none says so', async () => {
    const accounts = (version: string) => ({ sign_up: true, terms: { version, url } })
    await deployment.declare({ accounts: accounts('1') })
    const browser = deployment.browser()
    const page = await follow(browser, await linkFor('terms@example.org', browser))
    assert.ok(page.body.includes(url))
    assert.match((await finishing(browser, page)).body, /must agree/)
    assert.equal((await finishing(browser, page, { terms: '0' })).status, 400)
    const agreed = /<input[^>]*id="terms"[^>]* checked/
    assert.match((await finishing(browser, page, { terms: '1', 'new-password': 'short' })).body, agreed)
    assert.doesNotMatch((await browser.ask('/sign-up/finish?terms=1')).body, agreed, 'no link agrees for anybody')
    assert.equal((await finishing(browser, page, { terms: '1' })).status, 303)
    const [person] = await people('terms@example.org')
    assert.equal(person?.terms?.version, '1')
    const hub = await browser.begin()
    assert.equal(pageOf(await browser.ask(hub)), 'consent')

    await deployment.declare({ accounts: accounts('2') })
    const asking = await browser.ask(hub)
    assert.match(asking.body, /version 2/)
    await browser.ask(`${hub}/decide`, { form: { csrf: tokenIn(asking.body), allow: 'yes' } })
    assert.match((await browser.ask(hub)).body, /version 2/, 'the step is not skipped by posting to the one after it')
    assert.match((await browser.ask('/account')).body, /version 2/)
    const silent = await browser.ask(`/authorize?${authorizeQuery({ prompt: 'none' }).toString()}`)
    const answer =
      silent.status === 303 && silent.headers.location?.startsWith('/') === true
        ? await browser.ask(silent.headers.location)
        : silent
    assert.match(answer.headers.location ?? answer.body, /interaction_required/)
    assert.match((await browser.press(hub, '/terms', {})).body, /must agree/)
    await browser.press(hub, '/terms', { terms: '1' })
    assert.match((await browser.ask(hub)).body, /version 2/, 'an older version is not the one in force')
    await browser.press(hub, '/terms', { terms: '2' })
    assert.equal(pageOf(await browser.ask(hub)), 'consent')
    assert.equal((await people('terms@example.org'))[0]?.terms?.version, '2')
    assert.equal(pageOf(await browser.ask('/account')), 'account')
    assert.match((await browser.ask('/account/activity')).body, /Agreed to the terms of use/)
    await deployment.declare({ accounts: { sign_up: true } })
  })

  test('are asked for at the account page, too', async () => {
    const who = deployment.somebody()
    const browser = deployment.browser()
    const csrf = tokenIn((await browser.ask('/account')).body)
    await browser.ask('/account/enter', { form: { csrf, ...who } })
    await deployment.declare({ accounts: { sign_up: true, terms: { version: 'a', url } } })
    assert.match((await browser.press('/account', '/terms', {})).body, /must agree/)
    assert.equal((await browser.press('/account', '/terms', { terms: 'a' })).status, 303)
    assert.equal(pageOf(await browser.ask('/account')), 'account')
    await deployment.declare({ accounts: { sign_up: true } })
  })
})

describe('an invitation', () => {
  const operator = { kind: 'operator', id: 'test' } as const
  const users = () => deployment.authority.admin.users
  const inviting = (email: string, mailed = false) =>
    users().invite(operator, 'default' as never, { email, name: 'Ada', mailed, life: 3600 })
  const accepting = (browser: HandBrowser, page: PageAnswer) =>
    browser.ask('/invitation', {
      form: { csrf: tokenIn(page.body), name: 'Ada Lovelace', 'new-password': 'a-brand-new-password' },
    })

  async function linkTo(email: string): Promise<string> {
    const made = await inviting(email)
    return made.kind === 'ok' ? (made.value.link ?? assert.fail('no link')) : assert.fail(JSON.stringify(made))
  }

  test('holds where nobody signs up alone; only what was mailed proves the address, and nothing is used twice', async () => {
    await deployment.declare({ accounts: {} })
    const link = await linkTo('handed@example.org')
    const [one, two] = [deployment.browser(), deployment.browser()]
    const pages = [await follow(one, link), await follow(two, link)] as const
    assert.match(pages[0].body, /value="Ada"/)
    const both = await Promise.all([accepting(one, pages[0]), accepting(two, pages[1])])
    assert.deepEqual(both.map(({ status }) => String(status)).toSorted(), ['303', '400'])
    const [handed] = await people('handed@example.org')
    assert.equal(handed?.claims['email_verified'], false)
    assert.equal((await inviting('mailed@example.org', true)).kind, 'ok')
    const { text } = await arrival('mailed@example.org', /invitation\?token/)
    const browser = deployment.browser()
    const page = await follow(browser, /https:\S+token=gp_[\w-]{43}/.exec(text)?.[0] ?? '')
    assert.equal((await accepting(browser, page)).headers.location, '/account')
    assert.equal((await people('mailed@example.org'))[0]?.claims['email_verified'], true)
    await deployment.declare({ accounts: { sign_up: true } })
  })

  test('takes over no account that is there, and is worth nothing once it is taken back or replaced', async () => {
    const who = deployment.somebody()
    const refused = await inviting(`${who.username}@example.com`)
    assert.ok(refused.kind === 'error' && refused.error.reason === 'exists')
    const link = await linkTo('forwarded@example.org')
    const claims = { email: 'forwarded@example.org' }
    const input = { username: 'forwarded', password: 'their-own-password', claims }
    assert.equal((await users().create(operator, 'default' as never, input)).kind, 'ok')
    const browser = deployment.browser()
    assert.equal((await accepting(browser, await follow(browser, link))).status, 400)
    assert.equal((await people('forwarded@example.org')).length, 1)
    const older = await linkTo('again@example.org')
    const newer = await linkTo('again@example.org')
    assert.equal((await follow(deployment.browser(), older)).status, 400)
    const waiting = await users().invitations('default' as never)
    const id = waiting.kind === 'ok' ? waiting.value.find(({ email }) => email === 'again@example.org')?.id : undefined
    assert.equal((await users().revokeInvitation(operator, 'default' as never, id ?? '')).kind, 'ok')
    assert.equal((await users().revokeInvitation(operator, 'default' as never, id ?? '')).kind, 'error')
    assert.equal((await follow(deployment.browser(), newer)).status, 400)
    for (const email of ['no address', 'a@b.example\r\nBcc: x@y.example'])
      assert.equal((await inviting(email)).kind, 'error', email)
  })

  test('brings roles and groups to the account of its address, whoever shows it: once, and none that is gone', async () => {
    const { groups, roles } = deployment.authority.admin
    const root = 'default' as never
    await deployment.declare({
      resources: [{ identifier: 'https://desk.example', name: 'Desk' }],
      scopes: [{ name: 'desk:read', description: 'Read', resource: 'https://desk.example' }],
      roles: ['reader', 'short-lived'].map((name) => ({
        name,
        resource: 'https://desk.example',
        scopes: ['desk:read'],
      })),
    })
    for (const name of ['Office', 'Temporary']) await groups.create(operator, root, { name, roles: [] })
    const preset = (more: object) =>
      users().invite(operator, root, { email: 'new@example.org', name: null, mailed: false, life: 3600, ...more })
    for (const more of [
      { roles: ['none'] },
      { roles: ['reader', 'reader'] },
      { roles: ['admin:users:write'] },
      { groups: ['None'] },
      { groups: ['a\u0000b'] },
      { groups: Array.from({ length: 51 }, (_, n) => `g${n}`) },
    ]) {
      const refused = await preset(more)
      assert.ok(refused.kind === 'error' && refused.error.reason === 'invalid', JSON.stringify(more))
    }
    const made = await preset({ roles: ['reader', 'short-lived'], groups: ['OFFICE', 'Temporary'] })
    assert.ok(made.kind === 'ok')
    assert.deepEqual(
      [made.value.roles, made.value.groups],
      [
        ['reader', 'short-lived'],
        ['Office', 'Temporary'],
      ],
    )
    const temporary = await groups.byName(root, 'Temporary')
    assert.ok(temporary.kind === 'ok')
    assert.equal((await groups.remove(operator, root, { id: temporary.value.id, version: null })).kind, 'ok')
    const held = await roles.list(root)
    const { version = '' } =
      held.kind === 'ok' ? (held.value.find(({ value }) => value.name === 'short-lived') ?? {}) : {}
    assert.equal((await roles.drop(operator, root, { id: 'short-lived', expected: version })).kind, 'ok')
    const waiting = await users().invitations(root)
    assert.deepEqual(waiting.kind === 'ok' && waiting.value.find(({ id }) => id === made.value.id)?.groups, ['Office'])
    // Forwarded: in another browser, by somebody else. The account is that of the invited address all the same.
    const link = made.value.link ?? ''
    const [one, two] = [deployment.browser(), deployment.browser()]
    const pages = [await follow(one, link), await follow(two, link)] as const
    assert.equal((await accepting(two, pages[1])).status, 303)
    assert.equal((await accepting(one, pages[0])).status, 400)
    assert.equal((await follow(deployment.browser(), link)).status, 400)
    const found = await people('new@example.org')
    assert.deepEqual(
      found.map(({ username, ownRoles, groups: names }) => [username, ownRoles, names]),
      [['new@example.org', ['reader'], ['Office']]],
    )
  })
})

describe('the own account', () => {
  test('is changed, downloaded and ended on its pages; signing in again keeps it', async () => {
    const who = deployment.somebody()
    const browser = deployment.browser()
    const enter = async () => {
      const csrf = tokenIn((await browser.ask('/account')).body)
      return browser.ask('/account/enter', { form: { csrf, ...who } })
    }
    await enter()
    const wrong = await browser.press('/account/profile', '', { name: 'A', zoneinfo: 'Mars/Olympus' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.body, /id="zoneinfo-error"/)
    const saved = await browser.press('/account/profile', '', { name: 'Ada', zoneinfo: 'Europe/Berlin' })
    assert.equal(saved.headers.location, '/account/profile?done=profile_saved')
    const file = await browser.ask('/account/data/download')
    assert.match(String(file.headers['content-disposition']), /attachment/)
    assert.match(file.body, /Europe\/Berlin/)
    assert.equal((await browser.press('/account/data', '', { password: 'wrong' })).status, 400)
    const ended = await browser.press('/account/data', '', { password: who.password })
    assert.match(ended.body, /id="account-ended"/)
    assert.equal(pageOf(await browser.ask('/account')), 'login')
    await arrival(`${who.username}@example.com`, /will be deleted for good/)
    assert.notEqual((await people(`${who.username}@example.com`))[0]?.deletionDueAt, undefined)
    assert.equal((await enter()).status, 303)
    assert.equal((await people(`${who.username}@example.com`))[0]?.deletionDueAt, undefined)
    await arrival(`${who.username}@example.com`, /It stays/)
  })
})
