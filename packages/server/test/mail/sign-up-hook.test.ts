/** The hook before sign-up over HTTP: what it is asked, what comes of each answer, and of none. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import type { SignUpHookRequest } from '@grantor/protocol/decisions'
import type { TenantId } from '@grantor/protocol/types'
import { isOwnMessage, webhookSecretOf } from '@grantor/protocol/webhooks'
import { startSmtpServer, type TestSmtpServer } from '../../../../interop/smtp-server.ts'
import { loadSettings } from '../../src/config/load.ts'
import { type Deployment, deploy } from '../interact/deployment.ts'
import { openHttpsServer } from '../outbound/test-servers.ts'

const secret = webhookSecretOf(new Uint8Array(32).fill(9))
const folder = mkdtempSync(join(tmpdir(), 'grantor-sign-up-hook-'))
const stack = new AsyncDisposableStack()
const questions: SignUpHookRequest[] = []
/** By the name before the @. */
const answers: Readonly<Record<string, unknown>> = {
  fine: { decision: 'allow' },
  no: { decision: 'deny', reason: 'known to us' },
  step: { decision: 'deny', url: 'https://challenge.example/?a=1&b=2' },
  script: { decision: 'deny', url: 'javascript:alert(1)' },
  both: { decision: 'allow', url: 'https://challenge.example/' },
  more: { decision: 'allow', really: true },
  truth: { decision: true },
}
let smtp: TestSmtpServer
let strict: Deployment
let lenient: Deployment
let tallied: Deployment

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const content = await text(request)
  assert.ok(isOwnMessage({ headers: request.headers, content, secrets: [secret], now: Date.now() }))
  const question = JSON.parse(content) as SignUpHookRequest
  questions.push(question)
  const [name = ''] = question.data.email.split('@')
  // Whoever is called otherwise gets no answer.
  if (name in answers)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[name]))
}

before(async () => {
  smtp = stack.use(await startSmtpServer())
  const hook = stack.use(await openHttpsServer({ '/hook': (request, response) => void answer(request, response) }))
  const ca = join(folder, 'ca.pem')
  writeFileSync(ca, hook.ca)
  const env = {
    GRANTOR_MAIL_SMTP: `smtp://127.0.0.1:${smtp.port}`,
    GRANTOR_MAIL_FROM: 'Login <login@as.example>',
    GRANTOR_LIMIT_RESET_ADDRESS: '500/1h',
    GRANTOR_OUTBOUND_ALLOW: `localhost:${hook.port}`,
    GRANTOR_OUTBOUND_CA: ca,
    GRANTOR_SIGN_UP_HOOK: `https://localhost:${hook.port}/hook`,
    GRANTOR_SIGN_UP_HOOK_SECRET: secret,
    GRANTOR_SIGN_UP_HOOK_DEADLINE_MS: '2000',
  }
  strict = stack.use(await deploy(env))
  lenient = stack.use(await deploy({ ...env, GRANTOR_SIGN_UP_HOOK_ON_FAILURE: 'allow' }))
  tallied = stack.use(await deploy(env, 0))
  for (const it of [strict, lenient, tallied]) await it.declare({ accounts: { sign_up: true } })
})
after(async () => {
  await stack.disposeAsync()
  rmSync(folder, { recursive: true, force: true })
})

const asked = (email: string, at = strict) => at.browser().press('/sign-up', '', { email, 'send-link': 'yes' })

async function mailed(email: string): Promise<void> {
  for (let n = 0; n < 6_000 && !smtp.arrived.some((it) => it.to.includes(email)); n += 1)
    await new Promise((over) => setTimeout(over, 10))
  assert.ok(
    smtp.arrived.some((it) => it.to.includes(email)),
    email,
  )
}

