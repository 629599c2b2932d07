/** What the console does with streams of shared signals. Registered where a server and a browser are up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPages, type ConsoleDeployment, visit } from './console.ts'
import type { Person } from './person.ts'

interface Streaming {
  readonly deployment: ConsoleDeployment
  readonly ada: Person
}

export function streamTests(up: () => Streaming): void {
  test('a stream is stopped with a reason, what was given up is sent again, and it goes on and is deleted', async () => {
    const { ada, deployment } = up()
    const { page } = ada
    const call = async (path: string, body: object): Promise<Record<string, unknown>> => {
      const answer = await deployment.call('POST', `/ssf${path}`, body)
      assert.ok(answer.status < 300, answer.body)
      return answer.body === '' ? {} : (JSON.parse(answer.body) as Record<string, unknown>)
    }
    await visit(page, '/streams')
    await page.getByRole('heading', { name: 'No client is told' }).waitFor()
    const made = await call('/streams', {
      delivery: { method: 'urn:ietf:rfc:8936' },
      events_requested: ['https://schemas.openid.net/secevent/caep/event-type/session-revoked'],
      description: 'Robots <b>listen</b>',
    })
    const id = String(made['stream_id'])
    await call('/verification', { stream_id: id })
    const { sets } = await call(`/poll?stream_id=${id}`, { returnImmediately: true })
    const [set = assert.fail('nothing is fetched')] = Object.keys(sets as object)
    await call(`/poll?stream_id=${id}`, { returnImmediately: true, setErrs: { [set]: { err: 'invalid_key' } } })

    await checkPages(ada, { streams: '/streams', stream: `/streams/${id}` })
    await page.getByRole('heading', { name: 'Robots <b>listen</b>', level: 1 }).waitFor()
    const row = page.getByRole('row').filter({ hasText: 'verification' })
    await page.getByLabel('Any outcome').selectOption('delivered')
    await page.getByRole('heading', { name: 'None of that' }).waitFor()
    await page.getByLabel('Any outcome').selectOption('dead')
    await row.getByText('Given up').waitFor()
    await page.getByRole('button', { name: 'Send all again that were given up' }).click()
    await page.getByLabel('Any outcome').selectOption('waiting')
    await row.getByText('Waits').waitFor()

    await page.getByRole('button', { name: 'Stop' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Moves house')
    await ada.checkPage('console-stream-stop')
    await dialog.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped by an administrator: Moves house').waitFor()
    const held = await deployment.call('POST', '/ssf/status', { stream_id: id, status: 'enabled' })
    assert.equal(held.status, 403, held.body)
    await page.getByRole('button', { name: 'Let it go on' }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No client is told' }).waitFor()
  })

  test('a provider is asked for security events, and its page says how it answers', async () => {
    const { ada, deployment } = up()
    const { page } = ada
    await visit(page, '/new-provider')
    assert.equal(await page.getByLabel('Scope of the token for it').count(), 0)
    await page.getByLabel('Ask for security events at').fill('https://corp.invalid/poll')
    await page.getByLabel('Or a fixed Authorization header').fill('Bearer of-ours')
    await ada.checkPage('console-new-provider-polled')
    const corp = { kind: 'oidc', name: 'Corp', issuer: 'https://corp.invalid', client_id: 'us' }
    const asked = { ...corp, signals_url: 'https://corp.invalid/poll', signals_authorization: 'Bearer of-ours' }
    assert.equal((await deployment.call('POST', '/v1/providers', asked)).status, 201)
    const state = async () =>
      JSON.parse((await deployment.call('GET', '/v1/providers/corp')).body) as Record<string, unknown>
    while ((await state())['signals_error'] === undefined) await page.waitForTimeout(100)
    await checkPages(ada, { 'provider-polled': '/providers/corp' })
    await page.getByText('Does not answer').waitFor()
    await page.getByText(String((await state())['signals_error']), { exact: true }).waitFor()
    assert.equal((await deployment.call('DELETE', '/v1/providers/corp')).status, 204)
  })
}
