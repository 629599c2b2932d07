/** The configuration that the conformance suite is given: its browser steps lead through our pages as they are now. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent, fetch as undiciFetch } from 'undici'
import { startServer, temporaryFolder } from '../server.ts'
import { Browser, type Manner } from '../suite/browser.ts'
import { planFor, seedFor } from '../suite/certification.ts'
import { first, second } from '../suite/house.ts'
import { runTasks } from '../suite/web-runner.ts'

const suite = 'https://suite.example'

for (const manner of ['plain', 'htmlunit'] as const satisfies readonly Manner[]) {
  test(`the steps of the plan lead a ${manner} browser through sign-in, consent and back, and to the error page`, async () => {
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
      manner,
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
  })
}
