/** Guessing is bounded by the published limits (docs/conventions.md), whoever guesses, from wherever they say they come. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFleet } from '../fleet/fleet.ts'
import { authorizePath, Browser, formOf, freshCode, redeem } from './browser.ts'
import { type HttpResponse, type HttpClient, httpClientOf } from './http-client.ts'
import { assertServes, assertSafe } from './assert-safe.ts'
import { deploy } from './deployment.ts'
import { alice, bob, objects, service, web } from './objects.ts'

/** The published numbers, given back so slowly that a slow machine does not blur the count. */
const limited = {
  GRANTOR_LOG: 'warn',
  GRANTOR_LIMIT_LOGIN_ACCOUNT: '10/10h',
  GRANTOR_LIMIT_LOGIN_ADDRESS: '50/10h',
  GRANTOR_LIMIT_LOGIN_BROWSER: '10/10h',
  GRANTOR_LIMIT_TOKEN_FAILURES: '60/10h',
  GRANTOR_LIMIT_TOKEN_FAILURES_ADDRESS: '600/10h',
}

/** Somebody at the sign-in page who says with every attempt that they come from elsewhere. */
class Guesser {
  readonly #http: HttpClient
  readonly #browser: Browser
  readonly #form: { readonly action: string; readonly csrf: string }
  #attempts = 0

  private constructor(http: HttpClient, browser: Browser, page: HttpResponse) {
    this.#http = http
    this.#browser = browser
    this.#form = formOf(page)
  }

  /** In a browser whose name was copied from another. */
  static async withCookie(http: HttpClient, cookie: string): Promise<Guesser> {
    const browser = new Browser(http)
    browser.cookies.set(...(cookie.split('=', 2) as [string, string]))
    return new Guesser(http, browser, await browser.visit('/account'))
  }

  static async at(http: HttpClient, path = '/account'): Promise<Guesser> {
    const browser = new Browser(http)
    return new Guesser(http, browser, await browser.visit(path))
  }

  async guess(username: string, password: string): Promise<HttpResponse> {
    const address = `198.51.100.${++this.#attempts % 250}`
    const answer = await this.#http.send(this.#form.action, {
      headers: [
        ['cookie', this.#browser.cookieHeader],
        ['x-forwarded-for', address],
        ['forwarded', `for=${address}`],
        ['x-real-ip', address],
        ['cf-connecting-ip', address],
        ['true-client-ip', address],
      ],
      form: { csrf: this.#form.csrf, username, password, 'sign-in': 'yes' },
    })
    assertSafe(`a guess at ${username}`, answer)
    return answer
  }
}

const count = (answers: readonly HttpResponse[], status: number): number =>
  answers.filter((answer) => answer.status === status).length

test('sign-in: ten failures per account, by every page, every spelling of the name and any number at once', async () => {
  await using deployment = await deploy(limited)
  const account = await Guesser.at(deployment.http)
  const application = await Guesser.at(deployment.http, authorizePath())
  const spellings = ['alice', 'ALICE', 'Alice', 'aLiCe']
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      (i % 2 === 0 ? account : application).guess(spellings[i % 4] ?? '', `wrong-password-${i}`),
    ),
  )
  assert.equal(count(answers, 401), 10)
  assert.equal(count(answers, 429), 30)
  const right = await account.guess(alice.username, alice.password)
  assert.equal(right.status, 429)
  // Another account is not touched, and Bob signs in.
  assert.equal((await account.guess(bob.username, bob.password)).status, 303)
})

test('sign-in: fifty failures per address, over however many names', async () => {
  await using deployment = await deploy(limited)
  const guesser = await Guesser.at(deployment.http)
  const answers: HttpResponse[] = []
  for (let i = 0; i < 6; i++) {
    answers.push(
      ...(await Promise.all(Array.from({ length: 10 }, (_, n) => guesser.guess(`nobody-${i}-${n}`, 'wrong-password')))),
    )
  }
  assert.equal(count(answers, 401), 50)
  assert.equal(count(answers, 429), 10)
  assert.equal((await guesser.guess(alice.username, alice.password)).status, 429)
})

