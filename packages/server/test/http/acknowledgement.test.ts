/** What is so already is said to be so when it is as safe as a change; what only looks, or is refused, waits for nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Store, StoreUnavailable } from '@grantor/store'
import { defaultTenant, type TenantId } from '@grantor/protocol/types'
import { operatorApi } from '../../src/admin/operator/operator-api.ts'
import { machine, operator, startFeedDeployment } from '../feed/feed-deployment.ts'
import { deploy, tokenIn } from '../interact/deployment.ts'

/** As a primary is whose standby is away: all that is there can be read, and none of it is confirmed. */
function unconfirmed(store: object): { confirm(): void } {
  const held = store as { untilDurable: Store['untilDurable'] }
  held.untilDurable = () => Promise.reject(new StoreUnavailable('no standby has it'))
  return { confirm: () => void (held.untilDurable = () => Promise.resolve()) }
}

const scope = 'admin:sessions:read admin:sessions:write admin:clients:read admin:clients:write scim:read scim:write'

test('what an earlier try has done already is acknowledged by the admin API and SCIM once it is safe', async () => {
  await using it = await startFeedDeployment()
  const { deployment, ask } = it
  const applied = await deployment.authority.admin.declared.apply(operator, { clients: [machine('admin', scope)] })
  assert.ok(applied.kind === 'ok', JSON.stringify(applied))
  const headers = { authorization: `Bearer ${await it.token('admin', { scope })}` }
  const calls = [
    { path: '/v1/sessions/gone', method: 'DELETE', status: 404 },
    { path: '/v1/clients/svc', method: 'DELETE', match: '"another"', status: 412 },
    { path: '/scim/v2/Users/gone', method: 'DELETE', status: 404 },
  ]
  const call = ({ path, method, match }: (typeof calls)[number]) =>
    ask(path, { method, headers: { ...headers, ...(match === undefined ? {} : { 'if-match': match }) } })
  const asked = () => Promise.all(calls.map(async (it) => (await call(it)).status))
  const statuses = calls.map(({ status }) => status)
  assert.deepEqual(await asked(), statuses)

  const primary = unconfirmed(deployment.store)
  for (const it of calls) {
    const answer = await call(it)
    assert.equal(answer.status, 503, it.path)
    assert.match(String(answer.headers['retry-after']), /^\d+$/)
  }
  assert.equal((await ask('/v1/clients/svc', { headers })).status, 200)
  assert.equal((await ask('/v1/sessions/gone', { headers })).status, 404)
  assert.equal((await ask('/v1/sessions/gone', { method: 'DELETE' })).status, 401)

  const tenant = defaultTenant as TenantId
  const api = operatorApi(deployment, { actor: operator, tenant, onError: assert.fail })
  const byOperator = (method: string) => api.handle({ method, target: '/v1/sessions/gone', headers: {}, body: null })
  assert.equal((await byOperator('GET')).status, 404)
  await assert.rejects(byOperator('DELETE'), StoreUnavailable)
  primary.confirm()
  assert.equal((await byOperator('DELETE')).status, 404)
  await api.close()
  assert.deepEqual(await asked(), statuses)
})

test('an account page says that something has ended once that is safe', async () => {
  await using it = await deploy({}, 1)
  const browser = it.browser()
  assert.equal((await browser.press('/account', '/enter', { ...it.somebody() })).status, 303)
  const csrf = tokenIn((await browser.ask('/account/sessions')).body)
  const primary = unconfirmed(it.authority.browser)
  const acts = [
    ['/account/sessions', { csrf, 'end-others': 'yes' }],
    ['/account/sign-out', { csrf }],
  ] as const
  for (const [path, form] of acts) assert.equal((await browser.ask(path, { form })).status, 503, path)
  primary.confirm()
  assert.equal((await browser.ask('/account/sign-out', { form: { csrf } })).status, 303)
})
