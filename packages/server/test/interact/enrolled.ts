/** Somebody with an authenticator app, enrolled over HTTP as a person does it. */
import assert from 'node:assert/strict'
import { totpCode } from '@grantor/protocol/people'
import { type Deployment, type HandBrowser, type Person, tokenIn } from './deployment.ts'

export const methods = '/account/sign-in-methods'

export interface Enrolled {
  readonly who: Person
  readonly browser: HandBrowser
  readonly codes: readonly string[]
  /** A step ahead is accepted, and later than the one that confirmed, whatever the clock does meanwhile. */
  otp(): string
}

/** From the QR page: what an app would read. */
function secretIn(body: string): Uint8Array {
  const text = (/id="secret">([A-Z2-7 ]+)</.exec(body)?.[1] ?? '').replaceAll(' ', '')
  const bits = text.replace(/./g, (it) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(it).toString(2).padStart(5, '0'))
  return Uint8Array.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** `who` may be somebody who is known, and signed in elsewhere already. */
export async function enrolApp(deployment: Deployment, base = '', who = deployment.somebody()): Promise<Enrolled> {
  const browser = deployment.browser()
  assert.equal((await browser.press(`${base}/account`, '/enter', { ...who })).status, 303)
  return { who, browser, ...(await enrolAppIn(browser, base)) }
}

/** Of whoever is signed in there. */
export async function enrolAppIn(browser: HandBrowser, base = ''): Promise<Pick<Enrolled, 'codes' | 'otp'>> {
  const page = await browser.ask(`${base}${methods}/authenticator`)
  const secret = secretIn(page.body)
  assert.equal(secret.length, 20)
  const code = (ahead: 0 | 1) => totpCode(secret, Math.floor(Date.now() / 30_000) + ahead)
  const sealed = /name="sealed" value="([\w-]+)"/.exec(page.body)?.[1] ?? ''
  const form = { csrf: tokenIn(page.body), sealed, otp: code(0) }
  const done = await browser.ask(`${base}${methods}/authenticator`, { form })
  const codes = [...done.body.matchAll(/<code>([\w-]{19})<\/code>/g)].map(([, it]) => it ?? '')
  assert.equal(codes.length, 10, done.body.slice(0, 400))
  return { codes, otp: () => code(1) }
}