test('sign-in: an unknown name, a wrong password and a name that cannot exist read the same', async () => {
  await using deployment = await deploy(limited)
  const guesser = await Guesser.at(deployment.http)
  const answerFor = async (username: string): Promise<string> => {
    const { status, body, headers } = await guesser.guess(username, 'wrong-password')
    const { date: _, 'content-length': __, ...rest } = headers
    const text = body.replaceAll(username, 'NAME').replace(/challenge&quot;:&quot;[\w-]{43}/, 'challenge')
    return JSON.stringify([status, text, rest])
  }
  const known = await answerFor('alice')
  for (const name of ['nobody', 'ａlice', 'x'.repeat(300), "' or 1=1 --"]) {
    assert.equal(
      (await answerFor(name)).replace(/value=\\"[^"]*\\"/g, ''),
      known.replace(/value=\\"[^"]*\\"/g, ''),
      name,
    )
  }
})

test('sign-in: whoever found an open session guesses its password no more often than anybody', async () => {
  await using deployment = await deploy(limited)
  const browser = new Browser(deployment.http)
  const login = await browser.visit('/account')
  await browser.submit(login, alice)
  const page = await browser.visit('/account/password')
  const csrf = formOf(page).csrf
  const next = 'another-long-password'
  for (let i = 0; i < 15; i++) {
    const answer = await browser.go('/account/password', { csrf, password: `wrong-${i}`, 'new-password': next })
    assertSafe('a guess at the password page', answer)
    assert.equal(answer.status, 400)
  }
  const right = await browser.go('/account/password', { csrf, password: alice.password, 'new-password': next })
  assert.equal(right.status, 400)
  const guesser = await Guesser.at(deployment.http)
  assert.equal((await guesser.guess(alice.username, next)).status, 401, 'the password was not changed')
  for (const name of browser.cookies.keys()) if (name.includes('session')) browser.cookies.delete(name)
  const again = await browser.submit(await browser.visit('/account'), { ...alice, 'sign-in': 'yes' })
  assert.equal(again.status, 429, 'nor is the right one looked at in that browser')
})

test('sign-in: strangers lock nobody out of a browser that they used before, and its cookie gives no more than that', async () => {
  await using deployment = await deploy(limited)
  const home = new Browser(deployment.http)
  await home.submit(await home.visit('/account'), alice)
  for (const name of home.cookies.keys()) if (name.includes('session')) home.cookies.delete(name)
  const stranger = await Guesser.at(deployment.http)
  for (let i = 0; i < 12; i++) await stranger.guess(alice.username, `wrong-password-${i}`)
  assert.equal((await stranger.guess(alice.username, alice.password)).status, 429)
  const name = /__Host-grantor-browser=[^;]+/.exec(home.cookieHeader)?.[0] ?? ''
  const thief = await Guesser.withCookie(deployment.http, name)
  const answers: HttpResponse[] = []
  for (let i = 0; i < 14; i++) answers.push(await thief.guess(alice.username, `wrong-password-${i}`))
  assert.deepEqual([count(answers, 401), count(answers, 429)], [10, 4])
  for (const { headers } of answers.slice(10)) assert.match(String(headers['retry-after']), /^\d+$/)
  assert.equal((await thief.guess(bob.username, 'wrong-password')).status, 401, 'and it is nothing to anybody else')
})

