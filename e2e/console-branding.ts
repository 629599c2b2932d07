/** How a tenant is branded in the console, and that its pages look so then. Registered where a server and a browser are up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPages, type ConsoleDeployment, visit } from './console.ts'
import type { Person } from './person.ts'

/** A PNG of one pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export function brandingTests(up: () => { readonly deployment: ConsoleDeployment; readonly ada: Person }): void {
  test('a tenant is branded with a preview, its pages look so, and what is wrong is said at its field', async () => {
    const { ada, deployment } = up()
    const { page } = ada
    await checkPages(ada, { branding: '/branding', 'tenant-branding': '/tenants/acme?tab=branding' })
    await visit(page, '/tenants/acme?tab=branding')
    await page.getByLabel('Name shown').fill('Acme <b>Bank</b>')
    await page.getByLabel('Accent', { exact: true }).fill('#ffee00')
    await page.getByLabel('Background', { exact: true }).fill('#102040')
    const logo = page.getByLabel('Logo', { exact: true })
    await logo.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
    await page.getByText('There is a logo.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.field').filter({ has: logo }).getByRole('alert').waitFor()
    await ada.checkPage('console-branding-refused')
    await logo.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') })
    await page.locator('.brand-head canvas').first().waitFor()
    // Yellow cannot be read on white: the preview shows what people would see.
    await page.getByText('So that everything can be read').waitFor()
    assert.equal(await page.locator('.brand-head').first().textContent(), 'Acme <b>Bank</b>')
    await page.getByLabel('Shown in').selectOption('Dark')
    await ada.checkPage('console-branding-typed')
    // Somebody else changes the tenant meanwhile; nothing of either is lost.
    const path = '/v1/tenants/acme'
    const theirs = { branding: { background: '#eef2ff' } }
    assert.equal((await deployment.call('PATCH', path, theirs)).status, 200)
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Somebody changed this meanwhile' })
    await dialog.waitFor()
    await ada.checkPage('console-branding-merge')
    await dialog.getByLabel('Yours').check()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.brand-head img').first().waitFor()
    const { branding } = JSON.parse((await deployment.call('GET', path)).body) as { branding: Record<string, string> }
    assert.deepEqual([branding['accent'], branding['background']], ['#ffee00', '#102040'])
    const shown = await deployment.call('GET', '/t/acme/signed-out')
    assert.ok(shown.body.includes('Acme &lt;b&gt;Bank&lt;/b&gt;') && shown.body.includes(branding['logo'] ?? 'none'))
    await page.getByRole('button', { name: 'Clear all' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.brand-head img').first().waitFor({ state: 'detached' })
    await page.getByText('Unsaved').first().waitFor({ state: 'detached' })
    assert.equal((JSON.parse((await deployment.call('GET', path)).body) as { branding?: object }).branding, undefined)
    const blocked = ada.consoleMessages.filter((message) => message.includes('Content Security Policy'))
    assert.deepEqual(blocked, [])
  })

  test('a client is given colours, those that are none are said at their field, and they are taken back', async () => {
    const { ada, deployment } = up()
    const { page } = ada
    const read = async () =>
      JSON.parse((await deployment.call('GET', '/v1/clients/shop')).body) as Readonly<Record<string, string>>
    await visit(page, '/clients/shop')
    const accent = page.getByLabel('Accent', { exact: true })
    await accent.fill('teal')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.field').filter({ has: accent }).getByRole('alert').waitFor()
    assert.equal((await read())['accent'], undefined)
    await accent.fill('#0f766e')
    await page.getByLabel('Background', { exact: true }).fill('#f0fdfa')
    await ada.checkPage('console-client-colours')
    const written = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    assert.equal((await written).status(), 200)
    const { accent: kept, background } = await read()
    assert.deepEqual([kept, background], ['#0f766e', '#f0fdfa'])
    await accent.fill('')
    await page.getByLabel('Background', { exact: true }).fill('')
    const cleared = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    assert.equal((await cleared).status(), 200)
    assert.equal((await read())['accent'], undefined)
  })
}
