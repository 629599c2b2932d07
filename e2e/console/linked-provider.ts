/** A person who signs in by another provider, on their page in the console: seen, unlinked, and never locked out by it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type ConsoleDeployment, openConsole, visit } from '../console.ts'
import { provenTwice } from './proven-twice.ts'

interface Open {
  readonly browser: Browser
  readonly deployment: ConsoleDeployment
}

/** What people come from who have no password here. */
const realm = {
  realm: 'shop',
  identityProviders: [
    {
      alias: 'hq',
      providerId: 'keycloak-oidc',
      displayName: 'Headquarters',
      config: {
        authorizationUrl: 'https://hq.example/realms/hq/protocol/openid-connect/auth',
        clientId: 'shop',
        clientSecret: 'a-secret-that-is-long-enough-0123456789',
      },
    },
  ],
  users: ['lina', 'solo'].map((username) => ({
    id: `u-${username}`,
    username,
    federatedIdentities: [{ identityProvider: 'hq', userId: `hq-${username}`, userName: username }],
  })),
}

export function linkedProviderTests(up: () => Open): void {
  test('a linked provider is shown and unlinked; the last thing that somebody can sign in with stays', async () => {
    const { browser, deployment } = up()
    await using lea = await openConsole(browser, deployment, { username: 'lea' })
    const { page } = lea
    await provenTwice(page, deployment.issuer)
    await deployment.grantor(['import', 'keycloak'], { name: 'realm.json', content: realm })
    const idOf = async (username: string): Promise<string> => {
      const found = JSON.parse((await deployment.call('GET', `/v1/users?username=${username}`)).body) as {
        items: { id: string }[]
      }
      return found.items[0]?.id ?? assert.fail(`nobody is called ${username}`)
    }
    const linked = async (id: string): Promise<number> =>
      (JSON.parse((await deployment.call('GET', `/v1/users/${id}/sign-in-methods`)).body) as { providers: unknown[] })
        .providers.length
    const row = page.getByRole('table', { name: 'Sign-in methods' }).locator('tr').filter({ hasText: 'hq' })
    const unlink = async (): Promise<void> => {
      await row.getByRole('button', { name: 'Remove' }).click()
      await lea.checkPage('console-unlink')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    }

    const solo = await idOf('solo')
    await visit(page, `/people/${solo}?tab=sign-in`)
    await row.getByText('https://hq.example/realms/hq').waitFor()
    await lea.checkPage('console-linked-provider')
    await unlink()
    await page.getByText('it is the last thing they can sign in with').waitFor()
    await lea.checkPage('console-last-way-in')
    assert.equal(await linked(solo), 1)
    await row.waitFor()

    const lina = await idOf('lina')
    const word = { password: 'correct-horse-battery-lina' }
    assert.equal((await deployment.call('POST', `/v1/users/${lina}/reset-password`, word)).status, 204)
    await visit(page, `/people/${lina}?tab=sign-in`)
    await unlink()
    await page.getByText('The sign-in method was removed').waitFor()
    await row.waitFor({ state: 'detached' })
    assert.equal(await linked(lina), 0)
    const [event] = (
      JSON.parse((await deployment.call('GET', `/v1/events?name=factor.removed&subject=${lina}`)).body) as {
        items: { data: object }[]
      }
    ).items
    assert.deepEqual(event?.data, { factor: 'provider', provider: 'hq' })

    for (const id of [solo, lina]) await deployment.call('DELETE', `/v1/users/${id}`)
    await deployment.call('DELETE', '/v1/providers/hq')
  })
}
