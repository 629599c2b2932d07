/** What is typed into forms of the console: over a sign-in in between, while it is saved, from tab to tab, and where it is refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type ConsoleDeployment, openConsole, password, visit } from '../console.ts'
import type { Person } from '../person.ts'
import { provenTwice } from './proven-twice.ts'

interface Open {
  readonly browser: Browser
  readonly deployment: ConsoleDeployment
}

type Json = Readonly<Record<string, unknown>>

const answered = async ({ call }: ConsoleDeployment, ...how: Parameters<ConsoleDeployment['call']>): Promise<Json> => {
  const { status, body } = await call(...how)
  assert.ok(status < 300, body)
  return body === '' ? {} : (JSON.parse(body) as Json)
}

/** That of whoever signed in last. */
async function endNewestSession(deployment: ConsoleDeployment): Promise<void> {
  const { items } = await answered(deployment, 'GET', '/v1/sessions?limit=1')
  const [newest] = items as readonly { readonly id: string }[]
  await answered(deployment, 'DELETE', `/v1/sessions/${newest?.id}`)
}

/** Presses what the session that has ended cannot do any more, and goes as far as the sign-in page. */
async function leaveToSignIn(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).last().click()
  const ended = page.getByRole('dialog', { name: 'Your session has ended' })
  await ended.getByRole('button', { name: 'Sign in again' }).click()
  await page.waitForSelector('#username')
}

const comeBack = (person: Person): Promise<void> => person.signIn({ username: 'ada', password, name: 'ada' })

const written = async (page: Page): Promise<number> => {
  const answer = page.waitForResponse((it) => it.request().method() === 'PATCH')
  await page.getByRole('button', { name: 'Save' }).click()
  return (await answer).status()
}

