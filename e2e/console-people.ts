/** What the console does about groups and roles of people. Registered where a server and a browser are up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { checkPages, type ConsoleDeployment, openConsole, visit } from './console.ts'
import type { Person } from './person.ts'

interface Open {
  readonly browser: Browser
  readonly deployment: ConsoleDeployment
  readonly ada: Person
}

type Items = { readonly items: readonly Readonly<Record<string, unknown>>[] }

const itemsAt = async (deployment: ConsoleDeployment, path: string): Promise<Items['items']> =>
  (JSON.parse((await deployment.call('GET', path)).body) as Items).items

/** Types the beginning of a name, and takes what is found with the keyboard. */
async function pick(page: Page, label: string, typed: string, name: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(typed)
  await page.getByRole('option', { name, exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: `Delete: ${name}`, exact: true }).waitFor()
}

async function save(page: Page): Promise<void> {
  // A change in between of what the form does not show is 412, which it settles by itself.
  const written = page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.status() !== 412)
  await page.getByRole('button', { name: 'Save' }).click()
  assert.equal((await written).status(), 200)
}

async function confirm(page: Page, action: string): Promise<void> {
  await page.getByRole('alertdialog').getByRole('button', { name: action }).click()
}

export function peopleTests(up: () => Open): void {
  test('a role is made of the scopes of an API, and an API asks for roles', async () => {
    const { ada, deployment } = up()
    const { page } = ada
    await visit(page, '/new-role')
    await page.getByLabel('Name', { exact: true }).fill('two words')
    await page.getByLabel('API', { exact: true }).selectOption('https://orders.example')
    await page.getByLabel('orders:read').check()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.locator('.field .fault').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('order-reader')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'order-reader', level: 1 }).waitFor()
    const [role] = await itemsAt(deployment, '/v1/roles?name[prefix]=order-r')
    assert.deepEqual(role?.['scopes'], ['orders:read'])

    await visit(page, '/apis/https%3A%2F%2Forders.example')
    await page.getByLabel('People get its scopes by roles only').check()
    await save(page)
    const api = await deployment.call('GET', '/v1/resources/https%3A%2F%2Forders.example')
    assert.equal((JSON.parse(api.body) as { require_roles: boolean }).require_roles, true)
    const back = { require_roles: false }
    assert.equal((await deployment.call('PATCH', '/v1/resources/https%3A%2F%2Forders.example', back)).status, 200)
  })

  test('who decides before a token of an API is issued is named, refused where it cannot be, and taken away', async () => {
    const { ada, deployment } = up()
    const { page } = ada
    const held = async () =>
      JSON.parse((await deployment.call('GET', '/v1/resources/https%3A%2F%2Forders.example')).body) as Record<
        'policy_service' | 'issuance_hook',
        unknown
      >
    await visit(page, '/apis/https%3A%2F%2Forders.example')
    // What was held before this test is no news of it.
    await page.reload()
    await page.getByLabel('Policy service (optional)', { exact: true }).fill('http://policy.example')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.field .fault').first().waitFor()
    assert.equal((await held()).policy_service, undefined)
    await page
      .getByLabel('Policy service (optional)', { exact: true })
      .fill('https://policy.example/access/v1/evaluation')
    await page.getByLabel('Policy service: milliseconds to answer').fill('300')
    await page.getByLabel('Hook (optional)', { exact: true }).fill('https://hook.example/issue')
    await page.getByLabel('Hook: when it does not answer').selectOption('allow')
    await ada.checkPage('console-decision-points')
    await save(page)
    const named = await held()
    assert.deepEqual(named.policy_service, {
      url: 'https://policy.example/access/v1/evaluation',
      deadline_ms: 300,
      on_failure: 'deny',
    })
    assert.partialDeepStrictEqual(named.issuance_hook, { url: 'https://hook.example/issue', on_failure: 'allow' })
    await visit(page, '/apis/https%3A%2F%2Forders.example')
    await page.getByLabel('Policy service (optional)', { exact: true }).fill('')
    await page.getByLabel('Hook (optional)', { exact: true }).fill('')
    await save(page)
    const left = await held()
    assert.deepEqual([left.policy_service, left.issuance_hook], [undefined, undefined])
  })

  test('a group is made with a role, filled and emptied by keyboard; a change in between is put together', async () => {
    const { ada, deployment } = up()
    const { page } = ada
    await visit(page, '/')
    await page.keyboard.press('Control+k')
    await page.locator('.palette-input:focus').waitFor()
    await page.keyboard.type('new group')
    await page.keyboard.press('Enter')
    await page.getByLabel('Name', { exact: true }).fill('Dispatch')
    await pick(page, 'Roles', 'order', 'order-reader')
    await ada.checkPage('console-new-group')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Nobody is in this group' }).waitFor()
    await pick(page, 'Add people', 'nob', 'nobody')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('link', { name: 'nobody' }).waitFor()
    await ada.checkPage('console-group-members')
    const [group] = await itemsAt(deployment, '/v1/groups?name=Dispatch')
    const [member] = await itemsAt(deployment, `/v1/users?group_id=${String(group?.['id'])}`)
    assert.deepEqual([member?.['username'], member?.['all_roles']], ['nobody', ['order-reader']])

    await visit(page, `/groups/${String(group?.['id'])}`)
    await page.getByLabel('Description').fill('Who sends parcels')
    const theirs = { external_id: 'dir-7' }
    assert.equal((await deployment.call('PATCH', `/v1/groups/${String(group?.['id'])}`, theirs)).status, 200)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody changed this meanwhile').waitFor()
    await save(page)
    const [saved] = await itemsAt(deployment, '/v1/groups?name=Dispatch')
    assert.deepEqual([saved?.['description'], saved?.['external_id']], ['Who sends parcels', 'dir-7'])

    await visit(page, '/roles/order-reader?tab=groups')
    await page.getByRole('link', { name: 'Dispatch' }).waitFor()
    await visit(page, `/groups/${String(group?.['id'])}?tab=members`)
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await confirm(page, 'Remove')
    await page.getByRole('heading', { name: 'Nobody is in this group' }).waitFor()
  })

  test('a person is put into a group and given a role on their page, and both are taken away', async () => {
    const { ada, deployment } = up()
    const { page } = ada
    const [person] = await itemsAt(deployment, '/v1/users?username=nobody')
    await visit(page, `/people/${String(person?.['id'])}?tab=groups`)
    await pick(page, 'Add to groups', 'Disp', 'Dispatch')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('link', { name: 'Dispatch' }).waitFor()
    await pick(page, 'Roles', 'order', 'order-reader')
    await save(page)
    const [holder] = await itemsAt(deployment, '/v1/users?role=order-reader')
    assert.deepEqual([holder?.['username'], holder?.['groups']], ['nobody', ['Dispatch']])
    await checkPages(ada, { 'person-groups': `/people/${String(person?.['id'])}?tab=groups` })
    await checkPages(ada, { 'role-people': '/roles/order-reader?tab=people' })
    await visit(page, `/people/${String(person?.['id'])}?tab=groups`)
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await confirm(page, 'Remove')
    await page.getByRole('heading', { name: 'In no group' }).waitFor()
    await page.getByRole('button', { name: 'Delete: order-reader' }).click()
    await save(page)
    assert.deepEqual(await itemsAt(deployment, '/v1/users?role=order-reader'), [])
  })

  test('the pages of groups and roles are clean for axe and fit, with much and with nothing', async () => {
    const { ada, deployment } = up()
    const { page } = ada
    const [group] = await itemsAt(deployment, '/v1/groups?name=Dispatch')
    const id = String(group?.['id'])
    await checkPages(ada, {
      groups: '/groups',
      'groups-no-match': '/groups?name%5Bprefix%5D=none',
      group: `/groups/${id}`,
      'group-empty': `/groups/${id}?tab=members`,
      'new-group': '/new-group',
      roles: '/roles',
      role: '/roles/order-reader',
      'role-groups': '/roles/order-reader?tab=groups',
      'new-role': '/new-role?resource=https%3A%2F%2Forders.example',
      'api-roles': '/apis/https%3A%2F%2Forders.example?tab=roles',
      'no-such-group': '/groups/nowhere',
    })
    await visit(page, '/roles/order-reader')
    await page.getByRole('button', { name: 'Delete the role' }).click()
    await confirm(page, 'Delete the role')
    await page.waitForURL('**/console/roles')
    await visit(page, `/groups/${id}`)
    // Shown as it was, and then read again: the group of the version before is not deleted.
    await page.getByRole('button', { name: 'Delete: order-reader' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete the group' }).click()
    await confirm(page, 'Delete the group')
    await page.waitForURL('**/console/groups')
    assert.deepEqual(await itemsAt(deployment, '/v1/groups?name=Dispatch'), [])
    await checkPages(ada, { 'groups-none': '/groups', 'roles-none': '/roles' })
    assert.deepEqual(ada.consoleMessages, [])
  })

  test('somebody is invited by a link that is shown once and begins in a group; an invitation is taken back', async () => {
    const { browser, ada, deployment } = up()
    const { page } = ada
    assert.equal((await deployment.call('POST', '/v1/groups', { name: 'Newcomers' })).status, 201)
    await visit(page, '/accounts')
    await page.getByRole('heading', { name: 'No invitation is waiting' }).waitFor()
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill('nobody')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await dialog.locator('.field .fault').waitFor()
    await dialog.getByLabel('Address').fill('iris@example.com')
    await dialog.getByLabel('Send nothing, and show me the link').check()
    await pick(page, 'Groups', 'newc', 'Newcomers')
    await ada.checkPage('console-invite')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await dialog.getByRole('heading', { name: 'The invitation link' }).waitFor()
    await ada.checkPage('console-invitation-link')
    const link = (await dialog.locator('.secret code').textContent()) ?? ''
    await dialog.getByText('Close', { exact: true }).click()
    await page.getByRole('cell', { name: 'iris@example.com' }).waitFor()
    await checkPages(ada, { invitations: '/accounts' })

    const iris = await browser.newContext({ ignoreHTTPSErrors: true })
    const tab = await iris.newPage()
    await tab.goto(link)
    await tab.fill('#name', 'Iris')
    await tab.fill('#new-password', 'correct-horse-battery-iris')
    await tab.keyboard.press('Enter')
    await tab.waitForURL('**/account')
    await iris.close()
    const [made] = await itemsAt(deployment, '/v1/users?email=iris%40example.com')
    assert.deepEqual([made?.['username'], made?.['groups']], ['iris@example.com', ['Newcomers']])

    await visit(page, '/accounts')
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    await dialog.getByLabel('Address').fill('otto@example.com')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByText('The invitation is on its way').waitFor()
    await page.getByRole('row').filter({ hasText: 'otto@example.com' }).getByRole('button', { name: 'Revoke' }).click()
    await confirm(page, 'Revoke')
    await page.getByRole('heading', { name: 'No invitation is waiting' }).waitFor()
  })

  test('sign-up and terms are set for the tenant; the page of provisioning says where and how', async () => {
    const { ada, deployment } = up()
    const { page } = ada
    await visit(page, '/accounts?tab=sign-up')
    await page.getByLabel('People may sign up').check()
    await page.getByLabel('Only addresses of these domains 1').fill('not a domain')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.field .fault').waitFor()
    await page.getByLabel('Only addresses of these domains 1').fill('example.com')
    await page.getByLabel('People may sign in by a mailed link').check()
    await page.getByLabel('Version of the terms').fill('2026-11')
    await page.getByLabel('Where they are read').fill('https://example.com/terms')
    await save(page)
    const accounts = async () =>
      (JSON.parse((await deployment.call('GET', '/v1/tenants/default')).body) as { accounts?: object }).accounts
    const terms = { version: '2026-11', url: 'https://example.com/terms' }
    const saved = { sign_up: true, sign_up_domains: ['example.com'], sign_in_links: true, terms }
    assert.deepEqual(await accounts(), saved)
    await checkPages(ada, {
      'sign-up': '/accounts?tab=sign-up',
      provisioning: '/accounts?tab=provisioning',
    })
    await visit(page, '/accounts?tab=sign-up')
    await page.getByLabel('Version of the terms').fill('')
    await page.getByLabel('Where they are read').fill('')
    await page.getByLabel('People may sign up').uncheck()
    await page.getByLabel('People may sign in by a mailed link').uncheck()
    await save(page)
    assert.deepEqual(await accounts(), { sign_up_domains: ['example.com'] })
    assert.equal((await deployment.call('PATCH', '/v1/tenants/default', { accounts: null })).status, 200)
    assert.deepEqual(ada.consoleMessages, [])
  })

  test('an auditor sees groups and roles, and is offered nothing to change', async () => {
    const { browser, deployment } = up()
    await using aud = await openConsole(browser, deployment, { username: 'aud', path: '/groups' })
    await aud.page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor()
    assert.equal(await aud.page.getByRole('link', { name: 'New group' }).count(), 0)
    await visit(aud.page, '/roles')
    assert.equal(await aud.page.getByRole('link', { name: 'New role' }).count(), 0)
    assert.deepEqual(aud.consoleMessages, [])
  })
}
