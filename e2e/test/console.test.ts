/** The console in real Chromium: the main task of each page, every state held against axe, in two widths and two themes. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openChromium } from '../chromium.ts'
import { checkPages, type ConsoleDeployment, deployConsole, hostileName, openConsole, visit } from '../console.ts'
import { everyPageTests } from '../console/every-page.ts'
import { accessTests } from '../console-access.ts'
import { brandingTests } from '../console-branding.ts'
import { operatingTests } from '../console-operating.ts'
import { peopleTests } from '../console-people.ts'
import { streamTests } from '../console-streams.ts'
import type { Person } from '../person.ts'

describe('the console', () => {
  let browser: Browser
  let deployment: ConsoleDeployment
  let ada: Person
  const stack = new AsyncDisposableStack()
  before(async () => {
    deployment = stack.use(await deployConsole())
    browser = await openChromium()
    stack.defer(() => browser.close())
    ada = stack.use(await openConsole(browser, deployment))
  })
  after(() => stack.disposeAsync())
  operatingTests(() => ({ browser, deployment, ada }))
  brandingTests(() => ({ deployment, ada }))
  streamTests(() => ({ deployment, ada }))
  peopleTests(() => ({ browser, deployment, ada }))

  test('its token is in no storage, and a reload leads back to the same page', async () => {
    const { page } = ada
    await visit(page, '/people?email=nobody%40example.com')
    const kept = await page.evaluate<string>(
      'JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage })',
    )
    assert.doesNotMatch(kept, /eyJ|token|verifier/)
    await page.reload()
    await page.waitForSelector('.frame main h1')
    assert.equal(
      new URL(page.url()).pathname + new URL(page.url()).search,
      '/console/people?email=nobody%40example.com',
    )
    assert.deepEqual(ada.consoleMessages, [])
  })

  test('every page is clean for axe and fits, wide and narrow, light and dark', async () => {
    const { page } = ada
    const person = JSON.parse((await deployment.call('GET', '/v1/users?username=nobody')).body) as {
      items: { id: string }[]
    }
    const id = person.items[0]?.id ?? ''
    const pages: Readonly<Record<string, string>> = {
      home: '/',
      clients: '/clients',
      'client-settings': '/clients/shop',
      'client-credentials': '/clients/shop?tab=credentials',
      'client-preview': '/clients/shop?tab=preview',
      'client-grants': '/clients/shop?tab=grants',
      'client-activity': '/clients/shop?tab=activity',
      'client-snippets': '/clients/shop?tab=snippets',
      'new-client': '/new-client',
      apis: '/apis',
      scopes: '/apis?tab=scopes&resource=https%3A%2F%2Forders.example',
      'what-people-read': '/apis?tab=consent',
      api: '/apis/https%3A%2F%2Forders.example',
      'api-scopes': '/apis/https%3A%2F%2Forders.example?tab=scopes',
      'api-test': '/apis/https%3A%2F%2Forders.example?tab=test',
      'new-api': '/new-api',
      'new-scope': '/new-scope',
      scope: '/scopes/orders%3Aread',
      'scope-built-in': '/scopes/admin%3Akeys%3Aread',
      keys: '/keys',
      devices: '/devices',
      settings: '/settings',
      'settings-found': '/settings?q=mail',
      'api-keys': '/api-keys',
      grants: '/grants',
      people: '/people',
      person: `/people/${id}`,
      'person-sign-in': `/people/${id}?tab=sign-in`,
      'person-sessions': `/people/${id}?tab=sessions`,
      'person-apps': `/people/${id}?tab=apps`,
      'new-person': '/new-person',
      sessions: '/sessions',
      audit: '/audit',
      'no-such-page': '/nowhere',
      'no-such-client': '/clients/nowhere',
      'nothing-matches': '/people?email=none%40example.com',
    }
    await checkPages(ada, pages)
    assert.equal(await page.title(), 'People · Console', 'a name is never run')
  })

  test('names of strangers are shown as they are', async () => {
    const { page } = ada
    await visit(page, '/clients')
    assert.equal(await page.locator('.row-link .clip').filter({ hasText: '<img' }).textContent(), hostileName)
    assert.equal(await page.locator('main img').count(), 0)
  })

  test('the wizard is done by keyboard alone, and its line gets a token', async () => {
    const { page } = ada
    await visit(page, '/')
    await page.keyboard.press('Control+k')
    await page.locator('.palette-input:focus').waitFor()
    await page.keyboard.type('new client')
    await ada.checkPage('console-palette')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/new-client')
    await page.waitForSelector('input[name=kind]')
    const focused = (): Promise<string> => page.evaluate<string>('document.activeElement.name ?? ""')
    for (let presses = 0; (await focused()) !== 'kind'; presses++) {
      assert.ok(presses < 40, 'the choice is reached')
      await page.keyboard.press('Tab')
    }
    for (let presses = 0; presses < 4; presses++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Nightly reports')
    await page.keyboard.press('Tab')
    await page.keyboard.type('orders:read')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Nightly reports is ready' }).waitFor()
    await ada.checkPage('console-new-client-made')
    const [id = '', secret = ''] = await page.locator('.secret code').allTextContents()
    const line = (await page.getByRole('region', { name: 'With curl' }).textContent()) ?? ''
    assert.ok(line.includes(`${id}:${secret}`) && line.includes('grant_type=client_credentials'))
    const issued = await deployment.post('/token', `${id}:${secret}`, {
      grant_type: 'client_credentials',
      scope: 'orders:read',
    })
    assert.equal(issued.status, 200, issued.body)
  })

  test('what is wrong is said at its field, and what two people changed is put together', async () => {
    const { page } = ada
    await visit(page, '/clients/shop')
    const uri = page.getByLabel('Redirect URIs 1')
    await uri.fill('https://shop.example/cb#fragment')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('fieldset .fault').waitFor()
    assert.equal(await uri.getAttribute('aria-invalid'), 'true')
    await ada.checkPage('console-field-fault')
    await uri.fill('https://shop.example/mine')
    const theirs = { client_uri: 'https://shop.example/', redirect_uris: ['https://shop.example/theirs'] }
    assert.equal((await deployment.call('PATCH', '/v1/clients/shop', theirs)).status, 200)
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Somebody changed this meanwhile' })
    await dialog.waitFor()
    await ada.checkPage('console-merge')
    await dialog.getByLabel('Yours').check()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    const written = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    assert.equal((await written).status(), 200)
    const saved = JSON.parse((await deployment.call('GET', '/v1/clients/shop')).body) as Record<string, unknown>
    assert.equal(saved['client_uri'], 'https://shop.example/', 'their change of another field stands')
    assert.deepEqual(saved['redirect_uris'], ['https://shop.example/mine'])
  })

  test('a secret is rotated, shown once, and works', async () => {
    const { page } = ada
    await visit(page, '/clients/shop?tab=credentials')
    await page.getByRole('button', { name: 'Rotate the secret' }).click()
    const dialog = page.locator('.dialog')
    await dialog.getByRole('button', { name: 'Rotate the secret' }).click()
    await dialog.getByRole('heading', { name: 'The new secret' }).waitFor()
    await ada.checkPage('console-new-secret')
    const secret = (await dialog.locator('.secret code').textContent()) ?? ''
    await dialog.getByRole('button', { name: 'Close' }).click()
    const answer = await deployment.post('/introspect', `shop:${secret}`, { token: 'x' })
    assert.notEqual(answer.status, 401, 'the client is known by it')
  })

  test('a person is found, disabled, and everything of theirs ended', async () => {
    const { page } = ada
    await visit(page, '/people')
    await page.getByLabel('Search by username').fill('nob')
    await page.waitForURL('**/people?username%5Bprefix%5D=nob')
    await page.getByRole('link', { name: 'nobody' }).click()
    await page.getByLabel('Disabled', { exact: true }).check()
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    assert.equal((await saved).status(), 200)
    const found = JSON.parse((await deployment.call('GET', '/v1/users?username=nobody')).body) as {
      items: { disabled: boolean }[]
    }
    assert.equal(found.items[0]?.disabled, true)
  })

  test('lists are narrowed to a person by the name they sign in with, and the address holds their id', async () => {
    const { page } = ada
    await visit(page, '/sessions')
    const field = page.getByLabel('Username or id of a person')
    await field.fill('ada')
    await page.waitForURL(/sessions\?subject=[\da-f-]{36}$/)
    await page.getByRole('cell', { name: 'ada' }).first().waitFor()
    assert.equal(await field.inputValue(), 'ada')
    await page.getByText('Chrome · ').first().waitFor()
    await field.fill('no such person')
    await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('cell', { name: 'ada' }).first().waitFor()
    await visit(page, '/grants')
    await page.locator('.chip-more').first().click()
    await page.getByText('admin:webhooks:write').first().waitFor()
  })

  test('settings stand in sections, are searched by their words, and each section has an address', async () => {
    const { page } = ada
    await visit(page, '/settings')
    const limits = page.getByRole('region', { name: 'Limits' })
    await limits.getByText('limit.token', { exact: true }).waitFor()
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Mail' }).click()
    await page.waitForURL('**/console/settings#mail')
    const smtp = page.getByRole('region', { name: 'Mail' }).getByRole('listitem').filter({ hasText: 'mail.smtp' })
    assert.match((await smtp.textContent()) ?? '', /Set, and not shown.*Variable.*GRANTOR_MAIL_SMTP/)
    await page.getByLabel('Search settings').fill('retry-after')
    await limits.waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Load' }).getByText('requests.in_flight').waitFor()
    await page.getByLabel('Search settings').fill('no such words')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await limits.waitFor()
  })

  test('an event is opened as JSON, and the log follows what happens', async () => {
    const { page } = ada
    await visit(page, '/audit')
    await page.getByRole('button', { name: 'Follow live' }).click()
    await deployment.call('PUT', '/v1/clients/followed', {
      client_name: 'Followed',
      grant_types: ['client_credentials'],
    })
    const row = page.locator('tbody tr').filter({ hasText: 'client.registered' }).filter({ hasText: 'followed' })
    await row.locator('.row-button').click()
    await page.getByRole('dialog', { name: 'client.registered' }).waitFor()
    await ada.checkPage('console-event')
    assert.match(
      (await page.getByRole('region', { name: 'As JSON' }).textContent()) ?? '',
      /"name": "client.registered"/,
    )
    await page.keyboard.press('Escape')
  })

  test('a session that ends in the middle of a form loses nothing of it', async () => {
    await using person = await openConsole(browser, deployment, { path: '/new-client' })
    const { page } = person
    await page.getByLabel('Name', { exact: true }).fill('Half typed')
    const sessions = JSON.parse((await deployment.call('GET', '/v1/sessions?limit=1')).body) as {
      items: { id: string }[]
    }
    assert.equal((await deployment.call('DELETE', `/v1/sessions/${sessions.items[0]?.id}`)).status, 204)
    await page.getByRole('button', { name: 'Create the client' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    await person.checkPage('console-session-ended')
    await dialog.getByRole('button', { name: 'Sign in again' }).click()
    await page.waitForSelector('#username')
    await person.signIn({ username: 'ada', password: 'correct-horse-battery', name: 'ada' })
    await page.waitForURL('**/console/new-client')
    await page.getByText('What you had typed is back.').waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Half typed')
  })

  test('an auditor reads and is offered nothing to change; who administers nothing is told so', async () => {
    await using aud = await openConsole(browser, deployment, { username: 'aud', path: '/clients' })
    await aud.page.locator('tbody tr').first().waitFor()
    assert.equal(await aud.page.getByRole('link', { name: 'New client' }).count(), 0)
    await visit(aud.page, '/clients/shop')
    assert.equal(await aud.page.getByRole('button', { name: 'Save' }).count(), 0)
    await visit(aud.page, '/new-client')
    await aud.page.getByRole('heading', { name: 'You may not see this' }).waitFor()
    assert.deepEqual(aud.consoleMessages, [])
  })

  test('in German every page speaks German', async () => {
    await using person = await openConsole(browser, deployment, { locale: 'de-DE', path: '/people' })
    await person.page.getByRole('heading', { name: 'Personen', level: 1 }).waitFor()
    assert.equal(await person.page.evaluate<string>('document.documentElement.lang'), 'de')
    await person.checkPage('console-people-german')
  })
  everyPageTests(() => ({ browser, deployment, ada }))
  accessTests(() => ({ browser, deployment, ada }))
})
