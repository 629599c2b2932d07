/** Names that strangers may choose, on every list and every page of the console: shown as they are, or refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type ConsoleDeployment, hostileName, password, visit } from '../console.ts'
import { openPerson, type Person } from '../person.ts'

interface Open {
  readonly browser: Browser
  readonly deployment: ConsoleDeployment
  readonly ada: Person
}

interface Named {
  readonly what: string
  readonly make: (name: string) => readonly [method: string, path: string, body: object]
  /** Its list and its own page. */
  readonly pages: (id: string) => readonly string[]
  readonly api: (id: string) => string
}

const resource = 'https://hostile.example'
const at = (path: string) => (id: string) => `${path}/${encodeURIComponent(id)}`

/** In the order in which they need each other. */
const named: readonly Named[] = [
  {
    what: 'API',
    make: (name) => ['POST', '/v1/resources', { identifier: resource, name }],
    pages: (id) => ['/apis', `/apis/${encodeURIComponent(id)}`, '/agents', '/new-scope'],
    api: at('/v1/resources'),
  },
  {
    what: 'scope',
    make: (name) => ['POST', '/v1/scopes', { name: 'hostile:read', description: { en: name }, resource }],
    pages: (id) => ['/apis?tab=scopes', '/apis?tab=consent&scope=hostile%3Aread', `/scopes/${encodeURIComponent(id)}`],
    api: at('/v1/scopes'),
  },
  {
    what: 'role',
    make: (name) => ['POST', '/v1/roles', { name: 'hostile', description: name, resource, scopes: ['hostile:read'] }],
    pages: (id) => ['/roles', `/roles/${id}`, `/apis/${encodeURIComponent(resource)}?tab=roles`],
    api: at('/v1/roles'),
  },
  {
    what: 'group',
    make: (name) => ['POST', '/v1/groups', { name, description: name, roles: ['hostile'] }],
    pages: (id) => ['/groups', `/groups/${id}`, `/groups/${id}?tab=members`, '/roles/hostile?tab=groups'],
    api: at('/v1/groups'),
  },
  {
    what: 'person',
    make: (name) => ['POST', '/v1/users', { username: 'hostile', name }],
    pages: (id) => [
      '/people',
      ...['', '?tab=sign-in', '?tab=groups', '?tab=sessions', '?tab=activity'].map((tab) => `/people/${id}${tab}`),
    ],
    api: at('/v1/users'),
  },
  {
    what: 'client',
    make: (name) => [
      'PUT',
      '/v1/clients/hostile',
      { client_name: name, redirect_uris: ['https://hostile.example/cb'] },
    ],
    pages: (id) => ['/clients', ...['', '?tab=credentials', '?tab=snippets'].map((tab) => `/clients/${id}${tab}`)],
    api: at('/v1/clients'),
  },
  {
    what: 'webhook',
    make: (name) => [
      'POST',
      '/v1/webhooks',
      { url: 'https://hostile.example.invalid/', events: ['*'], description: name },
    ],
    pages: (id) => ['/webhooks', `/webhooks/${id}`],
    api: at('/v1/webhooks'),
  },
  {
    what: 'API key',
    make: (name) => ['POST', '/v1/api-keys', { name, client_id: 'worker', resource: 'https://orders.example' }],
    pages: () => ['/api-keys'],
    api: at('/v1/api-keys'),
  },
  {
    what: 'tenant',
    make: (name) => ['PUT', '/v1/tenants/hostile', { name }],
    pages: () => ['/tenants', '/tenants/hostile', '/tenants/hostile?tab=branding'],
    api: at('/v1/tenants'),
  },
]

/** Names that are in no list: they say nothing, or something else than they are. */
const refused: Readonly<Record<string, string>> = {
  'ten thousand characters': 'x'.repeat(10_000),
  'characters that turn the others around': 'abc\u202egnp.exe',
}

export function hostileNameTests(up: () => Open): void {
  test('hostile names are refused or shown as they are, on every list and page, and nothing of them is run', async () => {
    const { browser, deployment, ada } = up()
    const { page } = ada
    await page.setViewportSize({ width: 390, height: 844 })
    const made: string[] = []
    for (const { what, make, pages, api } of named) {
      for (const [why, name] of Object.entries(refused)) {
        const answer = await deployment.call(...make(name))
        assert.equal(answer.status, 400, `${what} of ${why}: ${answer.body}`)
      }
      const answer = await deployment.call(...make(hostileName))
      assert.ok(answer.status < 300, `${what}: ${answer.body}`)
      const { id } = JSON.parse(answer.body) as { id: string }
      made.unshift(api(id))
      for (const path of pages(id)) {
        await visit(page, path)
        const found = await page.evaluate<object>(
          `({ images: document.querySelectorAll('main img[src=x]').length, title: document.title.includes('owned'),
              sideways: document.documentElement.scrollWidth > document.documentElement.clientWidth })`,
        )
        assert.deepEqual(found, { images: 0, title: false, sideways: false }, path)
      }
    }
    // What a browser says of itself is nobody's choice but its own.
    const userAgent = `<img src=x onerror="document.title='owned'"> ${'x'.repeat(6000)}`
    await using stranger = await openPerson(browser, { userAgent })
    await stranger.page.goto(`${deployment.issuer}/account`)
    await stranger.signIn({ username: 'mia', password, name: 'mia' })
    await stranger.page.waitForURL('**/account')
    for (const path of ['/sessions', '/audit', '/']) {
      await visit(page, path)
      assert.equal(await page.locator('main img[src=x]').count(), 0, path)
    }
    await visit(page, '/sessions')
    await ada.checkPage('console-hostile-browser')
    await page.setViewportSize({ width: 1280, height: 860 })
    assert.deepEqual(ada.consoleMessages, [])
    for (const path of made) {
      if (path.includes('tenants')) continue
      const gone = await deployment.call('DELETE', path)
      assert.equal(gone.status, 204, `${path}: ${gone.body}`)
    }
  })
}
