/** RFC 8936 §2.4: a receiver that is killed before its acknowledgement arrives has done what it was told, and does it once. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { eventually } from '../feed/feed-deployment.ts'
import { type HandBrowser, pageOf, tokenIn } from '../interact/deployment.ts'
import { deployWithProviders, main, type ProviderDeployment } from './deployment.ts'

const type = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked'

async function signIn(it: ProviderDeployment): Promise<HandBrowser> {
  const browser = it.browser()
  const csrf = tokenIn((await browser.ask('/account')).body)
  const left = await browser.ask('/account/enter/provider', { form: { csrf, provider: 'one' } })
  await browser.ask(it.providers.one.approve(left.headers.location ?? '', 'ada'))
  assert.equal(pageOf(await browser.ask('/account')), 'account')
  return browser
}

async function endings({ authority }: ProviderDeployment): Promise<number> {
  const found = await authority.admin.events.last(main, 200)
  assert.ok(found.kind === 'ok')
  return found.value.filter(({ name, reason }) => name === 'session.ended' && reason === 'provider').length
}

test('killed between what a token causes and its acknowledgement: the session is over, and the next one stays', async () => {
  await using it = await deployWithProviders()
  const { one } = it.providers
  const iat = Math.floor(Date.now() / 1000)
  const subject = { format: 'iss_sub', iss: one.issuer, sub: 'ada' }
  const claims = { iss: one.issuer, aud: 'us', iat, jti: 'once', events: { [type]: {} }, sub_id: subject }
  const sets = { once: one.jwt(claims, { typ: 'secevent+jwt' }) }
  /** Declared anew, so that it is asked at once. */
  const declare = (name: string) =>
    it.declare([it.provider('one', { create: true, name, signals_url: `${one.issuer}/poll` })])
  one.telling.poll = () => ({ sets: {} })
  await declare('Before')
  await signIn(it)
  await declare('With news')
  await it.stop()

  let child: ReturnType<typeof spawn> | null = null
  one.telling.poll = (asked: JsonObject) => {
    if ((asked['ack'] as string[]).length === 0) return { sets }
    child?.kill('SIGKILL')
    return null
  }
  child = spawn(process.execPath, [join(import.meta.dirname, 'polling-node.ts'), it.folder, JSON.stringify(it.env)])
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  assert.deepEqual([code, signal], [null, 'SIGKILL'])

  const acknowledged: string[] = []
  one.telling.poll = (asked: JsonObject) => {
    acknowledged.push(...(asked['ack'] as string[]))
    return { sets: acknowledged.length === 0 ? sets : {} }
  }
  await it.restart()
  assert.equal(await endings(it), 1)
  // Within the same seconds: the clocks alone would not tell it from the one that ended.
  const second = await signIn(it)
  await declare('After')
  await eventually(async () => acknowledged.length > 0, 'the acknowledgement', 30_000)
  assert.deepEqual(acknowledged, ['once'])
  assert.equal(pageOf(await second.ask('/account')), 'account')
  assert.equal(await endings(it), 1)
})
