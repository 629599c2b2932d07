/** Two administrators at one thing, for every form of the console that edits one: what both changed is shown, and nothing is lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type ConsoleDeployment, openConsole, visit } from '../console.ts'
import { provenTwice } from './proven-twice.ts'

interface Open {
  readonly browser: Browser
  readonly deployment: ConsoleDeployment
}

type Json = Readonly<Record<string, unknown>>

interface EditedThing {
  readonly what: string
  /** Makes it, and says where the API has it. */
  readonly make: readonly [method: string, path: string, body: Json] | null
  readonly api: (made: Json) => string
  readonly page: (made: Json) => string
  /** What it refers to, and has to be there before. */
  readonly needs?: NonNullable<EditedThing['make']>
  /** What I type, or take of what is found by it. */
  readonly label: string
  readonly isPicked?: true
  readonly mine: string
  /** What they save meanwhile: the same member, and another. */
  readonly theirs: Json
  readonly shownAsTheirs: string
  /** What is there in the end. */
  readonly merged: Json
}

const api = 'https://merged.example'
const at = (path: string) => () => path
const id = (path: string) => (made: Json) => `${path}/${String(made['id'])}`
const ofTenant = { make: null, api: at('/v1/tenants/merged'), shownAsTheirs: 'Theirs' } as const

const things: readonly EditedThing[] = [
  {
    what: 'tenant',
    make: ['PUT', '/v1/tenants/merged', { name: 'Merged' }],
    api: at('/v1/tenants/merged'),
    page: at('/tenants/merged'),
    label: 'Name',
    mine: 'Mine',
    theirs: { name: 'Theirs', require_pushed_authorization_requests: true },
    shownAsTheirs: 'Theirs',
    merged: { name: 'Mine', require_pushed_authorization_requests: true },
  },
  {
    ...ofTenant,
    what: 'registration policy',
    page: at('/tenants/merged?tab=registration'),
    label: 'At most so many',
    mine: '7',
    theirs: { registration: { most_clients: 9, mode: 'token' } },
    shownAsTheirs: '9',
    merged: { registration: { most_clients: 7, mode: 'token' } },
  },
  {
    ...ofTenant,
    what: 'branding',
    page: at('/tenants/merged?tab=branding'),
    label: 'Name shown',
    mine: 'Mine',
    theirs: { branding: { name: 'Theirs', accent: '#123456' } },
    merged: { branding: { name: 'Mine', accent: '#123456' } },
  },
  {
    what: 'sign-up',
    make: ['PATCH', '/v1/tenants/default', { accounts: { terms: { version: '1', url: 'https://terms.example/' } } }],
    api: at('/v1/tenants/default'),
    page: at('/accounts?tab=sign-up'),
    label: 'Version of the terms (optional)',
    mine: '2-mine',
    theirs: { accounts: { terms: { version: '2-theirs' }, sign_in_links: true } },
    shownAsTheirs: '2-theirs',
    merged: { accounts: { terms: { version: '2-mine', url: 'https://terms.example/' }, sign_in_links: true } },
  },
  {
    what: 'API',
    make: ['POST', '/v1/resources', { identifier: api, name: 'Merged' }],
    api: at(`/v1/resources/${encodeURIComponent(api)}`),
    page: at(`/apis/${encodeURIComponent(api)}`),
    label: 'Name',
    mine: 'Mine',
    theirs: { name: 'Theirs', access_token_ttl: 77 },
    shownAsTheirs: 'Theirs',
    merged: { name: 'Mine', access_token_ttl: 77 },
  },
  {
    what: 'scope',
    make: ['POST', '/v1/scopes', { name: 'merged:read', description: { en: 'Read', de: 'Lesen' }, resource: api }],
    api: at('/v1/scopes/merged:read'),
    page: at('/scopes/merged%3Aread'),
    label: 'What people read (English)',
    mine: 'Mine',
    theirs: { description: { en: 'Theirs', de: 'Ihres' }, sensitivity: 'high' },
    shownAsTheirs: 'Theirs',
    merged: { description: { en: 'Mine', de: 'Ihres' }, sensitivity: 'high' },
  },
  {
    what: 'role',
    make: ['POST', '/v1/roles', { name: 'merged', description: 'Merged', resource: api, scopes: ['merged:read'] }],
    api: at('/v1/roles/merged'),
    page: at('/roles/merged'),
    label: 'Description (optional)',
    mine: 'Mine',
    theirs: { description: 'Theirs' },
    shownAsTheirs: 'Theirs',
    merged: { description: 'Mine', scopes: ['merged:read'] },
  },
  {
    what: 'group',
    make: ['POST', '/v1/groups', { name: 'Merged' }],
    api: id('/v1/groups'),
    page: id('/groups'),
    label: 'Name',
    mine: 'Mine',
    theirs: { name: 'Theirs', external_id: 'their-7', roles: ['merged'] },
    shownAsTheirs: 'Theirs',
    merged: { name: 'Mine', external_id: 'their-7', roles: ['merged'] },
  },
  {
    what: 'person',
    make: ['POST', '/v1/users', { username: 'merged', name: 'Merged' }],
    api: id('/v1/users'),
    page: id('/people'),
    label: 'Name',
    mine: 'Mine',
    theirs: { name: 'Theirs', email: 'theirs@example.com' },
    shownAsTheirs: 'Theirs',
    merged: { name: 'Mine', email: 'theirs@example.com' },
  },
  {
    what: 'roles of a person',
    needs: ['POST', '/v1/roles', { name: 'merged-too', description: 'Merged', resource: api, scopes: ['merged:read'] }],
    make: ['POST', '/v1/users', { username: 'merged-roles', name: 'Merged' }],
    api: id('/v1/users'),
    page: (made) => `/people/${String(made['id'])}?tab=groups`,
    label: 'Roles',
    isPicked: true,
    mine: 'merged-too',
    theirs: { roles: ['merged'], name: 'Theirs' },
    shownAsTheirs: 'merged',
    merged: { roles: ['merged-too'], name: 'Theirs' },
  },
  {
    what: 'client',
    make: ['PUT', '/v1/clients/merged', { client_name: 'Merged', redirect_uris: ['https://merged.example/cb'] }],
    api: at('/v1/clients/merged'),
    page: at('/clients/merged'),
    label: 'Name',
    mine: 'Mine',
    theirs: { client_name: 'Theirs', client_uri: 'https://theirs.example/' },
    shownAsTheirs: 'Theirs',
    merged: { client_name: 'Mine', client_uri: 'https://theirs.example/' },
  },
  {
    what: 'provider',
    make: [
      'PUT',
      '/v1/providers/merged',
      { kind: 'oidc', name: 'Merged', issuer: 'https://login.example', client_id: 'us', client_secret: 'x'.repeat(32) },
    ],
    api: at('/v1/providers/merged'),
    page: at('/providers/merged'),
    label: 'Name on the button',
    mine: 'Mine',
    theirs: { name: 'Theirs', client_id: 'them' },
    shownAsTheirs: 'Theirs',
    merged: { name: 'Mine', client_id: 'them', has_secret: true },
  },
]