test('client secrets: sixty failures per client and address, then not even the right one is looked at; 600 per address', async () => {
  await using deployment = await deploy(limited)
  await assertServes(deployment.http)
  const guess = (i: number): Promise<HttpResponse> =>
    deployment.http.send(i % 2 === 0 ? '/token' : '/introspect', {
      basic: [i < 90 ? web[0] : `unknown-${i}`, `a-wrong-secret-of-32-characters-or-more-${i}`],
      form: { grant_type: 'client_credentials', token: 'x' },
      headers: [['x-forwarded-for', `203.0.113.${i % 250}`]],
    })
  const answers = await Promise.all(Array.from({ length: 90 }, (_, i) => guess(i)))
  for (const answer of answers) assertSafe('a guess', answer)
  assert.equal(count(answers, 401), 60)
  assert.equal(count(answers, 429), 30)
  const form = { grant_type: 'client_credentials', scope: 'invoices:read' }
  assert.equal((await deployment.http.send('/token', { basic: web, form })).status, 429)
  assert.equal((await deployment.http.send('/token', { basic: service, form })).status, 200, 'the neighbour')
  const further = []
  for (let from = 90; from < 690; from += 100)
    further.push(...(await Promise.all(Array.from({ length: 100 }, (_, i) => guess(from + i)))))
  assert.deepEqual([count(further, 401), count(further, 429)], [540, 60])
  const right = await deployment.http.send('/token', { basic: service, form })
  assert.equal(right.status, 429)
  assert.match(String(right.headers['retry-after']), /^\d+$/)
})

test('whoever asks in the name of a client that proves nothing uses up nobody else’s tokens', async () => {
  await using deployment = await deploy({
    ...limited,
    GRANTOR_LIMIT_TOKEN: '60/10h',
    GRANTOR_TRUST_PROXY: 'loopback',
    GRANTOR_TLS_MODE: 'on',
  })
  const ask = (address: string, form: Readonly<Record<string, string>>): Promise<HttpResponse> =>
    deployment.http.send('/token', { form, headers: [['x-forwarded-for', address]] })
  const made = { client_id: 'spa', grant_type: 'authorization_code', code: 'x' }
  const answers = await Promise.all(Array.from({ length: 80 }, () => ask('203.0.113.1', made)))
  for (const answer of answers) assertSafe('a request with a code that nobody has', answer)
  assert.deepEqual([count(answers, 400), count(answers, 429)], [60, 20])
  assert.equal((await ask('203.0.113.2', made)).status, 400, 'another address is served')
})

test('five wrong verifiers burn a code, however many come at once; the right one is then too late', async () => {
  await using deployment = await deploy()
  for (const parallel of [true, false]) {
    const code = await freshCode(deployment.http)
    const guesses = Array.from(
      { length: 20 },
      (_, i) => () => redeem(deployment.http, code, { code_verifier: String(i).padStart(43, 'w') }),
    )
    if (parallel) await Promise.all(guesses.map((guess) => guess()))
    else for (const guess of guesses) await guess()
    const answer = await redeem(deployment.http, code)
    assert.equal(answer.status, 400)
    assert.equal((JSON.parse(answer.body) as { error: string }).error, 'invalid_grant')
  }
})

test('guesses at two nodes are counted together', async () => {
  await using fleet = await openFleet(objects, {
    GRANTOR_LIMIT_TOKEN_FAILURES: '60/10h',
    GRANTOR_LIMIT_LOGIN_ACCOUNT: '10/10h',
  })
  await using one = await fleet.start()
  await using two = await fleet.start()
  using first = httpClientOf(one.server)
  using second = httpClientOf(two.server)
  const [here, there] = [await Guesser.at(first), await Guesser.at(second)]
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? here : there).guess('alice', `wrong-password-${i}`)),
  )
  assert.equal(count(answers, 401), 10)
  const asked = await Promise.all(
    Array.from({ length: 120 }, (_, i) =>
      (i % 2 === 0 ? first : second).send('/token', {
        basic: [web[0], `a-wrong-secret-of-32-characters-or-more-${i}`],
        form: { grant_type: 'client_credentials' },
      }),
    ),
  )
  assert.equal(count(asked, 401), 60)
})
