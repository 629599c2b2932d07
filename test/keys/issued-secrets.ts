/** Everything secret that a deployment hands to people, devices and clients that register: made once, and told to the test. */
import assert from 'node:assert/strict'
import type { Visitor } from '@grantor/authority'
import { formOf } from '@grantor/protocol/oauth'
import { base32, totpCode, totpStep } from '@grantor/protocol/people'
import type { Instant, Json, Secret } from '@grantor/protocol/types'
import { defaultTenant, type Deployment } from '@grantor/server'

const operator = { kind: 'operator', id: 'test' } as const
/** A client that asks for access on a device; to be declared. */
export const television = 'tv'
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const anonymous = {
  tenant: defaultTenant,
  authorization: null,
  clientCertificate: null,
  proof: null,
  ip: null,
  traceId: null,
}
const stranger: Visitor = {
  ...anonymous,
  browser: `gb_${'zz9canary'.padEnd(43, 'b')}` as Secret,
  sessions: [],
  pendingSecondFactor: null,
  remembered: [],
  userAgent: null,
}

type Login = { readonly username: string; readonly password: string }

/** Texts, and the bytes of the app's secret. */
export async function issueSecrets(deployment: Deployment, login: Login): Promise<readonly (string | Uint8Array)[]> {
  return [
    ...(await factorsOf(deployment, login)),
    ...(await registered(deployment)),
    // What somebody typed waits in the queue of mails, sealed, until it is looked who that is.
    ...(await asked(deployment, 'zz9canary-typed@example.com')),
  ]
}

async function factorsOf({ authority }: Deployment, login: Login): Promise<readonly (string | Uint8Array)[]> {
  const { accountSignIn: entry, account, accounts } = authority.browser
  const entered = await entry.byPassword({ ...login, confirming: false }, stranger)
  assert.ok(entered.did === 'signed-in')
  const sessions = entered.cookies.sessions ?? []
  const [owner = assert.fail()] = await accounts({ ...stranger, sessions })
  const { secret, sealed } = account.factors.offerTotp(owner)
  const code = totpCode(secret, totpStep(Date.now() as Instant))
  const added = await account.factors.addTotp(owner, { sealed, otp: code }, stranger)
  assert.ok(added.did === 'added' && added.codes !== null)
  const half = await entry.byPassword({ ...login, confirming: false }, stranger)
  assert.ok(half.did === 'second-factor-pending')
  const pending = half.cookies.pendingSecondFactor ?? assert.fail()
  const [first = '', ...codes] = added.codes
  const answer = { recoveryCode: first }
  const further = await entry.bySecondFactor({ answer, remember: true }, { ...stranger, pendingSecondFactor: pending })
  assert.ok(further.did === 'signed-in')
  const remembered = further.cookies.remembered ?? []
  assert.ok(codes.length > 0 && remembered.length > 0)
  const typed = [first, ...codes].flatMap((it) => [it, it.replaceAll('-', ''), it.replaceAll('-', '').toUpperCase()])
  return [secret, base32(secret), sealed, pending, stranger.browser ?? '', ...sessions, ...remembered, ...typed]
}

async function registered({ authority }: Deployment): Promise<readonly string[]> {
  const token = await authority.admin.registrationTokens.create(operator, defaultTenant, { uses: 2, expiresIn: null })
  assert.ok(token.kind === 'ok')
  const body: Json = { redirect_uris: ['https://client.example/cb'], scope: 'a:read' }
  const made = await authority.register({ ...anonymous, authorization: `Bearer ${token.value.token}`, body })
  assert.ok(made.kind === 'ok', JSON.stringify(made))
  const { client_secret: secret, registration_access_token: access } = made.value
  const begun = await authority.deviceAuthorization({
    ...anonymous,
    form: formOf(new URLSearchParams({ client_id: television, scope: 'a:read' })),
    userAgent: null,
  })
  assert.ok(begun.kind === 'ok', JSON.stringify(begun))
  const { device_code: code, user_code: shown } = begun.value
  const all = [token.value.token, secret, access, code, shown].map(String)
  assert.ok(all.every((it) => it !== 'undefined'))
  return [...all, (all.at(-1) ?? '').replaceAll('-', '')]
}

async function asked({ authority }: Deployment, named: string): Promise<readonly string[]> {
  assert.ok(authority.browser.mail)
  const answer = await authority.browser.mail.requestReset({ named, language: 'en' }, stranger)
  assert.equal(answer.did, 'asked')
  return [named]
}