export function formTests(up: () => Open): void {
  test('a key that is made after a sign-in in between is shown, also where the first way back failed', async () => {
    const { browser, deployment } = up()
    await using person = await openConsole(browser, deployment, { path: '/api-keys' })
    const { page } = person
    await page.getByRole('button', { name: 'New key' }).click()
    const dialog = page.getByRole('dialog', { name: 'New key' })
    await dialog.getByLabel('Name').fill('Kept key')
    await dialog.getByLabel('Client ID').fill('worker')
    await dialog.getByLabel('API').fill('https://orders.example')
    await endNewestSession(deployment)
    await leaveToSignIn(page, 'Create')
    await page.route('**/token', (route) => route.abort(), { times: 1 })
    await comeBack(person)
    await page.getByRole('heading', { name: 'The sign-in did not work' }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.waitForURL('**/console/api-keys')
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Kept key')
    await dialog.getByRole('button', { name: 'Create' }).click()
    const made = page.getByRole('dialog', { name: 'The key' })
    assert.match((await made.locator('.secret code').textContent()) ?? '', /^gk_/)
    await made.getByRole('button', { name: 'Close' }).click()
    await made.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('cell', { name: 'Kept key' }).waitFor()
    assert.equal(await dialog.count(), 0, 'what was made is no draft any more')
  })

  test('the secret of a provider is in no storage while its maker signs in again, and is asked for anew', async () => {
    const { browser, deployment } = up()
    await using person = await openConsole(browser, deployment, { path: '/new-provider' })
    const { page } = person
    await page.getByLabel('Name on the button').fill('Kept provider')
    await page.getByLabel('Client secret').fill('secret-of-ours')
    await page.getByLabel('Ask for security events at').fill('https://kept.invalid/poll')
    await page.getByLabel('Or a fixed Authorization header').fill('Bearer header-of-ours')
    await endNewestSession(deployment)
    await leaveToSignIn(page, 'Create')
    const kept = await page.evaluate<string>(
      'JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage })',
    )
    assert.match(kept, /Kept provider/)
    assert.doesNotMatch(kept, /of-ours/)
    await comeBack(person)
    await page.getByText('but for secrets: they are kept nowhere').waitFor()
    assert.equal(await page.getByLabel('Name on the button').inputValue(), 'Kept provider')
    assert.equal(await page.getByLabel('Client secret').inputValue(), '')
  })

  test('what others changed while somebody signed in again stands; to cancel the merge decides nothing', async () => {
    const { browser, deployment } = up()
    const group = `/groups/${String((await answered(deployment, 'POST', '/v1/groups', { name: 'Drafted' }))['id'])}`
    await using person = await openConsole(browser, deployment, { path: group })
    const { page } = person
    const description = page.getByLabel('Description (optional)')
    await description.fill('Mine')
    await endNewestSession(deployment)
    await leaveToSignIn(page, 'Save')
    await answered(deployment, 'PATCH', `/v1${group}`, { name: 'Renamed' })
    await comeBack(person)
    await page.getByText('What you had typed is back.').waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Renamed')
    assert.equal(await written(page), 200)
    assert.partialDeepStrictEqual(await answered(deployment, 'GET', `/v1${group}`), {
      name: 'Renamed',
      description: 'Mine',
    })

    await description.fill('Mine again')
    await endNewestSession(deployment)
    await leaveToSignIn(page, 'Save')
    await answered(deployment, 'PATCH', `/v1${group}`, { description: 'Theirs' })
    await comeBack(person)
    const dialog = page.getByRole('dialog', { name: 'Somebody changed this meanwhile' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await written(page), 412)
    assert.partialDeepStrictEqual(await answered(deployment, 'GET', `/v1${group}`), { description: 'Theirs' })
    await dialog.getByLabel('Yours').check()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    assert.equal(await written(page), 200)
    assert.partialDeepStrictEqual(await answered(deployment, 'GET', `/v1${group}`), { description: 'Mine again' })
    await answered(deployment, 'DELETE', `/v1${group}`)
  })

  test('what is typed while it is saved stays, also from tab to tab; what is deleted is in no list', async () => {
    const { browser, deployment } = up()
    const group = `/groups/${String((await answered(deployment, 'POST', '/v1/groups', { name: 'Typed' }))['id'])}`
    await using person = await openConsole(browser, deployment, { path: '/groups' })
    const { page } = person
    await page.getByRole('link', { name: 'Typed' }).click()
    const [name, description] = [page.getByLabel('Name', { exact: true }), page.getByLabel('Description (optional)')]
    await description.fill('Sent')
    const held = Promise.withResolvers<void>()
    await page.route(`**/v1${group}`, async (route) => {
      if (route.request().method() === 'PATCH') await held.promise
      await route.continue()
    })
    const status = written(page)
    await page.waitForRequest((it) => it.method() === 'PATCH')
    await name.fill('Typed since')
    held.resolve()
    assert.equal(await status, 200)
    await page.getByText('Unsaved changes').waitFor()
    assert.deepEqual([await name.inputValue(), await description.inputValue()], ['Typed since', 'Sent'])

    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('heading', { name: 'Nobody is in this group' }).waitFor()
    await page.getByRole('link', { name: 'Settings', exact: true }).last().click()
    await page.getByText('What you had typed is back.').waitFor()
    assert.equal(await name.inputValue(), 'Typed since')
    await page.getByRole('button', { name: 'Discard' }).click()
    assert.equal(await name.inputValue(), 'Typed')

    await page.getByRole('button', { name: 'Delete the group' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the group' }).click()
    await page.waitForURL('**/console/groups')
    await page.getByRole('link', { name: 'Typed' }).waitFor({ state: 'detached' })
  })

  test('a provider that is refused says why, and what another kind was asked is not sent', async () => {
    const { browser, deployment } = up()
    await using fay = await openConsole(browser, deployment, { username: 'fay' })
    const { page } = fay
    await provenTwice(page, deployment.issuer)
    await visit(page, '/new-provider')
    const kind = page.getByLabel('Kind')
    const create = (): Promise<void> => page.getByRole('button', { name: 'Create' }).click()
    await page.getByLabel('Id', { exact: false }).first().fill('refused')
    await page.getByLabel('Client id').fill('us')
    await kind.selectOption('microsoft')
    const trusted = page.getByLabel('Believe its verified addresses')
    await trusted.check()
    await create()
    await page.locator('.check .fault').getByText('does not check the addresses').waitFor()
    assert.equal(await trusted.getAttribute('aria-invalid'), 'true')
    await fay.checkPage('console-provider-refused')
    await trusted.uncheck()

    const signals = page.getByLabel('Ask for security events at')
    await signals.fill('https://corp.invalid/poll')
    const header = page.getByLabel('Or a fixed Authorization header')
    await header.fill('Bearer of-ours')
    await signals.fill('')
    await create()
    await page.locator('.field .fault').getByText('means nothing without signals_url').waitFor()
    await header.fill('')

    await kind.selectOption('ldap')
    await page.getByLabel('Base DN').fill('dc=example')
    await kind.selectOption('oidc')
    await page.getByLabel('Name on the button').fill('Refused')
    await page.getByLabel('Issuer').fill('https://corp.invalid')
    await create()
    await page.getByText('The provider is there').waitFor()

    await visit(page, '/new-provider')
    await page.getByLabel('Id', { exact: false }).first().fill('refused')
    await page.getByLabel('Client id').fill('us')
    await page.getByLabel('Name on the button').fill('Refused')
    await page.getByLabel('Issuer').fill('https://corp.invalid')
    await create()
    await page.getByText('There is a provider of this id already').waitFor()
    await answered(deployment, 'DELETE', '/v1/providers/refused')
  })
}
