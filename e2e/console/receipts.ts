/** What whoever revokes is told: the note in the console, the list under Audit, and the sentence on a person's account page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acknowledgementPath, feedPaths, parseFeedPage } from '@grantor/protocol/feed'
import type { Browser } from 'playwright-core'
import { type ConsoleDeployment, openConsole, password, visit } from '../console.ts'
import { openPerson, type Person } from '../person.ts'

interface Open {
  readonly browser: Browser
  readonly deployment: ConsoleDeployment
  readonly ada: Person
}

/** A validator says that it refuses everything up to the head of the feed. */
async function acknowledge({ call }: ConsoleDeployment): Promise<void> {
  const page = parseFeedPage(JSON.parse((await call('GET', feedPaths.changes)).body))
  const hello = page?.frames[0]
  assert.ok(hello?.kind === 'hello')
  const told = {
    validator: 'a-validator-of-a-test',
    position: `${hello.epoch}.${hello.head}`,
    delay: '7',
    closes_after: '45',
  }
  const answer = await call('POST', `${acknowledgementPath}?${new URLSearchParams(told).toString()}`)
  assert.ok(answer.status < 300, `${answer.status} ${answer.body}`)
}

export function receiptTests(up: () => Open): void {
  test('whoever ends a session follows who has stopped it; a person reads on their account page that some have not yet', async () => {
    const { browser, deployment, ada } = up()
    const { page } = ada
    await using aud = await openConsole(browser, deployment, { username: 'aud' })
    await acknowledge(deployment)
    await visit(page, '/sessions')
    await page.getByLabel('Username or id of a person').fill('aud')
    await page.waitForURL(/subject=/)
    await page.getByRole('row').filter({ hasText: 'aud' }).getByRole('button', { name: 'End' }).first().click()
    await page
      .getByRole('alertdialog', { name: 'End the session of aud?' })
      .getByRole('button', { name: 'End' })
      .click()
    const note = page.locator('.toast')
    await note.getByText(/^0 of 1 validator stopped it$/).waitFor()
    await note
      .getByText(/^session\.ended · 1 not heard from yet, closed by their own bound at .+ (UTC|GMT.*) at the/)
      .waitFor()
    await acknowledge(deployment)
    await note.getByText(/^1 of 1 validator stopped it, the slowest after/).waitFor()
    await visit(page, '/audit?tab=revocations')
    await page
      .getByText(/^1 of 1 validator stopped it/)
      .first()
      .waitFor()
    assert.equal(aud.consoleMessages.length, 0)

    const [here, elsewhere] = [await openPerson(browser), await openPerson(browser)]
    for (const person of [here, elsewhere]) {
      await person.page.goto(`${deployment.issuer}/account`)
      await person.signIn({ username: 'aud', password, name: 'aud' })
      await person.page.waitForURL(`${deployment.issuer}/account`)
    }
    await here.page.goto(`${deployment.issuer}/account/sessions`)
    await here.page.locator('[name=end]').first().click()
    await here.page.waitForURL(/done=session_ended/)
    await here.page.getByText(/Some services have not confirmed it yet. They stop by themselves within/).waitFor()
    await acknowledge(deployment)
    await here.page.reload()
    await here.page.getByText('It has taken effect at every service.').waitFor()
    for (const person of [here, elsewhere]) await person[Symbol.asyncDispose]()
  })
}
