/** Every dialog of the console, and lists that open, held against axe: wide and light, narrow and dark. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type ConsoleDeployment, visit } from '../console.ts'
import { inspect } from '../inspection.ts'
import type { Person } from '../person.ts'

interface Open {
  readonly deployment: ConsoleDeployment
  readonly ada: Person
}

interface Opened {
  readonly page: Page
  press(name: string): Promise<void>
}

interface Dialog {
  readonly path: string
  open(it: Opened): Promise<unknown>
}

const palette = (typed: string): Dialog => ({
  path: '/',
  async open({ page }) {
    await page.keyboard.press('Control+k')
    await page.locator('.palette-input:focus').waitFor()
    await page.keyboard.type(typed)
  },
})
const pressed = (path: string, button: string): Dialog => ({ path, open: ({ press }) => press(button) })

const dialogs = (ids: Readonly<Record<'person' | 'webhook', string>>): Readonly<Record<string, Dialog>> => ({
  palette: palette(''),
  'palette-nothing': palette('no such page'),
  'delete-client': pressed('/clients/shop', 'Delete the client'),
  'rotate-secret': pressed('/clients/shop?tab=credentials', 'Rotate the secret'),
  'rotate-keys': pressed('/keys', 'Rotate'),
  'public-key': {
    path: '/keys',
    open: ({ page }) => page.locator('.row-button').first().click(),
  },
  'new-api-key': pressed('/api-keys', 'New key'),
  'new-webhook': pressed('/webhooks', 'New webhook'),
  'webhook-secret': pressed(`/webhooks/${ids.webhook}`, 'New secret'),
  'delete-webhook': pressed(`/webhooks/${ids.webhook}`, 'Delete'),
  'new-token': pressed('/agents?tab=tokens', 'New token'),
  invite: pressed('/accounts', 'Invite somebody'),
  'delete-person': pressed(`/people/${ids.person}`, 'Delete the account'),
  'set-password': pressed(`/people/${ids.person}?tab=sign-in`, 'Set a password'),
  'forget-factors': pressed(`/people/${ids.person}?tab=sign-in`, 'Forget second factors'),
  'end-session': pressed('/sessions', 'End'),
  'revoke-grant': pressed('/grants', 'Revoke'),
  verify: pressed('/audit', 'Verify'),
  export: pressed('/audit', 'Export'),
  event: {
    path: '/audit',
    open: ({ page }) => page.locator('.row-button').first().click(),
  },
})

const anyDialog = (page: Page): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog')).first()

/** While a list is open the rest of the page is hidden from who cannot see it, which axe takes for a page without order. */
const isOfList = (finding: string): boolean => !/^(?:aria-hidden-focus|page-has-heading-one|region): /.test(finding)

export function dialogTests(up: () => Open): void {
  test('every dialog, and the lists that open, are clean for axe, wide and narrow, light and dark', async () => {
    const { deployment, ada } = up()
    const { page } = ada
    const make = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> =>
      JSON.parse((await deployment.call(method, path, body)).body) as Record<string, unknown>
    const [person] = (await make('GET', '/v1/users?username=nobody'))['items'] as { id: string }[]
    const hook = await make('POST', '/v1/webhooks', { url: 'https://audited.example.invalid/', events: ['*'] })
    const resource = 'https://orders.example'
    await make('POST', '/v1/roles', { name: 'audited', description: 'Audited', resource, scopes: ['orders:read'] })
    const ids = { person: person?.id ?? '', webhook: String(hook['id']) }
    const press = (name: string): Promise<void> =>
      page.locator('main').getByRole('button', { name, exact: true }).first().click()
    for (const [name, { path, open }] of Object.entries(dialogs(ids))) {
      await visit(page, path)
      await open({ page, press })
      await anyDialog(page).waitFor()
      await ada.checkPage(`console-dialog-${name}`)
      await page.setViewportSize({ width: 390, height: 844 })
      await page.emulateMedia({ colorScheme: 'dark' })
      await ada.checkPage(`console-dialog-${name}-390`)
      await page.setViewportSize({ width: 1280, height: 860 })
      await page.emulateMedia({ colorScheme: 'light' })
      await page.keyboard.press('Escape')
      await anyDialog(page).waitFor({ state: 'detached' })
    }
    await visit(page, '/')
    await page.locator('.person-button:visible').click()
    await page.getByRole('menu').waitFor()
    assert.deepEqual((await inspect(page)).filter(isOfList), [])
    await page.keyboard.press('Escape')
    await visit(page, '/new-group')
    await page.getByRole('combobox', { name: 'Roles' }).fill('audited')
    await page.getByRole('option', { name: 'audited' }).waitFor()
    assert.deepEqual((await inspect(page)).filter(isOfList), [])
    await page.keyboard.press('Escape')
    for (const made of [`/v1/webhooks/${ids.webhook}`, '/v1/roles/audited'])
      assert.equal((await deployment.call('DELETE', made)).status, 204)
  })
  test('a stray press takes nothing typed away, and neither that nor Escape a secret that is shown once', async () => {
    const { page } = up().ada
    const beside = (): Promise<void> => page.mouse.click(4, 4)
    await visit(page, '/webhooks')
    await page.getByRole('button', { name: 'New webhook' }).first().click()
    const form = page.getByRole('dialog', { name: 'New webhook' })
    await form.getByLabel('Address').fill('https://half.typed')
    await beside()
    assert.equal(await form.getByLabel('Address').inputValue(), 'https://half.typed')
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })

    await visit(page, '/clients/worker?tab=credentials')
    await page.getByRole('button', { name: 'Rotate the secret' }).click()
    const held = Promise.withResolvers<void>()
    const rotation = '**/v1/clients/worker/rotate-secret'
    await page.route(rotation, async (route) => {
      await held.promise
      await route.continue()
    })
    const asked = page.waitForRequest(rotation)
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click()
    await asked
    await page.keyboard.press('Escape')
    await beside()
    held.resolve()
    const made = page.getByRole('dialog', { name: 'The new secret' })
    await made.locator('.secret code').waitFor()
    await page.keyboard.press('Escape')
    await beside()
    await made.locator('.secret code').waitFor()
    await made.getByRole('button', { name: 'Close' }).click()
    await made.waitFor({ state: 'detached' })
    await page.unroute(rotation)
  })
}
