/** What a person sees when something is wrong outside of any step: a page, never a JSON text, and nothing of our insides. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Browser, HashingBusy } from '@grantor/authority'
import { StoreUnavailable } from '@grantor/store'
import { testbed } from '../http/testbed.ts'

const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'de' }
const failing = (cause: Error): { browser: Browser } => ({
  browser: { accounts: () => Promise.reject(cause) } as Partial<Browser> as Browser,
})

test('an address where nothing is: a page for a person, JSON for a program', async () => {
  const { app } = testbed()
  const page = await app.inject({ url: '/nowhere', headers: navigation })
  assert.equal(page.statusCode, 404)
  assert.match(page.body, /<html lang="de".*id="error".*href="\/"/s)
  assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'none'/)
  const told = await app.inject('/nowhere')
  assert.equal(told.statusCode, 404)
  assert.equal(told.json<{ error: string }>().error, 'invalid_request')
  await app.close()
})

test('a database that is away: 503, when to come back, and a page that says so', async () => {
  const { app } = testbed(failing(new StoreUnavailable('zz9 the disk is on fire')))
  const page = await app.inject({ url: '/account', headers: navigation })
  assert.equal(page.statusCode, 503)
  assert.equal(page.headers['retry-after'], '1')
  assert.match(page.body, /id="error"/)
  assert.doesNotMatch(page.body, /zz9/)
  await app.close()
})

test('more passwords to hash than can be: 503 and when to come back, for a person and for a program', async () => {
  const { app } = testbed(failing(new HashingBusy(7)))
  for (const headers of [navigation, {}]) {
    const answer = await app.inject({ url: '/account', headers })
    assert.equal(answer.statusCode, 503)
    assert.equal(answer.headers['retry-after'], '7')
  }
  await app.close()
})

test('a bug of ours: 500 and the id of the log line, on a page', async () => {
  const { app, logged } = testbed(failing(new Error('zz9 of our insides')))
  const page = await app.inject({ url: '/account', headers: navigation })
  assert.equal(page.statusCode, 500)
  assert.doesNotMatch(page.body, /zz9/)
  const id = /id="trace-id">([\w-]+)</.exec(page.body)?.[1] ?? 'none'
  assert.ok(logged.some((line) => line.includes(id) && line.includes('zz9')))
  const form = { method: 'POST', url: '/authorize', payload: 'x'.repeat(70_000) } as const
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const large = await app.inject({ ...form, headers: { ...navigation, ...type } })
  assert.equal(large.statusCode, 413)
  assert.match(large.body, /id="error"/)
  await app.close()
})
