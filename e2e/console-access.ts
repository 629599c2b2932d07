/** What the console does about access, and what happens to one that is open: registered where a server and a browser are up. */
import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { totpCode } from '@grantor/protocol/people'
import { languages } from '@grantor/server/pages'
import type { Browser } from 'playwright-core'
import { fromBase32 } from './authenticator-secret.ts'
import { type ConsoleDeployment, hostileName, openConsole, password, secret, visit } from './console.ts'
import type { Person } from './person.ts'

interface Open {
  readonly browser: Browser
  readonly deployment: ConsoleDeployment
  readonly ada: Person
}

/** A step ahead is accepted and later than the one that confirms, whatever the clock does meanwhile. */
function codesOf(shown: string): (ahead: 0 | 1) => string {
  const key = fromBase32(shown.replaceAll(' ', ''))
  return (ahead) => totpCode(key, Math.floor(Date.now() / 30_000) + ahead)
}

/** To be called last: in the end the server restarts. */
export function accessTests(up: () => Open): void {
  test('an API and a scope are made, people read its words in their language, and a token is tested', async () => {
    const { ada, deployment } = up()
    const { page } = ada
    await visit(page, '/new-api')
    await page.getByLabel('Identifier').fill('not a uri')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.locator('.field .fault').first().waitFor()
    await page.getByLabel('Identifier').fill('https://bills.example/v1')
    await page.getByLabel('Name', { exact: true }).fill(hostileName)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL('**/console/apis/https%3A%2F%2Fbills.example%2Fv1?tab=scopes')
    await page.getByRole('link', { name: 'New scope' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('bills:pay')
    await page.getByLabel('What people read (English)').fill('Pay your bills')
    await page.getByLabel('What people read (German)').fill('Ihre Rechnungen bezahlen')
    await page.getByLabel('Sensitivity').selectOption('high')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('link', { name: 'bills:pay' }).waitFor()
    await visit(page, '/apis/https%3A%2F%2Fbills.example%2Fv1?tab=consent&scope=openid+bills%3Apay&language=de')
    const lines = page.locator('.consent-lines li')
    const { scopes: heading, sensitive } = languages.de.messages.consent
    await lines.filter({ hasText: 'Ihre Rechnungen bezahlen' }).filter({ hasText: sensitive }).waitFor()
    await page.getByText(heading, { exact: true }).waitFor()
    assert.equal(await lines.count(), 2)

    const form = { grant_type: 'client_credentials', scope: 'orders:read' }
    const issued = JSON.parse((await deployment.post('/token', `worker:${secret}`, form)).body) as {
      access_token: string
    }
    for (const [api, verdict] of [
      ['https://orders.example', 'The API would accept it'],
      ['https://bills.example/v1', 'The API would refuse it: 401 audience_mismatch'],
    ] as const) {
      await visit(page, `/apis/${encodeURIComponent(api)}?tab=test`)
      await page.getByLabel('Access token').fill(issued.access_token)
      await page.getByRole('button', { name: 'Test', exact: true }).click()
      await page.getByText(verdict).waitFor()
      await ada.checkPage(`console-token-test-${new URL(api).hostname}`)
    }
  })

  test('the token of a client is previewed for a person, with what it would lack', async () => {
    const { ada } = up()
    const { page } = ada
    await visit(page, '/clients/shop?tab=preview')
    await page.getByLabel('Username of a person').fill('nowhere')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('There is nobody of this name.').waitFor()
    await page.getByLabel('Username of a person').fill('nobody')
    await page.getByLabel('Scopes').fill('openid orders:read email')
    await page.getByRole('button', { name: 'Show' }).click()
    const claims = page.getByRole('region', { name: 'Claims of the access token' })
    await claims.waitFor()
    await ada.checkPage('console-token-preview')
    assert.match((await claims.textContent()) ?? '', /"scope": "openid orders:read"/)
    await page.getByText('is not registered for this client').waitFor()
    const steps = page.getByRole('list', { name: 'How its scope comes about' }).getByRole('listitem')
    assert.deepEqual(await steps.locator('strong').allTextContents(), [
      'Asked for',
      'The client may',
      'Their roles allow',
      'They agree',
      'In the token',
    ])
    assert.deepEqual(await steps.nth(1).locator('del').allTextContents(), ['email'])
    await page.setViewportSize({ width: 390, height: 860 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await ada.checkPage('console-token-preview-390')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1280, height: 860 })
  })

  test('the log is verified with its progress, and taken away as a file', async () => {
    const { ada } = up()
    const { page } = ada
    await visit(page, '/audit')
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('button', { name: 'Begin' }).click()
    await page.getByText('The log is whole').waitFor()
    await ada.checkPage('console-log-verified')
    await page.getByRole('button').getByText('Close', { exact: true }).click()
    await page.getByRole('button', { name: 'Export' }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
    const lines = (await text(await (await saved).createReadStream())).trimEnd().split('\n')
    await page.getByText(`${lines.length} events were saved`).waitFor()
    assert.equal((JSON.parse(lines[0] ?? '') as { seq: number }).seq, 1)
    await ada.checkPage('console-log-exported')
    await page.keyboard.press('Escape')
  })

  test('RFC 9470: to drop a key leads to a second factor and back; the key is dropped then; who is demoted is out at once', async () => {
    const { browser, deployment } = up()
    await using olga = await openConsole(browser, deployment, { username: 'olga', path: '/keys' })
    await using dee = await openConsole(browser, deployment, { username: 'dee', path: '/new-api' })
    const { page } = olga
    await page.getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    const next = page.locator('tbody tr').filter({ hasText: 'Next' })
    await next.first().waitFor()
    // In another browser: where it was set up, it is proven already.
    await using elsewhere = await openConsole(browser, deployment, { username: 'olga', path: '/keys' })
    const account = await elsewhere.context.newPage()
    await account.goto(`${deployment.issuer}/account/sign-in-methods`)
    await account.click('#set-up-authenticator')
    const code = codesOf((await account.locator('#secret').textContent()) ?? '')
    await account.fill('#otp', code(0))
    await account.click('#confirm')
    await account.waitForSelector('.codes')
    await account.close()
    const kid = (await next.first().locator('.row-button').textContent()) ?? ''
    const drop = async (): Promise<void> => {
      await page.locator('tbody tr').filter({ hasText: kid }).getByRole('button', { name: 'Drop' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Drop' }).click()
    }
    const held = async (): Promise<boolean> => (await deployment.call('GET', '/v1/keys')).body.includes(kid)
    await drop()
    const asked = page.getByRole('dialog', { name: 'This needs a fresh sign-in' })
    await asked.waitFor()
    await olga.checkPage('console-step-up')
    assert.ok(await held(), 'nothing happened yet')
    await asked.getByRole('button', { name: 'Continue' }).click()
    await page.waitForSelector('#otp')
    await page.fill('#otp', code(1))
    await olga.press('sign-in')
    await page.waitForURL('**/console/keys')
    await page.locator('tbody tr').first().waitFor()
    await drop()
    await page.getByText('The key was dropped').waitFor()
    assert.ok(!(await held()))

    // Somebody is demoted while signed in: they do nothing more, and are told so.
    await dee.page.getByLabel('Identifier').fill('https://late.example')
    await visit(page, '/people?username%5Bprefix%5D=dee')
    await page.getByRole('link', { name: 'dee' }).click()
    await page.getByLabel('Administrator', { exact: true }).selectOption('')
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    assert.equal((await saved).status(), 200)
    await dee.page.getByRole('button', { name: 'Create' }).click()
    const ended = dee.page.getByRole('dialog', { name: 'Your session has ended' })
    await ended.waitFor()
    await dee.checkPage('console-demoted')
    assert.equal((await deployment.call('GET', '/v1/resources/https%3A%2F%2Flate.example')).status, 404)
    await ended.getByRole('button', { name: 'Sign in again' }).click()
    await dee.page.waitForSelector('#username, .centre button')
    if ((await dee.page.locator('#username').count()) > 0) await dee.signIn({ username: 'dee', password, name: 'dee' })
    await dee.page.getByRole('heading', { name: 'You are not an administrator here' }).waitFor()
    await dee.checkPage('console-not-administrator')
  })

  test('a tenant has a console of its own: its people, its keys, and nothing of the deployment', async () => {
    const { browser, deployment } = up()
    await using tina = await openConsole(browser, deployment, { username: 'tina', tenant: '/t/acme', path: '/people' })
    const { page } = tina
    await page.getByRole('link', { name: 'tina' }).waitFor()
    assert.equal(await page.locator('tbody tr').count(), 1, 'nobody else is there')
    await visit(page, '/apis')
    assert.equal(await page.getByText('https://orders.example').count(), 0)
    await visit(page, '/keys')
    await page.locator('tbody tr').first().waitFor()
    await visit(page, '/')
    await tina.checkPage('console-tenant-home')
    assert.equal(await page.getByText('Running since').count(), 0, 'the server is not the tenant’s')
    await visit(page, '/clients/shop')
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  })

  test('a page that cannot be fetched is said to be out of reach in the console itself, and comes with another try', async () => {
    const { browser, deployment } = up()
    await using person = await openConsole(browser, deployment)
    const { page } = person
    const isTools = /\/assets\/tools-[^/]*\.js$/
    await page.route(isTools, (route) => route.abort())
    await page.reload()
    const link = page.getByRole('link', { name: 'Tools', exact: true })
    await link.waitFor()
    await page.evaluate('window.sameWindow = true')
    await link.click()
    await page.getByText('The server cannot be reached').waitFor()
    assert.equal(await page.evaluate('window.sameWindow'), true, 'the window was not loaded anew')
    await person.checkPage('console-page-out-of-reach')
    await page.unroute(isTools)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Tools', level: 1 }).waitFor()
    assert.equal(await page.evaluate('window.sameWindow'), true)
  })

  test('the server restarts under an open console: what was typed is still there, and is sent then', async () => {
    const { browser, deployment } = up()
    await using person = await openConsole(browser, deployment, { path: '/new-api' })
    const { page } = person
    await page.getByLabel('Identifier').fill('https://patient.example')
    // By then the other pages are there, too.
    await page.waitForLoadState('networkidle')
    await deployment.stop()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.locator('.form-footer .fault').waitFor()
    await deployment.start()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL('**/console/apis/https%3A%2F%2Fpatient.example?tab=scopes')
  })
}
