/** /v1/tenants over HTTP: profiles and trusted issuers as they were declared, and nobody else's. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases, operator } from '../feed/feed-deployment.ts'
import { codeIn, everyPage, itemsIn, startAdminDeployment } from './admin-deployment.ts'

const trusted = [
  { issuer: 'https://ci.example', audience: 'shop', rules: [{ claims: { sub: 'repo:shop' }, client: 'admin' }] },
]

for (const database of databases)
  test(`${database}: tenants are read with their profiles and trusted issuers: all at the first, each its own`, async () => {
    await using deployment = await startAdminDeployment(database)
    const { it, call, as } = deployment
    const { declared } = it.deployment.authority.admin
    const applied = await declared.apply(operator, {
      tenants: [
        { id: 'acme', trusted_issuers: trusted },
        { id: 'bank', name: 'Bank', profile: 'fapi2-security', registration: { mode: 'off' } },
        { id: 'pushing', require_pushed_authorization_requests: true, disabled: true },
      ],
    })
    assert.ok(applied.kind === 'ok', JSON.stringify(applied))
    const all = await everyPage(deployment, '/v1/tenants?limit=3')
    assert.deepEqual(
      all.map(({ id, profile = null, disabled }) => [id, profile, disabled]),
      [
        ['acme', null, false],
        ['bank', 'fapi2-security', false],
        ['default', null, false],
        ['globex', null, false],
        ['pushing', null, true],
      ],
    )
    const back = await everyPage(deployment, '/v1/tenants?limit=3&sort=-id')
    assert.deepEqual(back, all.toReversed())
    const bank = (await call('/v1/tenants/bank')).json()
    assert.deepEqual(bank, all[1])
    assert.match(String(bank['issuer']), /\/t\/bank$/)
    assert.deepEqual(bank['registration'], { mode: 'off' })
    assert.deepEqual(all[0]?.['trusted_issuers'], trusted)
    assert.equal(all[4]?.['require_pushed_authorization_requests'], true)
    assert.equal((await call('/v1/tenants/nobody')).status, 404)

    const own = itemsIn(await call('/v1/tenants', {}, '/t/acme'))
    assert.deepEqual(own, [all[0]])
    assert.equal((await call('/v1/tenants/acme', {}, '/t/acme')).status, 200)
    for (const other of ['default', 'bank', 'nobody'])
      assert.equal((await call(`/v1/tenants/${other}`, {}, '/t/acme')).status, 404, other)

    const headers = await as('admin', 'admin:clients:read')
    const refused = await it.ask('/v1/tenants', { headers })
    assert.deepEqual([refused.status, codeIn(refused)], [401, 'insufficient_scope'])

    // What is read can be written back: under a profile nobody says that requests need not be pushed.
    for (const word of [{ require_pushed_authorization_requests: false }, { profile: 'fapi2-security' }]) {
      const said = await declared.apply(operator, { tenants: [{ id: 'pushing', ...word }] })
      assert.ok(said.kind === 'ok', JSON.stringify(said))
    }
    const pushing = (await call('/v1/tenants/pushing')).json()
    assert.equal(pushing['profile'], 'fapi2-security')
    assert.equal(pushing['require_pushed_authorization_requests'], undefined)
  })
