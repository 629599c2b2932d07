/** People with second factors, for tests: enrol through the account, and show them. */
import assert from 'node:assert/strict'
import type { Account, FactorAnswer } from '@grantor/authority'
import { totpCode, totpStep } from '@grantor/protocol/people'
import type { JsonObject, Instant } from '@grantor/protocol/types'
import { Authenticator } from './authenticator.ts'
import type { Deployment } from './deployment.ts'
import { PersonAtBrowser, type Shown } from './person.ts'

export const origin = 'https://as.example'

export class Enrolling extends PersonAtBrowser {
  readonly deployment: Deployment
  secret: Uint8Array = new Uint8Array()
  codes: readonly string[] = []

  constructor(deployment: Deployment) {
    super(deployment.authority)
    this.deployment = deployment
    this.keep(this.authority.browser.nameBrowser(this.visitor()))
  }

  get factors() {
    return this.authority.browser.account.factors
  }

  /** Signs in to the account pages, as far as the password alone goes. */
  async enter(username = 'alice', password = 'correct-horse', confirming = false) {
    const outcome = await this.authority.browser.accountSignIn.byPassword(
      { username, password, confirming },
      this.visitor(),
    )
    if ('cookies' in outcome) this.keep(outcome.cookies)
    return outcome.did
  }

  async further(answer: FactorAnswer, remember = false) {
    const outcome = await this.authority.browser.accountSignIn.bySecondFactor({ answer, remember }, this.visitor())
    if ('cookies' in outcome) this.keep(outcome.cookies)
    return outcome.did
  }

  /** In an interaction. */
  async second(answer: FactorAnswer, remember = false): Promise<Shown> {
    const outcome = await this.authority.browser.secondFactor(this.at(), { answer, remember })
    if (outcome.kind === 'error') throw new Error(outcome.error.reason)
    if ('cookies' in outcome.value) this.keep(outcome.value.cookies)
    return this.stand()
  }

  async account(): Promise<Account> {
    const account = (await this.authority.browser.accounts(this.visitor())).at(-1)
    assert.ok(account, 'signed in')
    return account
  }

  async addApp(): Promise<void> {
    const account = await this.account()
    const offer = this.factors.offerTotp(account)
    this.secret = offer.secret
    const added = await this.factors.addTotp(account, { sealed: offer.sealed, otp: this.otp() }, this.visitor())
    assert.ok(added.did === 'added', added.did)
    this.codes = added.codes ?? this.codes
    if (added.cookies !== null) this.keep(added.cookies)
    // The code that confirmed it is spent.
    this.deployment.clock += 30_000
  }

  async addPasskey(lies = {}): Promise<Authenticator> {
    const account = await this.account()
    const authenticator = new Authenticator(origin)
    const options = await this.factors.passkeyQuestion(account, 'Test', this.visitor())
    assert.ok(options)
    const by = { answer: authenticator.create(options, lies), name: 'Phone' }
    const added = await this.factors.addPasskey(account, by, this.visitor())
    assert.ok(added.did === 'added', added.did)
    this.codes = added.codes ?? this.codes
    if (added.cookies !== null) this.keep(added.cookies)
    return authenticator
  }

  otp(steps = 0): string {
    return totpCode(this.secret, totpStep(this.deployment.clock as Instant) + steps)
  }

  /** The question that a page would hold now. */
  async question(): Promise<JsonObject> {
    const shown = await this.stand()
    assert.ok(shown.go === 'login' || shown.go === 'second-factor', shown.go)
    assert.ok(shown.passkey)
    return shown.passkey
  }

  async byPasskey(text: string): Promise<string> {
    const outcome = await this.authority.browser.signInWithPasskey(this.at(), text)
    if (outcome.kind === 'error') return outcome.error.reason
    if ('cookies' in outcome.value) this.keep(outcome.value.cookies)
    return outcome.value.did
  }

  /** Another browser of the same person. */
  elsewhere(): Enrolling {
    const other = new Enrolling(this.deployment)
    other.secret = this.secret
    other.codes = this.codes
    return other
  }
}

/** Somebody with an app and recovery codes, signed in with both factors. */
export async function withApp(deployment: Deployment): Promise<Enrolling> {
  const person = new Enrolling(deployment)
  assert.equal(await person.enter(), 'signed-in')
  await person.addApp()
  return person
}