async function mergeOne(page: Page, deployment: ConsoleDeployment, thing: EditedThing): Promise<void> {
  const { what, make, needs, label, mine } = thing
  if (needs !== undefined) assert.equal((await deployment.call(...needs)).status, 201, what)
  const made = make === null ? null : await deployment.call(...make)
  assert.ok(made === null || made.status < 300, `${what}: ${made?.body}`)
  const document = made === null ? {} : (JSON.parse(made.body) as Json)
  await visit(page, thing.page(document))
  if (thing.isPicked === true) {
    await page.getByRole('combobox', { name: label }).fill(mine)
    await page.getByRole('option', { name: mine, exact: true }).waitFor()
    await page.keyboard.press('Enter')
  } else await page.getByLabel(label, { exact: true }).fill(mine)
  const changed = await deployment.call('PATCH', thing.api(document), thing.theirs)
  assert.equal(changed.status, 200, `${what}: ${changed.body}`)
  const refused = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await page.getByRole('button', { name: 'Save' }).click()
  assert.equal((await refused).status(), 412, what)
  const dialog = page.getByRole('dialog', { name: 'Somebody changed this meanwhile' })
  await dialog.waitFor()
  const read = (await dialog.textContent()) ?? ''
  assert.ok(read.includes(mine) && read.includes(thing.shownAsTheirs), `${what}: ${read}`)
  assert.equal(await dialog.getByLabel('Yours').count(), 1, `${what}: only what both changed is asked about`)
  await dialog.getByLabel('Yours').check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const written = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await page.getByRole('button', { name: 'Save' }).click()
  assert.equal((await written).status(), 200, what)
  const saved = JSON.parse((await deployment.call('GET', thing.api(document))).body) as Json
  assert.partialDeepStrictEqual(saved, thing.merged, what)
}

/** Whoever looked at another version removes nothing, is shown the one that is there, and may then. */
async function removeChanged(page: Page, deployment: ConsoleDeployment): Promise<void> {
  const made = JSON.parse((await deployment.call('POST', '/v1/groups', { name: 'Looked at' })).body) as Json
  const group = `/groups/${String(made['id'])}`
  await visit(page, group)
  assert.equal((await deployment.call('PATCH', `/v1${group}`, { name: 'Changed since' })).status, 200)
  const press = async (): Promise<number> => {
    await page.getByRole('button', { name: 'Delete the group' }).click()
    const answer = page.waitForResponse((it) => it.request().method() === 'DELETE')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the group' }).click()
    return (await answer).status()
  }
  assert.equal(await press(), 412)
  await page.getByText('Somebody changed this meanwhile').first().waitFor()
  await page.getByRole('heading', { name: 'Changed since' }).waitFor()
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Changed since')
  assert.equal(await press(), 204)
}

export function mergeTests(up: () => Open): void {
  test('RFC 9110 §13.1.1: whatever two administrators edit at once is put together, and nothing is lost', async () => {
    const { browser, deployment } = up()
    await using mia = await openConsole(browser, deployment, { username: 'mia' })
    await provenTwice(mia.page, deployment.issuer)
    for (const thing of things) await mergeOne(mia.page, deployment, thing)
    await mia.checkPage('console-merged')
    assert.equal((await deployment.call('PATCH', '/v1/tenants/default', { accounts: null })).status, 200)
    await removeChanged(mia.page, deployment)
  })
}
