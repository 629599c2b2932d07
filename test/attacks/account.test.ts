/** The account pages from within: a person who is signed in reaches nothing of anybody else's, whatever they send. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { Browser, formOf, freshTokens, isActive } from './browser.ts'
import { assertServes, assertSafe } from './assert-safe.ts'
import { deploy, type Deployment } from './deployment.ts'
import { alice, bob, web } from './objects.ts'

let deployment: Deployment
before(async () => void (deployment = await deploy()))
after(async () => {
  const output = deployment.server.output()
  await deployment[Symbol.asyncDispose]()
  assert.doesNotMatch(output, /"level":50/)
})

async function signedIn(as: typeof alice): Promise<Browser> {
  const browser = new Browser(deployment.http)
  const answer = await browser.submit(await browser.visit('/account'), as)
  assert.equal(answer.status, 200)
  return browser
}

const references = (body: string, name: string): readonly string[] =>
  [...body.matchAll(/name="([a-z-]+)"\s+value="([^"]+)"/g)].flatMap(([, field, value]) =>
    field === name && value !== undefined ? [value] : [],
  )

test('sessions and access of another person are neither shown nor ended, even by their own references', async () => {
  const tokens = await freshTokens(deployment.http)
  const [first, second] = [await signedIn(alice), await signedIn(alice)]
  const bobs = await signedIn(bob)
  const hers = references((await first.visit('/account/sessions')).body, 'end')
  assert.ok(hers.length >= 2)
  const page = await bobs.visit('/account/sessions')
  const { csrf } = formOf(page)
  for (const id of hers) assert.ok(!page.body.includes(id))
  for (const end of [...hers, 'x', '', "' or 1=1 --", '__proto__']) {
    assertSafe(end, await bobs.visit('/account/sessions', { csrf, end }))
  }
  assertSafe('all others', await bobs.visit('/account/sessions', { csrf, 'end-others': 'yes' }))
  assertSafe('her access', await bobs.visit('/account', { csrf, revoke: web[0] }))
  assertSafe('all access', await bobs.visit('/account', { csrf, 'revoke-all': 'yes' }))
  for (const browser of [first, second]) assert.doesNotMatch((await browser.visit('/account')).body, /name="password"/)
  assert.equal(await isActive(deployment.http, tokens.access_token), true)
  // What she did herself is hers to see.
  const seen = (await bobs.visit('/account/activity')).body
  for (const id of hers) assert.ok(!seen.includes(id))
})

test('a session that was ended elsewhere is over at once, and its cookie opens nothing', async () => {
  const [one, two] = [await signedIn(bob), await signedIn(bob)]
  const { csrf } = formOf(await one.visit('/account/sessions'))
  assertSafe('end', await one.visit('/account/sessions', { csrf, 'end-others': 'yes' }))
  assert.match((await two.visit('/account')).body, /name="password"/)
  assert.doesNotMatch((await one.visit('/account')).body, /name="password"/)
  const kept = one.cookieHeader
  await one.visit('/account/sign-out', { csrf: formOf(await one.visit('/account')).csrf })
  const answer = await deployment.http.send('/account', { headers: [['cookie', kept]] })
  assert.match(answer.body, /name="password"/)
})

test('forms of chance by somebody who is signed in: never a fault of ours', async () => {
  const browser = await signedIn(alice)
  const csrf = formOf(await browser.visit('/account')).csrf
  const names = [
    'revoke',
    'revoke-all',
    'end',
    'password',
    'new-password',
    'before',
    'done',
    'lang',
    'stay',
    'x',
  ] as const
  const value = fc.oneof(
    fc.constantFrom(
      'yes',
      'web',
      '0',
      '-1',
      '99999999999999999999',
      '%',
      'en',
      'password_changed',
      '../x',
      'x'.repeat(600),
    ),
    fc.string({ unit: 'binary', maxLength: 30 }).filter((text) => text.isWellFormed() && text !== alice.password),
  )
  const paths = ['/account', '/account/sessions', '/account/password', '/account/activity', '/logout', '/account/enter']
  const fields = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4, noNullPrototype: true })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), fields, fc.boolean(), async (path, form, post) => {
      const asked = `${path}?${new URLSearchParams(form).toString()}`
      const answer = post ? await browser.go(path, { csrf, ...form }) : await browser.go(asked)
      assertSafe(`${path} ${JSON.stringify(form)}`, answer)
    }),
    { numRuns: 300 },
  )
  await assertServes(deployment.http)
})
