/** The branding of tenants over HTTP: written, shown on every page, kept apart, and taken back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases, machine, operator } from '../feed/feed-deployment.ts'
import { codeIn, startAdminDeployment } from './admin-deployment.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const logo = `data:image/png;base64,${png}`
const branding = { name: '<b>Acme & Söhne</b>', logo, accent: '#FFEE00', background: '#102040' }

const pages = ['/', '/account', '/device', '/signed-out', '/authorize?client_id=nobody', '/interact/nothing']

/** Some of these only lead on where a tenant is. */
const everyPage = [...pages, '/logout', '/account/enter', '/account/sessions', '/console', '/nothing/here']

async function start(database: (typeof databases)[number]) {
  const deployment = await startAdminDeployment(database)
  const scope = 'admin:tenants:read admin:tenants:write admin:events:read'
  const clients = [machine('looks', scope)]
  const { declared } = deployment.it.deployment.authority.admin
  const applied = await declared.apply(operator, { clients, tenants: [{ id: 'acme', clients }] })
  assert.ok(applied.kind === 'ok', JSON.stringify(applied))
  const tokens = new Map<string, string>()
  const call = async (path: string, { at = '', etag, ...question }: Call = {}) => {
    const token = tokens.get(at) ?? (await deployment.it.token('looks', { scope }, at))
    tokens.set(at, token)
    const { body, method = 'GET' } = question
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    return deployment.it.ask(`${at}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': type }),
        ...(etag === undefined ? {} : { 'if-match': etag }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }
  const patch = async (id: string, body: unknown, at = '') => {
    const etag = (await call(`/v1/tenants/${id}`, { at })).headers['etag'] ?? '"none"'
    return call(`/v1/tenants/${id}`, { at, method: 'PATCH', body, etag })
  }
  const page = (path: string) => deployment.it.ask(path, { headers: { accept: 'text/html' } })
  return { deployment, declared, call, patch, page, [Symbol.asyncDispose]: () => deployment[Symbol.asyncDispose]() }
}

interface Call {
  readonly at?: string
  readonly method?: string
  readonly body?: unknown
  readonly etag?: string
}

for (const database of databases)
  test(`${database}: a tenant looks like itself on every page, its neighbours do not, and it can be taken back`, async () => {
    await using world = await start(database)
    const { call, patch, page, declared } = world
    const plain = (await page('/t/globex/signed-out')).body
    const written = await patch('acme', { branding })
    assert.equal(written.status, 200, written.body)
    const shown = written.json()['branding'] as Record<string, string>
    assert.deepEqual(
      [shown['name'], shown['accent'], shown['background']],
      ['<b>Acme & Söhne</b>', '#ffee00', '#102040'],
    )
    assert.match(shown['logo'] ?? '', /^\/assets\/logos\/acme\/[0-9a-f]{32}\.png$/)

    for (const path of pages) {
      const answer = await page(`/t/acme${path}`)
      assert.ok(answer.body.includes('&lt;b&gt;Acme &amp; Söhne&lt;/b&gt;'), `${path} ${answer.status} ${answer.body}`)
      assert.ok(answer.body.includes(`src="${shown['logo']}"`), path)
      assert.match(answer.body, /href="\/assets\/brand\.ffee00\.none\.102040\.none\.[0-9a-f]{12}\.css"/, path)
      assert.match(String(answer.headers['content-security-policy']), /style-src 'self'; img-src 'self'/, path)
    }
    for (const path of everyPage)
      for (const elsewhere of [`/t/nobody${path}`, `/t/Acme${path}`])
        assert.equal((await page(elsewhere)).status, 404, elsewhere)
    const [, sheet = ''] = /href="(\/assets\/brand[^"]+)"/.exec((await page('/t/acme/')).body) ?? []
    for (const [path, type] of [
      [sheet, 'text/css; charset=utf-8'],
      [shown['logo'] ?? '', 'image/png'],
    ] as const) {
      const file = await page(path)
      assert.deepEqual([file.status, file.headers['content-type']], [200, type])
      assert.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(file.headers['x-content-type-options'], 'nosniff')
      assert.match(String(file.headers['content-security-policy']), /sandbox/)
    }
    for (const path of [
      (shown['logo'] ?? '').replace('acme', 'globex'),
      (shown['logo'] ?? '').replace('.png', '.html'),
      '/assets/logos/acme/..%2f..%2fx.png',
      '/assets/logos/nobody/x.png',
    ])
      assert.equal((await page(path)).status, 404, path)
    assert.equal((await page('/t/globex/signed-out')).body, plain)
    assert.ok(plain.includes('Globex'))

    // The address of the logo keeps it, and other fields change beside it.
    const again = await patch('acme', { branding: { accent: '#123456' } })
    assert.deepEqual(again.json()['branding'], { ...shown, accent: '#123456' })
    const exported = await declared.export()
    assert.ok(exported.kind === 'ok')
    const [acme] = (exported.value.tenants ?? []) as readonly { readonly branding?: unknown }[]
    assert.deepEqual(acme?.branding, { name: branding.name, accent: '#123456', background: '#102040', logo })
    const plan = await declared.plan(exported.value)
    assert.ok(plan.kind === 'ok', JSON.stringify(plan))
    assert.deepEqual(plan.value.steps, [])

    const events = (await call('/v1/events?name=admin.tenant_changed', { at: '/t/acme' })).json()[
      'items'
    ] as readonly JsonItem[]
    assert.equal(events.filter((it) => it.data?.['branding'] === true).length, 2)

    const reset = await patch('acme', { branding: null })
    assert.equal(reset.json()['branding'], undefined)
    assert.equal((await page(shown['logo'] ?? '')).status, 404)
    assert.ok(!(await page('/t/acme/')).body.includes('brand.'))
    for (const change of [{ branding }, { disabled: true }]) assert.equal((await patch('acme', change)).status, 200)
    for (const path of [...everyPage.map((it) => `/t/acme${it}`), shown['logo'] ?? ''])
      assert.equal((await page(path)).status, 404, path)
  })

interface JsonItem {
  readonly data?: Readonly<Record<string, unknown>>
}

test('branding that could do harm is refused at its field and changes nothing; nobody brands another tenant', async () => {
  await using world = await start('sqlite')
  const { call, patch, page, declared } = world
  const before = (await call('/v1/tenants/acme')).body
  const refused: readonly (readonly [field: string, branding: unknown])[] = [
    ['accent', { accent: '#fff}*{background:url(//evil.example)}' }],
    ['background', { background: 'expression(alert(1))' }],
    ['logo', { logo: 'https://evil.example/logo.png' }],
    ['logo', { logo: 'data:image/svg+xml;base64,PHN2Zy8+' }],
    ['logo', { logo: `data:image/png;base64,${Buffer.from(`${png}<script>`).toString('base64')}` }],
    ['logo', { logo: `${logo.slice(0, -4)}AAAA` }],
    ['name', { name: 'Acme\u202eknaB' }],
    ['name', { name: 'x'.repeat(61) }],
    ['css', { css: 'body{}' }],
    ['branding', 'red'],
  ]
  for (const [field, value] of refused) {
    const answer = await patch('acme', { branding: value })
    assert.equal(answer.status, 400, `${field} ${answer.body}`)
    const faults = answer.json()['errors'] as readonly { readonly pointer: string }[]
    assert.ok(
      faults.some(({ pointer }) => pointer.includes(field)),
      answer.body,
    )
  }
  const huge = await patch('acme', { branding: { logo: `data:image/png;base64,${'A'.repeat(200_000)}` } })
  assert.ok([413, 400].includes(huge.status), huge.body)
  assert.equal((await call('/v1/tenants/acme')).body, before)

  // A tenant's administrator has that tenant, and no other has it.
  assert.equal((await patch('acme', { branding: { accent: '#123456' } }, '/t/acme')).status, 200)
  for (const other of ['default', 'globex']) {
    assert.equal((await call(`/v1/tenants/${other}`, { at: '/t/acme' })).status, 404)
    assert.equal((await patch(other, { branding: { accent: '#123456' } }, '/t/acme')).status, 404)
    const asked = { at: '/t/acme', method: 'POST', body: {} }
    assert.equal((await call(`/v1/tenants/${other}/preview-branding`, asked)).status, 404)
    assert.equal((await call(`/v1/tenants/${other}`)).json()['branding'], undefined)
  }
  const stale = await call('/v1/tenants/acme', { method: 'PATCH', body: { branding: null }, etag: '"1"' })
  assert.equal(stale.status, 412)
  const colours = (
    await call('/v1/tenants/acme/preview-branding', { method: 'POST', body: { accent: '#ffee00' } })
  ).json()
  const { light } = colours as unknown as { readonly light: Readonly<Record<string, string>> }
  assert.notEqual(light['accent'], '#ffee00')
  assert.equal(light['on_accent'], '#ffffff')
  const wrong = await call('/v1/tenants/acme/preview-branding', { method: 'POST', body: { accent: 'red' } })
  assert.deepEqual([wrong.status, codeIn(wrong)], [400, codeIn(await patch('acme', { branding: { name: '' } }))])

  // The first tenant has branding too, by a file, and looks like the deployment without it.
  const file = await declared.apply(operator, { branding: { name: 'First', accent: '#aa0000' } })
  assert.ok(file.kind === 'ok')
  assert.match((await page('/')).body, /First/)
  assert.match((await page('/')).body, /brand\.aa0000/)
  const bad = await declared.plan({
    branding: { accent: 'red' },
    tenants: [{ id: 'acme', branding: { logo: 'x', name: 7 } }],
  })
  assert.ok(bad.kind === 'error' && bad.error.reason === 'invalid')
  assert.deepEqual(bad.error.problems.map((it) => it.field).sort(), [
    'branding.accent',
    'tenants[0].branding.logo',
    'tenants[0].branding.name',
  ])
  assert.ok((await declared.apply(operator, { branding: {} })).kind === 'ok')
  assert.doesNotMatch((await page('/')).body, /brand\.aa0000/)
})
