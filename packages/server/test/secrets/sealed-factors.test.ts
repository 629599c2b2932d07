/** The secrets of authenticator apps outlive the master key they were sealed under, and lie nowhere in the open. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { totpCode, totpStep } from '@grantor/protocol/people'
import type { Instant, Secret } from '@grantor/protocol/types'
import type { FactorAnswer, Visitor } from '@grantor/authority'
import type { Deployment } from '../../src/compose.ts'
import { defaultTenant } from '../../src/issuer.ts'
import { dataFolder } from './master-keys.ts'

const operator = { kind: 'operator', id: 'test' } as const
const alice = { username: 'alice', password: 'zz9canary-password' }

const nobody: Visitor = {
  tenant: defaultTenant,
  browser: `gb_${'b'.repeat(43)}` as Secret,
  sessions: [],
  pendingSecondFactor: null,
  remembered: [],
  ip: null,
  userAgent: null,
  traceId: null,
}

/** Somebody with an app, in a browser that is trusted. */
async function enrolled({ authority }: Deployment) {
  const { browser } = authority
  const made = await authority.admin.users.create(operator, defaultTenant, { ...alice, claims: {} })
  assert.ok(made.kind === 'ok')
  const entered = await browser.accountSignIn.byPassword({ ...alice, confirming: false }, nobody)
  assert.ok('cookies' in entered)
  const visitor = { ...nobody, ...entered.cookies, pendingSecondFactor: null }
  const [account] = await browser.accounts(visitor)
  assert.ok(account)
  const { secret, sealed } = browser.account.factors.offerTotp(account)
  // A step ahead is accepted and later than the one that confirms, whatever the clock does meanwhile.
  const otp = (steps: 0 | 1) => totpCode(secret, totpStep(Date.now() as Instant) + steps)
  const added = await browser.account.factors.addTotp(account, { sealed, otp: otp(0) }, visitor)
  assert.ok(added.did === 'added' && added.codes !== null)
  return { secret, otp, codes: added.codes }
}

async function signsIn({ authority }: Deployment, answer: FactorAnswer): Promise<readonly Secret[]> {
  const { accountSignIn: entry } = authority.browser
  const half = await entry.byPassword({ ...alice, confirming: false }, nobody)
  assert.ok(half.did === 'second-factor-pending')
  const further = await entry.bySecondFactor(
    { answer, remember: true },
    { ...nobody, pendingSecondFactor: half.cookies.pendingSecondFactor ?? null },
  )
  assert.equal(further.did, 'signed-in')
  return 'cookies' in further ? (further.cookies.remembered ?? []) : []
}

test('an app still signs in after the master key was replaced; no secret of it is found in any file', async () => {
  using data = dataFolder()
  const { secret, otp, codes } = await data.within('before', enrolled)
  const trusted = await data.within('before', (deployment) => signsIn(deployment, { recoveryCode: codes[0] ?? '' }))
  await data.within('both', async ({ authority }) => {
    assert.ok((await authority.admin.keys.rewrap(operator)).kind === 'ok')
  })
  await data.within('after', (deployment) => signsIn(deployment, { otp: otp(1) }))
  const files = readdirSync(data.folder).map((name) => readFileSync(join(data.folder, name)))
  assert.ok(files.some((it) => it.includes('alice')))
  const codeLetters = codes.flatMap((code) => [code, code.replaceAll('-', '')])
  const bytes = Buffer.from(secret)
  const canaries = [bytes, bytes.toString('hex'), bytes.toString('base64').slice(0, 24), ...codeLetters, ...trusted]
  for (const canary of canaries) assert.ok(!files.some((it) => it.includes(canary)), 'in the open')
})
