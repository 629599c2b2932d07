/** APIs, scopes and roles as administrators put and drop them: at a version, each refused for one reason at a time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { nothingElse } from '../../src/admin/catalogue/directory-change.ts'
import { bounded, declare, openDeployment, operator, root } from '../support/deployment.ts'

const api = 'https://api.example'
const nowhere = 'nowhere' as TenantId
type Answer = { readonly kind: 'ok' | 'error'; readonly value?: unknown; readonly error?: object }
const told = ({ kind, error }: Answer) => {
  if (kind === 'ok') return 'ok'
  const { reason, what, problems } = error as {
    reason: string
    what?: string
    problems?: { field: string; problem: string }[]
  }
  return [reason, what, ...(problems ?? []).map(({ field, problem }) => `${field} ${problem}`)]
    .filter(Boolean)
    .join(': ')
}

async function open() {
  const deployment = await openDeployment()
  await declare(deployment, {})
  const { authority, store } = deployment
  const { resources, scopes, roles } = authority.admin
  const news = async () => {
    await store.events.position()
    const [last] = await store.events.before(root, Number.MAX_SAFE_INTEGER, 1)
    return last && [last.name, last.actor, last.data]
  }
  const put = async (
    kind: typeof resources | typeof scopes | typeof roles,
    input: JsonObject,
    expected: string | null = null,
  ) => {
    const done = (await kind.put(operator, root, { input, expected })) as Answer
    return done.kind === 'ok' ? (done.value as { readonly version: string }).version : told(done)
  }
  return { resources, scopes, roles, news, put, store }
}

test('an API, a scope and a role are made once, changed at their version, and dropped at it', bounded, async () => {
  const { resources, scopes, roles, news, put } = await open()
  const rows = [
    [
      resources,
      'resource',
      { identifier: api, name: 'A' },
      { name: 'B' },
      'admin.resource_changed',
      { identifier: api },
    ],
    [
      scopes,
      'scope',
      { name: 'a:read', description: 'See', resource: api },
      { mode: 'optional' },
      'admin.scope_changed',
      { name: 'a:read' },
    ],
    [
      roles,
      'role',
      { name: 'clerk', resource: api, scopes: ['a:read'] },
      { description: 'y' },
      'admin.role_changed',
      { name: 'clerk' },
    ],
  ] as const
  for (const [kind, noun, input, more, event, data] of rows) {
    const [id = ''] = Object.values(data)
    const first = await put(kind, input)
    assert.match(first, /^[\w-]{16}$/, first)
    assert.deepEqual(await news(), [event, operator, data])
    assert.equal(await put(kind, input), `exists: ${noun} ${id}`)
    const changed = await put(kind, { ...input, ...more }, first)
    assert.notEqual(changed, first)
    assert.match(await put(kind, input, first), /^conflict: /, 'of an older version')
    assert.match(
      await put(kind, { ...input, [Object.keys(data)[0] ?? '']: `${id}x` }, first),
      /^conflict: /,
      'of what is not there',
    )
    const list = await kind.list(root)
    assert.ok(list.kind === 'ok')
    assert.deepEqual(
      list.value.map(({ version }) => version),
      [changed],
    )
    assert.deepEqual({ ...list.value[0]?.value, ...more }, list.value[0]?.value)
  }
  for (const [kind, noun, , , event, data] of rows.toReversed()) {
    const [id = ''] = Object.values(data)
    const [held] = await kind.list(root).then((it) => (it.kind === 'ok' ? it.value : []))
    const drop = (which: string, expected: string) => kind.drop(operator, root, { id: which, expected }).then(told)
    assert.equal(await drop(`${id}x`, held?.version ?? ''), `absent: ${noun} ${id}x`)
    assert.match(await drop(id, 'another-version0'), /^conflict: /)
    assert.equal(await drop(id, held?.version ?? ''), 'ok')
    assert.deepEqual(await news(), [event, operator, { ...data, removed: true }])
    const left = await kind.list(root)
    assert.deepEqual(left.kind === 'ok' && left.value, [])
  }
})

test('what does not fit is refused with its field; an API that scopes are of stays', bounded, async () => {
  const { resources, scopes, roles, put } = await open()
  await put(resources, { identifier: api })
  await put(scopes, { name: 'a:read', description: 'See', resource: api })
  const undeclared = 'resource names a resource that is not declared'
  assert.equal(
    await put(scopes, { name: 'b', description: 'x', resource: 'https://b.example' }),
    `invalid: ${undeclared}`,
  )
  assert.equal(await put(roles, { name: 'r', resource: 'https://b.example', scopes: [] }), `invalid: ${undeclared}`)
  assert.equal(
    await put(roles, { name: 'r', resource: api, scopes: ['b'] }),
    'invalid: scopes names b, which is no scope of that resource',
  )
  assert.match(await put(resources, { identifier: 'x' }), /^invalid: identifier must be an absolute URI/)
  assert.match(await put(scopes, { name: 'b', description: 'x', odd: 1 }), /^invalid: odd is not known here/)
  assert.match(await put(scopes, { name: 'b', description: '' }), /^invalid: description must not be empty/)
  assert.match(await put(scopes, { name: 'b', description: 'x' }), /^[\w-]{16}$/, 'of no API')
  const list = await resources.list(root)
  const version = list.kind === 'ok' ? (list.value[0]?.version ?? '') : ''
  assert.match(told(await resources.drop(operator, root, { id: api, expected: version })), /^invalid: /)
})

test('in a tenant that is not there nothing is', bounded, async () => {
  const { resources, scopes, roles } = await open()
  for (const kind of [resources, scopes, roles]) assert.equal(told(await kind.list(nowhere)), 'absent: tenant nowhere')
  const put = await resources.put(operator, nowhere, { input: { identifier: api }, expected: null })
  assert.equal(told(put), 'absent: tenant nowhere')
  assert.equal(told(await scopes.drop(operator, nowhere, { id: 'x', expected: 'x' })), 'absent: tenant nowhere')
})

test('a tenant has a thousand roles, and no more; one that is there may still be changed', bounded, async () => {
  const { resources, roles, put, store } = await open()
  await put(resources, { identifier: api })
  const role = (n: number) => ({ name: `r${n}`, description: '', resource: api, scopes: [] })
  const first = await put(roles, role(0))
  const { tenant } = (await store.directory.catalogue(root)) ?? assert.fail()
  const putRoles = Array.from({ length: 998 }, (_, n) => role(n + 1))
  await store.directory.apply([
    { ...nothingElse, putRoles, tenant: root, expected: tenant.revision, at: 0 as never, events: [] },
  ])
  assert.match(await put(roles, role(999)), /^[\w-]{16}$/, 'the thousandth')
  assert.equal(
    await put(roles, role(1000)),
    'invalid: name would be one role more than the 1000 that a tenant may have',
  )
  assert.match(await put(roles, { ...role(0), description: 'y' }, first), /^[\w-]{16}$/)
})
