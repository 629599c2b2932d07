/** The console on a phone: its drawer, its notes, and what is wrong with a field that is out of sight. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type ConsoleDeployment, openConsole, visit } from '../console.ts'

interface Open {
  readonly browser: Browser
  readonly deployment: ConsoleDeployment
}

const phone = { width: 390, height: 844 }

/** Whether any of these lies over the other. */
const isCovered = (page: Page, button: string): Promise<boolean> =>
  page.evaluate<boolean>(`(() => {
    const pressed = document.querySelector(${JSON.stringify(button)}).getBoundingClientRect()
    return [...document.querySelectorAll('.toast')].some((toast) => {
      const it = toast.getBoundingClientRect()
      return it.height > 0 && it.top < pressed.bottom && it.bottom > pressed.top && it.left < pressed.right && it.right > pressed.left
    })
  })()`)

export function narrowTests(up: () => Open): void {
  test('on a phone the drawer leads from page to page, and closes where there is room for the list', async () => {
    const { browser, deployment } = up()
    await using person = await openConsole(browser, deployment, { viewport: phone })
    const { page } = person
    const drawer = page.getByRole('dialog', { name: 'Pages' })
    const open = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Open navigation' }).click()
      await drawer.waitFor()
    }
    await open()
    await person.checkPage('console-drawer')
    await drawer.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click({ trial: true })
    await page.keyboard.press('Escape')
    for (const name of ['Clients', 'People', 'Settings']) {
      await drawer.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
      await drawer.waitFor({ state: 'detached' })
      await open()
    }
    await page.setViewportSize({ width: 1280, height: 860 })
    await drawer.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    assert.deepEqual(person.consoleMessages, [])
  })

  test('on a phone at most two notes are seen, the newest first, and none over what was pressed; a wrong field is gone to', async () => {
    const { browser, deployment } = up()
    await using person = await openConsole(browser, deployment, { viewport: phone })
    const { page } = person
    const hook = { url: 'https://notes.example.invalid/', events: ['session.*'] }
    const made = JSON.parse((await deployment.call('POST', '/v1/webhooks', hook)).body) as { id: string }
    await visit(page, `/webhooks/${made.id}`)
    const notes = page.locator('.toast:visible')
    for (let n = 1; n <= 4; n++) {
      const sent = page.waitForResponse((answer) => answer.url().endsWith('/test'))
      await page.getByRole('button', { name: 'Send a test' }).click()
      await sent
      await notes.first().waitFor()
      assert.ok((await notes.count()) <= 2)
    }
    await page.getByRole('button', { name: 'Disable' }).click()
    await notes.first().getByText('The webhook was changed').waitFor()
    assert.equal(await notes.count(), 2)
    await person.checkPage('console-notes')
    assert.equal((await deployment.call('DELETE', `/v1/webhooks/${made.id}`)).status, 204)

    await visit(page, '/clients/walker')
    await page.getByLabel('Name', { exact: true }).fill('Walker of phones')
    const save = 'main .form-footer .button-primary'
    // Where a note would lie.
    await page.evaluate(`document.querySelector('${save}').scrollIntoView({ block: 'end' })`)
    await page.locator(save).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal(await isCovered(page, save), false)

    const uri = page.getByLabel('Redirect URIs 1')
    await uri.fill('https://walker.example/cb#fragment')
    await page.locator(save).click()
    await page.locator('fieldset .fault').waitFor()
    assert.ok(await uri.evaluate((field) => field === field.ownerDocument.activeElement), 'it has the focus')
    const box = await uri.boundingBox()
    assert.ok(box !== null && box.y > 0 && box.y < phone.height, JSON.stringify(box))
    const name = { client_name: 'Walker' }
    assert.equal((await deployment.call('PATCH', '/v1/clients/walker', name)).status, 200)
  })
}
