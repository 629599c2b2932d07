/** Administrators who have proven themselves by two factors. */
import { totpCode } from '@grantor/protocol/people'
import type { Page } from 'playwright-core'
import { fromBase32 } from '../authenticator-secret.ts'

/** A second factor in this browser, where it counts as proven: what is dangerous asks for one. */
export async function provenTwice(page: Page, issuer: string): Promise<void> {
  await page.goto(`${issuer}/account/sign-in-methods`)
  await page.click('#set-up-authenticator')
  const key = fromBase32(((await page.locator('#secret').textContent()) ?? '').replaceAll(' ', ''))
  await page.fill('#otp', totpCode(key, Math.floor(Date.now() / 30_000)))
  await page.click('#confirm')
  await page.waitForSelector('.codes')
  await page.goto(`${issuer}/console/`)
  await page.waitForSelector('.frame main h1')
}
