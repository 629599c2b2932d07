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
  test('events are found by a part of their name, and what is no name finds nothing', async () => {
    const { browser, deployment } = up()
    await using person = await openConsole(browser, deployment, { path: '/audit' })
    const { page } = person
    const field = page.getByLabel('Name of an event, or a part of it')
    const names = page.locator('tbody .row-button')
    await field.fill('session.*')
    await names.first().waitFor()
    await page.waitForURL('**/audit?name=session.*')
    await names.filter({ hasNotText: 'session.' }).first().waitFor({ state: 'detached' })
    await names.filter({ hasText: 'session.started' }).first().waitFor()
    await field.fill('nonsense')
    await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await names.first().waitFor()
    await visit(page, '/nowhere')
    assert.equal(await page.title(), 'There is no such page · Console')
  })

  test('before a session or a grant is ended it is said whose it is, and which is one’s own', async () => {
    const { browser, deployment } = up()
    await using person = await openConsole(browser, deployment, { username: 'sue', path: '/sessions' })
    const { page } = person
    const asked = page.getByRole('alertdialog')
    const own = page.getByRole('row').filter({ hasText: 'This browser' })
    await own.getByRole('button', { name: 'End' }).click()
    await asked.getByRole('heading', { name: 'End the session of sue?' }).waitFor()
    await asked.getByText('It is the one you are in').waitFor()
    await asked.getByText('Chrome · ').waitFor()
    await page.keyboard.press('Escape')
    await visit(page, '/grants')
    await page.getByLabel('Username or id of a person').fill('sue')
    await page.waitForURL(/subject=/)
    await page.getByRole('cell', { name: 'sue' }).first().waitFor()
    await page.getByRole('button', { name: 'Revoke', exact: true }).first().click()
    await asked.getByRole('heading', { name: 'Revoke the grant of sue to grantor-console?' }).waitFor()
    await asked.getByText('This console works by it').waitFor()
    await page.keyboard.press('Escape')
  })

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