test('who is allowed is mailed a link; the question names the address and where it came from, signed', async () => {
  assert.equal((await asked('fine@example.org')).status, 303)
  await mailed('fine@example.org')
  const { type, tenant, data } = questions.at(-1) ?? assert.fail()
  assert.deepEqual([type, tenant, data.email], ['account.signing_up', 'default', 'fine@example.org'])
  assert.equal(typeof data.ip, 'string')
})

test('who is denied is told so and mailed nothing; a further step is a link to where it is done', async () => {
  const denied = await asked('no@example.org')
  assert.equal(denied.status, 403)
  assert.match(denied.body, /id="sign-up-refused"/)
  assert.doesNotMatch(denied.body, /known to us|challenge/)
  const step = await asked('step@example.org')
  assert.equal(step.status, 403)
  assert.match(step.body, /href="https:\/\/challenge\.example\/\?a=1&amp;b=2"/)
})

test('what is no answer, or none in time, lets nobody pass, or everybody where that was chosen', async () => {
  for (const name of ['script', 'both', 'more', 'truth', 'silent']) {
    const answered = await asked(`${name}@example.org`)
    assert.equal(answered.status, 503, name)
    assert.ok(answered.headers['retry-after'])
    assert.doesNotMatch(answered.body, /javascript:|hook|localhost/)
  }
  for (const name of ['script', 'silent']) {
    assert.equal((await asked(`${name}@lenient.example`, lenient)).status, 303, name)
    await mailed(`${name}@lenient.example`)
  }
  assert.equal((await asked('no@lenient.example', lenient)).status, 403, 'a no is a no')
  assert.deepEqual(
    smtp.arrived.flatMap(({ to }) => to).filter((it) => !/^fine@|^(?:script|silent)@lenient/.test(it)),
    [],
  )
})

test('what was denied is in the log, counted by its reason, and says nothing of whom', async () => {
  for (let n = 0; n < 3; n += 1) await asked('no@example.org', tallied)
  await asked('step@example.org', tallied)
  await asked('silent@example.org', tallied)
  await asked('fine@example.org', tallied)
  const { authority } = tallied
  await authority.close()
  const found = await authority.admin.events.last('default' as TenantId, 50)
  assert.ok(found.kind === 'ok')
  const events = found.value.filter(({ name }) => name === 'sign_up.refused')
  const counts = Object.fromEntries(events.map(({ reason, data }) => [reason, data?.['count']]))
  assert.deepEqual(counts, { hook_denied: 3, hook_step: 1, hook_unavailable: 1 })
  assert.equal(events.length, 3)
  assert.doesNotMatch(JSON.stringify(events), /example|known to us/)
})

test('nobody is asked about what is no address', async () => {
  const before = questions.length
  assert.equal((await asked('no address')).status, 400)
  assert.equal(questions.length, before)
})

test('settings that make no hook do not start', () => {
  const problems = (env: Record<string, string>) => {
    const loaded = loadSettings({ flags: {}, env: { GRANTOR_DATA: folder, ...env }, cwd: folder })
    return loaded.kind === 'error' ? loaded.error.join() : null
  }
  const url = 'https://hooks.example/in'
  assert.equal(problems({ GRANTOR_SIGN_UP_HOOK: url, GRANTOR_SIGN_UP_HOOK_SECRET: secret }), null)
  assert.match(problems({ GRANTOR_SIGN_UP_HOOK: url }) ?? '', /sign_up\.hook_secret/)
  assert.match(problems({ GRANTOR_SIGN_UP_HOOK_SECRET: secret }) ?? '', /needs sign_up\.hook/)
  assert.match(problems({ GRANTOR_SIGN_UP_HOOK: url, GRANTOR_SIGN_UP_HOOK_SECRET: 'whsec_x' }) ?? '', /24 to 64/)
  const plain = { GRANTOR_SIGN_UP_HOOK: 'http://hooks.example/', GRANTOR_SIGN_UP_HOOK_SECRET: secret }
  assert.match(problems(plain) ?? '', /https address/)
})
