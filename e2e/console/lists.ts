/** Lists and what narrows them: pages that became empty, letters typed while an answer is on its way, and what is not offered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type ConsoleDeployment, openConsole, visit } from '../console.ts'

interface Open {
  readonly browser: Browser
  readonly deployment: ConsoleDeployment
}

export function listTests(up: () => Open): void {
  test('the last page of a list that became empty says so, and leads back', async () => {
    const { browser, deployment } = up()
    await using person = await openConsole(browser, deployment)
    const { page } = person
    await page.route(
      ({ pathname, searchParams }) => pathname === '/v1/clients' && searchParams.get('cursor') === 'ended',
      (route) => route.fulfill({ json: { items: [], next_cursor: null } }),
    )
    await visit(page, '/clients?cursor=ended')
    await page.getByRole('heading', { name: 'Nothing is left on this page' }).waitFor()
    await person.checkPage('console-list-emptied')
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.getByRole('cell', { name: 'worker' }).first().waitFor()
    assert.equal(new URL(page.url()).search, '')
  })

  test('what is typed into a filter stays as it is typed, whichever answer comes first', async () => {
    const { browser, deployment } = up()
    await using person = await openConsole(browser, deployment, { path: '/people' })
    const { page } = person
    const search = page.getByLabel('Search by username')
    await search.fill('nob ')
    await page.waitForURL('**/people?username%5Bprefix%5D=nob')
    await page.getByRole('link', { name: 'nobody' }).waitFor()
    assert.equal(await search.inputValue(), 'nob ')

    await visit(page, '/sessions')
    const slow = ({ pathname, searchParams }: URL): boolean =>
      pathname === '/v1/users' && searchParams.get('username') === 'ad'
    const held = Promise.withResolvers<void>()
    await page.route(slow, async (route) => {
      await held.promise
      await route.continue()
    })
    const field = page.getByLabel('Username or id of a person')
    const asked = page.waitForRequest((it) => slow(new URL(it.url())))
    await field.fill('ad')
    await asked
    await field.fill('ada')
    await page.waitForURL(/sessions\?subject=[\da-f-]{36}$/)
    const narrowed = page.url()
    const late = page.waitForResponse((it) => slow(new URL(it.url())))
    held.resolve()
    await (await late).finished()
    await page.getByRole('cell', { name: 'ada' }).first().waitFor()
    assert.deepEqual([page.url(), await field.inputValue()], [narrowed, 'ada'])

    await visit(page, '/tools?tab=playground&flow=code')
    const client = page.getByLabel('Client', { exact: true })
    await client.fill('wker')
    await client.press('Home')
    await client.press('ArrowRight')
    await client.pressSequentially('al')
    await page.waitForURL(/client=walker/)
    assert.equal(await client.inputValue(), 'walker')
  })

  test('the console is not offered to be deleted by itself, and does not say all is well where it cannot know', async () => {
    const { browser, deployment } = up()
    await using person = await openConsole(browser, deployment, { path: '/clients/grantor-console' })
    const { page } = person
    await page.getByRole('button', { name: 'Save' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Delete the client' }).count(), 0)
    await page.route('**/v1/settings/check', (route) => route.fulfill({ status: 500, json: {} }))
    await visit(page, '/')
    await page.getByText('Broken').waitFor()
    // Drawn from what was counted, as would be that nothing is the matter.
    await page.locator('.plot').first().waitFor()
    assert.equal(await page.getByText('Nothing needs you right now').count(), 0)
  })
}
