/** The configuration that the conformance suite is given: its browser steps lead through our pages as they are now. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent, fetch as undiciFetch } from 'undici'
import { startServer, temporaryFolder } from '../server.ts'
import { Browser, type BrowserKind } from '../suite/browser.ts'
import { planFor, seedFor } from '../suite/certification.ts'
import { first, second } from '../suite/deployment.ts'
import { textOf } from '../suite/html.ts'
import { runTasks } from '../suite/web-runner.ts'

const suite = 'https://suite.example'

for (const kind of ['plain', 'htmlunit'] as const satisfies readonly BrowserKind[]) {
  test(`the steps of the plan lead a ${kind} browser through sign-in, consent and back, and to the error page`, async () => {
    using folder = temporaryFolder()
    await using server = await startServer({
      data: folder.path,
      seed: folder.write('seed.json', seedFor({ issuer: '', suite })),
      env: { GRANTOR_LOG: 'warn' },
    })
    const { issuer } = server
    const plan = planFor({ issuer, suite })
    await using stack = new AsyncDisposableStack()
    const agent = stack.adopt(new Agent({ connect: { ca: server.ca ?? '' } }), (one) => one.close())
    const browser = new Browser({
      issuer: new URL(issuer),
      fetch: (url, init) => undiciFetch(url, { ...init, dispatcher: agent }),
      kind,
    })
    const run = async (module: string, more: Readonly<Record<string, string>> = {}) => {
      const query = new URLSearchParams({
        client_id: first.id,
        redirect_uri: `${suite}/test/a/grantor/callback`,
        response_type: 'code',
        scope: 'openid',
        ...more,
      })
      const tasks = (plan.override[module] ?? plan).browser[0]?.tasks ?? []
      return runTasks(tasks, browser, await browser.get(`${issuer}/authorize?${query.toString()}`))
    }
    const walks: readonly (readonly [module: string, more: Readonly<Record<string, string>>])[] = [
      ['oidcc-server', {}],
      ['oidcc-prompt-none-logged-in', { prompt: 'none' }],
      ['oidcc-refresh-token', { client_id: second.id, scope: 'openid offline_access', prompt: 'consent' }],
      ['oidcc-prompt-login', { prompt: 'login' }],
      ['oidcc-login-hint', { login_hint: 'buffy', prompt: 'login' }],
      ['oidcc-server', { response_mode: 'form_post' }],
      ['oidcc-response-type-missing', { response_type: '' }],
    ]
    for (const [module, more] of walks) assert.equal((await run(module, more)).at, 'client', module)
    const stays = await run('oidcc-ensure-registered-redirect-uri', { redirect_uri: `${suite}/elsewhere` })
    assert.equal(stays.at, 'page')

    const leaving = async (module: string, fields: Readonly<Record<string, string>>) => {
      const tasks = (plan.override[module] ?? plan).browser[1]?.tasks ?? []
      const query = new URLSearchParams(fields).toString()
      return runTasks(tasks, browser, await browser.get(`${issuer}/logout${query === '' ? '' : `?${query}`}`))
    }
    const back = await run('oidcc-server', {})
    assert.ok(back.at === 'client')
    const { id_token: hint } = await redeemed(back.query.get('code') ?? '', { issuer, agent })
    const goodbye = `${suite}/test/a/grantor/post_logout_redirect`
    const ends: readonly (readonly [module: string, fields: Readonly<Record<string, string>>, at: string])[] = [
      ['bad-post-logout-redirect-uri', { id_token_hint: hint, post_logout_redirect_uri: `${goodbye}?x` }, 'error'],
      ['bad-id-token-hint', { id_token_hint: 'x.y.z', post_logout_redirect_uri: goodbye }, 'error'],
    ]
    for (const [module, fields, at] of ends) {
      const end = await leaving(`oidcc-rp-initiated-logout-${module}`, fields)
      assert.ok(end.at === 'page' && textOf(end.body, at) !== null, module)
    }
    const gone = await leaving('oidcc-rp-initiated-logout', { id_token_hint: hint, post_logout_redirect_uri: goodbye })
    assert.equal(gone.url.href, goodbye)
    await run('oidcc-server', {})
    const quiet = await leaving('oidcc-rp-initiated-logout-no-params', {})
    assert.ok(quiet.at === 'page' && textOf(quiet.body, 'signed-out') !== null)
  })
}

interface Context {
  readonly issuer: string
  readonly agent: Agent
}

async function redeemed(code: string, { issuer, agent }: Context): Promise<{ readonly id_token: string }> {
  const response = await undiciFetch(`${issuer}/token`, {
    method: 'POST',
    dispatcher: agent,
    headers: {
      authorization: `Basic ${Buffer.from(`${first.id}:${first.secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: `${suite}/test/a/grantor/callback`,
    }).toString(),
  })
  return (await response.json()) as { id_token: string }
}
