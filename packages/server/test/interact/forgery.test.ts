/** Forms that are not ours, interactions of others, steps out of order, answers asked for twice. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type PageAnswer, deploy, type Deployment, type HandBrowser, pageOf, tokenIn } from './deployment.ts'

describe('an interaction cannot be driven by anybody else', () => {
  let deployment: Deployment
  before(async () => {
    deployment = await deploy()
  })
  after(() => deployment[Symbol.asyncDispose]())

  const refused = (answer: PageAnswer): void => {
    assert.equal(answer.status, 403)
    assert.equal(pageOf(answer), 'error')
  }
  /** A browser that stands before the consent page. */
  async function asked(): Promise<{ browser: HandBrowser; hub: string; csrf: string }> {
    const browser = deployment.browser()
    const hub = await browser.begin()
    assert.equal((await browser.signIn(hub, deployment.somebody())).status, 303)
    const page = await browser.ask(hub)
    assert.equal(pageOf(page), 'consent')
    return { browser, hub, csrf: tokenIn(page.body) }
  }
  const stillAsked = async ({ browser, hub }: { browser: HandBrowser; hub: string }): Promise<void> =>
    assert.equal(pageOf(await browser.ask(hub)), 'consent')

  test('a form without the token, with a wrong one, or with that of another interaction, page or browser is refused', async () => {
    const victim = await asked()
    const another = await victim.browser.begin({ prompt: 'consent' })
    const foreign = await asked()
    const tokens = {
      missing: null,
      empty: '',
      wrong: 'A'.repeat(43),
      shorter: victim.csrf.slice(1),
      'of another interaction': tokenIn((await victim.browser.ask(another)).body),
      'of the account page': tokenIn((await victim.browser.ask('/account')).body),
      'of another browser': foreign.csrf,
    }
    for (const [what, csrf] of Object.entries(tokens)) {
      for (const step of ['sign-in', 'choose', 'decide']) {
        const form = { allow: 'yes', username: 'person-0', password: 'password-0', ...(csrf === null ? {} : { csrf }) }
        const answer = await victim.browser.ask(`${victim.hub}/${step}`, { form })
        assert.equal(answer.status, 403, `${what} at ${step}`)
        assert.equal(answer.headers['set-cookie'], undefined)
      }
    }
    await stillAsked(victim)
  })

  for (const [what, headers] of Object.entries({
    'Sec-Fetch-Site: cross-site': { 'sec-fetch-site': 'cross-site' },
    'Sec-Fetch-Site: same-site': { 'sec-fetch-site': 'same-site' },
    'a foreign Origin': { origin: 'https://evil.example' },
    'the origin of another port': { origin: 'https://localhost:1' },
    'our host over plain HTTP': { origin: 'http://localhost' },
  })) {
    test(`a form that comes with ${what} is refused, whatever token it brings`, async () => {
      const victim = await asked()
      const form = { csrf: victim.csrf, allow: 'yes' }
      refused(await victim.browser.ask(`${victim.hub}/decide`, { form, headers }))
      refused(await victim.browser.ask('/account/sign-out', { form, headers }))
      await stillAsked(victim)
    })
  }

  test('a form of our own page is accepted: same origin, or none told where the referrer is withheld', async () => {
    for (const headers of [
      { origin: deployment.origin, 'sec-fetch-site': 'same-origin' },
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
      {},
    ]) {
      const { browser, hub, csrf } = await asked()
      const answer = await browser.ask(`${hub}/decide`, { form: { csrf, allow: 'yes' }, headers })
      assert.equal(answer.status, 303)
      assert.match((await browser.ask(hub)).headers.location ?? '', /[?&]code=gc_/)
    }
  })

  test('an interaction is refused to every browser but the one that began it, signed in or not', async () => {
    const victim = await asked()
    const signedIn = await asked()
    for (const browser of [deployment.browser(), signedIn.browser]) {
      const answer = await browser.ask(victim.hub)
      assert.equal(pageOf(answer), 'error')
      assert.equal(answer.headers.location, undefined)
      refused(await browser.ask(`${victim.hub}/decide`, { form: { csrf: victim.csrf, allow: 'yes' } }))
      // With a token that is right for that other browser, the interaction still is not its own.
      const own = tokenIn((await signedIn.browser.ask(signedIn.hub)).body)
      refused(await browser.ask(`${victim.hub}/decide`, { form: { csrf: own, allow: 'yes' } }))
    }
    await stillAsked(victim)
  })

  test('a step cannot be skipped: consent before sign-in leads back to sign-in', async () => {
    const browser = deployment.browser()
    const hub = await browser.begin()
    for (const form of [{ allow: 'yes' }, { deny: 'yes' }, { 'switch-account': 'yes' }]) {
      const answer = await browser.press(hub, '/decide', form)
      assert.equal(answer.status, 303)
      assert.equal(pageOf(await browser.ask(hub)), 'login')
    }
    await browser.press(hub, '/choose', { account: 'somebody' })
    assert.equal(pageOf(await browser.ask(hub)), 'login')
  })

  test('the account of another person cannot be chosen by name', async () => {
    const other = await asked()
    const victim = await asked()
    await victim.browser.press(victim.hub, '/choose', { account: 'person-0' })
    assert.equal(pageOf(await victim.browser.ask(victim.hub)), 'login')
    await stillAsked(other)
  })

  test('only Allow allows: both buttons, neither, or a tick for what was not asked grant nothing more', async () => {
    for (const form of [{ allow: 'yes', deny: 'yes' }, { 'scope:invoices:write': 'yes' }, {}]) {
      const { browser, hub, csrf } = await asked()
      await browser.ask(`${hub}/decide`, { form: { csrf, ...form } })
      const { location = '' } = (await browser.ask(hub)).headers
      assert.equal(new URL(location).searchParams.get('error'), 'access_denied')
    }
  })

  test('OIDC Core §5.5: claims asked for by name are shown before they are told, and asked again when there are more', async () => {
    const browser = deployment.browser()
    const who = deployment.somebody()
    const claimsRequest = (...names: string[]) => ({
      scope: 'openid',
      claims: JSON.stringify({ userinfo: Object.fromEntries(names.map((name) => [name, null])) }),
    })
    const hub = await browser.begin(claimsRequest('email'))
    await browser.signIn(hub, who)
    const page = await browser.ask(hub)
    assert.match(page.body, /See your email address/)
    assert.doesNotMatch(page.body, /See your phone number/)
    await browser.allow(hub)
    assert.equal((await browser.ask(hub)).status, 303)
    const again = await browser.ask(await browser.begin(claimsRequest('email')))
    assert.match(again.headers.location ?? '', /[?&]code=gc_/, 'remembered')
    const more = await browser.ask(await browser.begin(claimsRequest('email', 'phone_number')))
    assert.match(more.body, /See your phone number/)
  })

  test('an answer is given once, however many ask for it at the same moment', async () => {
    const { browser, hub, csrf } = await asked()
    const form = { csrf, allow: 'yes' }
    const presses = await Promise.all(Array.from({ length: 8 }, () => browser.ask(`${hub}/decide`, { form })))
    assert.ok(presses.every((it) => it.status === 303))
    const answers = await Promise.all(Array.from({ length: 8 }, () => browser.ask(hub)))
    const codes = answers.filter((it) => it.headers.location?.includes('code='))
    assert.equal(codes.length, 1)
    assert.ok(answers.every((it) => codes.includes(it) || pageOf(it) === 'error'))
    // And nothing that is sent afterwards brings another.
    for (const step of ['/decide', '/choose', '/sign-in', '']) {
      const late = await browser.ask(`${hub}${step}`, step === '' ? {} : { form })
      // At most back to the hub, which is over.
      if (late.status === 303) assert.equal(late.headers.location, `${hub}?from=form`)
      else assert.equal(pageOf(late), 'error')
    }
  })

  test('what has not the shape of an interaction leads nowhere', async () => {
    const browser = deployment.browser()
    for (const id of [
      'x',
      'gi_',
      '..%2f..%2faccount',
      '%0d%0aSet-Cookie:%20x=y',
      '%2f%2fevil.example',
      'a'.repeat(190),
    ]) {
      for (const step of ['', '/sign-in', '/decide']) {
        const answer = await browser.ask(`/interact/${id}${step}`)
        assert.ok([400, 404, 410].includes(answer.status), `${answer.status} for ${id}${step}`)
        assert.equal(answer.headers.location, undefined)
      }
    }
  })

  test('a person who is led to /logout by another site is asked, and stays signed in', async () => {
    const { browser } = await asked()
    for (const how of [{}, { form: { 'sign-out': 'yes' } }, { form: { 'sign-out': 'yes', csrf: 'x' } }]) {
      const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
      assert.equal(pageOf(await browser.ask('/logout', { ...how, headers })), 'logout')
    }
    assert.equal(pageOf(await browser.ask('/account')), 'account')
  })
})
