/** What the console does for whoever runs the service: tenants, mail, agents, tools. Registered where a server and a browser are up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { totpCode } from '@grantor/protocol/people'
import type { Browser } from 'playwright-core'
import { fromBase32 } from './authenticator-secret.ts'
import { checkPages, type ConsoleDeployment, hostileName, openConsole, password, secret, visit } from './console.ts'
import type { Person } from './person.ts'

interface Operating {
  readonly browser: Browser
  readonly deployment: ConsoleDeployment
  readonly ada: Person
}

export function operatingTests(up: () => Operating): void {
  test('the pages of tenants, mail, agents and tools are clean for axe and fit, wide and narrow', async () => {
    const { ada } = up()
    await checkPages(ada, {
      tenants: '/tenants',
      'new-tenant': '/new-tenant',
      tenant: '/tenants/acme',
      'tenant-registration': '/tenants/acme?tab=registration',
      'tenant-first': '/tenants/default',
      mail: '/mail',
      webhooks: '/webhooks',
      agents: '/agents',
      'agents-no-address': '/agents?url=javascript%3Aalert(1)&name=%3Cimg%20src%3Dx%3E',
      'agents-documents': '/agents?tab=documents',
      'agents-registered': '/agents?tab=registered',
      'agents-tokens': '/agents?tab=tokens',
      'agents-policy': '/agents?tab=policy',
      tools: '/tools',
      playground: '/tools?tab=playground&flow=code&client=walker',
      'no-such-tenant': '/tenants/nowhere',
    })
    await visit(ada.page, '/tenants')
    assert.equal(await ada.page.locator('.row-link .clip').filter({ hasText: '<img' }).textContent(), hostileName)
    assert.equal(await ada.page.locator('main img').count(), 0)
  })

  test('every page of the navigation is reached by the palette, and by its link', async () => {
    const { page } = up().ada
    await visit(page, '/')
    const links = await page.locator('.sidebar nav a').allTextContents()
    assert.ok(links.includes('Tenants') && links.includes('Tools') && links.includes('Agents and MCP'))
    for (const name of ['Mail', 'Tenants', 'Agents and MCP', 'Tools', 'New tenant']) {
      await page.keyboard.press('Control+k')
      await page.locator('.palette-input:focus').waitFor()
      await page.keyboard.type(name)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
    }
  })

  test('a tenant is made, changed and, after a fresh sign-in with two factors, disabled and deleted', async () => {
    const { browser, deployment } = up()
    await using owen = await openConsole(browser, deployment, { username: 'owen', path: '/new-tenant' })
    const { page } = owen
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('x'.repeat(10_000))
    await page.getByRole('button', { name: 'Create' }).click()
    await page.locator('.field .fault').waitFor()
    assert.equal(await name.getAttribute('aria-invalid'), 'true')
    await name.fill('Shoes & <b>Socks</b> 🧦')
    await page.getByLabel('Id').fill('acme')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('There is a tenant of this id already.').waitFor()
    await page.getByLabel('Id').fill('socks')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Shoes & <b>Socks</b> 🧦', level: 1 }).waitFor()

    await visit(page, '/tenants/socks?tab=registration')
    await page.getByLabel('Registration at /register').selectOption('token')
    await page.getByLabel('At most so many').fill('many')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.field .fault').waitFor()
    await page.getByLabel('At most so many').fill('5')
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    assert.equal((await saved).status(), 200)
    const tenant = JSON.parse((await deployment.call('GET', '/v1/tenants/socks')).body) as { registration: object }
    assert.deepEqual(tenant.registration, { mode: 'token', most_clients: 5 })

    // The second factor that the dangerous asks for; in another browser: where it was set up, it is proven already.
    await using elsewhere = await openConsole(browser, deployment, { username: 'owen', path: '/keys' })
    const account = elsewhere.page
    await account.goto(`${deployment.issuer}/account/sign-in-methods`)
    await account.click('#set-up-authenticator')
    const key = fromBase32(((await account.locator('#secret').textContent()) ?? '').replaceAll(' ', ''))
    // A step ahead is accepted and later than the one that confirms, whatever the clock does meanwhile.
    const code = (ahead: 0 | 1) => totpCode(key, Math.floor(Date.now() / 30_000) + ahead)
    await account.fill('#otp', code(0))
    await account.click('#confirm')
    await account.waitForSelector('.codes')

    await page.goto(`${deployment.issuer}/console/tenants/socks`)
    await page.getByRole('heading', { name: /Socks/, level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click()
    const stronger = page.getByRole('dialog', { name: 'This needs a fresh sign-in' })
    await stronger.waitFor()
    await owen.checkPage('console-step-up')
    await stronger.getByRole('button', { name: 'Continue' }).click()
    await page.waitForSelector('#password, #otp')
    if ((await page.locator('#password').count()) > 0) {
      await page.fill('#password', password)
      await page.click('#sign-in')
    }
    await page.fill('#otp', code(1))
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/tenants/socks')
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    await owen.checkPage('console-tenant-disabled')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**/console/tenants')
    assert.equal((await deployment.call('GET', '/v1/tenants/socks')).status, 404)

    // What this person signs in with by now is on their page, and can be taken away there.
    const found = JSON.parse((await deployment.call('GET', '/v1/users?username=owen')).body) as {
      items: { id: string }[]
    }
    await visit(page, `/people/${found.items[0]?.id}?tab=sign-in`)
    const methods = page.getByRole('table', { name: 'Sign-in methods' })
    await methods.getByText('Authenticator app').waitFor()
    await owen.checkPage('console-sign-in-methods')
    const codes = methods.locator('tr').filter({ hasText: 'Recovery codes' })
    await codes.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('The sign-in method was removed').waitFor()
    await methods.waitFor()
    assert.deepEqual(await methods.locator('tbody td:first-child').allTextContents(), ['Password', 'Authenticator app'])
  })

  test('a test mail arrives, and the page says so; what is no address is said at the field', async () => {
    const { ada, deployment } = up()
    const { page } = ada
    await visit(page, '/mail')
    await page.getByLabel('Your address').fill('nobody')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.field .fault').waitFor()
    await page.getByLabel('Your address').fill('ada@example.com')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('The mail server took the mail for ada@example.com.').waitFor()
    await ada.checkPage('console-mail-sent')
    assert.ok(deployment.smtp.arrived.some(({ to }) => to.includes('ada@example.com')))
  })

  test('a registration token is shown once, lets a client in, and is revoked', async () => {
    const { ada, deployment } = up()
    const { page } = ada
    await visit(page, '/agents?tab=tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('For how many clients').fill('2')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByRole('heading', { name: 'The registration token' }).waitFor()
    await ada.checkPage('console-registration-token')
    const token = (await dialog.locator('.secret code').textContent()) ?? ''
    await dialog.getByRole('button', { name: 'Close' }).click()
    const register = () =>
      ada.context.request.post(`${deployment.issuer}/register`, {
        headers: { authorization: `Bearer ${token}` },
        data: { client_name: 'Agent', redirect_uris: ['http://127.0.0.1/cb'], token_endpoint_auth_method: 'none' },
      })
    assert.equal((await register()).status(), 201)
    await visit(page, '/agents?tab=registered')
    await page.getByRole('link', { name: 'Agent', exact: true }).waitFor()
    await visit(page, '/agents?tab=tokens')
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('heading', { name: 'No registration tokens' }).waitFor()
    assert.equal((await register()).status(), 401)
  })

  test('a program’s token is walked to, read, verified and asked about; a changed one is called wrong', async () => {
    const { ada } = up()
    const { page } = ada
    await visit(page, '/tools?tab=playground&flow=machine&client=robot')
    await page.getByLabel('Client secret').fill(secret)
    await page.getByRole('button', { name: 'Send: Find the endpoints' }).click()
    const ask = page.getByRole('region', { name: 'With curl: Ask for a token' })
    assert.match(
      (await ask.textContent()) ?? '',
      /curl '.*\/token'[^]*--data-urlencode 'grant_type=client_credentials'/,
    )
    await page.getByRole('button', { name: 'Send: Ask for a token' }).click()
    await page.getByRole('button', { name: 'Look into the token' }).waitFor()
    await ada.checkPage('console-playground-token')
    await page.getByRole('button', { name: 'Look into the token' }).click()
    await page.getByText('Signed by this server, and within its time').waitFor()
    await page.getByLabel('Client ID').fill('robot')
    await page.getByLabel('Client secret').fill(secret)
    await page.getByRole('button', { name: 'Introspect' }).click()
    await page.getByRole('heading', { name: /^The answer: / }).waitFor()
    await ada.checkPage('console-inspector')
    await page.setViewportSize({ width: 390, height: 860 })
    await ada.checkPage('console-inspector-390')
    await page.setViewportSize({ width: 1280, height: 860 })

    const field = page.getByLabel('Token', { exact: true })
    const [head = '', , signature = ''] = (await field.inputValue()).split('.')
    const claims = { iss: up().deployment.issuer, sub: hostileName, scope: hostileName.repeat(80), exp: 9e9 }
    await field.fill(`${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`)
    await page.getByText('Wrong: somebody changed it, or made it up').waitFor()
    assert.equal(await page.locator('main img').count(), 0)
    await ada.checkPage('console-inspector-hostile')
    const kept = await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage }) + location.href')
    assert.doesNotMatch(kept, /eyJ|robot-secret/)
    for (const [text, says] of [
      ['eyJhbGciOiJFUzI1NiJ9.%%%.x', 'This looks like a JWT and cannot be read'],
      ['x'.repeat(10_000), 'This token says nothing by itself'],
      ['gk_abc', 'This is an API key'],
    ] as const) {
      await field.fill(text)
      await page.getByText(says).waitFor()
    }
  })

  test('the code flow is walked from the first address to the end of the token', async () => {
    const { ada } = up()
    const { page, context } = ada
    await context.route('https://walker.example/**', (route) => route.fulfill({ body: 'back' }))
    await visit(page, '/tools?tab=playground&flow=code&client=walker')
    await page.getByRole('button', { name: 'Send: Find the endpoints' }).click()
    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Open in a new tab' }).click()
    const tab = await opened
    await tab.waitForSelector('#allow')
    await tab.click('#allow')
    await tab.waitForURL('https://walker.example/**')
    const back = page.getByLabel('The address that the browser came back to')
    await back.fill(tab.url().replace('state=', 'state=x'))
    await page.getByText('Its state is not the one of this walk').waitFor()
    await back.fill(tab.url())
    await tab.close()
    await page.getByRole('button', { name: 'Send: Take the code for tokens' }).click()
    await page.getByRole('button', { name: 'Send: Ask who it is' }).click()
    await page.getByRole('region', { name: 'The answer to “Ask who it is”' }).getByText('"sub"').waitFor()
    await page.getByRole('button', { name: 'Send: End it' }).click()
    await page.getByRole('region', { name: 'The answer to “End it”' }).waitFor()
    await ada.checkPage('console-playground-code')
  })

  test('a client that is shut out by guessing is seen, and let in again', async () => {
    const { ada, deployment } = up()
    const { page } = ada
    const guess = async (typed: string): Promise<number> =>
      (await deployment.post('/token', `guessed:${typed}`, { grant_type: 'client_credentials' })).status
    let guesses = 0
    while ((await guess('wrong')) === 401) assert.ok((guesses += 1) < 1000, 'guessing ends')
    await visit(page, '/locks')
    await page.getByRole('link', { name: 'guessed' }).waitFor()
    await ada.checkPage('console-locks')
    await page.getByRole('button', { name: 'Unlock' }).first().click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unlock' }).click()
    await page.getByText('They may try again').waitFor()
    await page.getByRole('heading', { name: 'Nobody is locked out' }).waitFor()
    await ada.checkPage('console-locks-none')
  })

  test('a webhook is made with a secret shown once, tried, and disabled; what is no address is said at the field', async () => {
    const { ada } = up()
    const { page } = ada
    await visit(page, '/webhooks')
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByLabel('Address').fill('https://127.0.0.1/')
    await page.getByLabel('Events', { exact: true }).fill('session.* grant.revoked')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('must not name a private host').waitFor()
    await page.getByLabel('Address').fill('https://hooks.example.invalid/in')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText(/^whsec_/).waitFor()
    await ada.checkPage('console-webhook-secret')
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('link', { name: 'https://hooks.example.invalid/in' }).click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    const row = page.getByRole('row').filter({ hasText: 'webhook.test' })
    // Nobody is there; what the try fails at, and when, depends on the name server of the machine.
    await row.getByText('Waits').waitFor()
    await ada.checkPage('console-webhook')
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Nobody is told of events').waitFor()
  })

  test('an auditor sees tenants and mail, and is offered nothing to change', async () => {
    const { browser, deployment } = up()
    await using aud = await openConsole(browser, deployment, { username: 'aud', path: '/tenants' })
    await aud.page.locator('tbody tr').first().waitFor()
    assert.equal(await aud.page.getByRole('link', { name: 'New tenant' }).count(), 0)
    await visit(aud.page, '/tenants/acme')
    assert.equal(await aud.page.getByRole('button', { name: /Save|Disable/ }).count(), 0)
    await visit(aud.page, '/mail')
    assert.equal(await aud.page.getByRole('button', { name: 'Send' }).count(), 0)
    assert.deepEqual(aud.consoleMessages, [])
  })
}
