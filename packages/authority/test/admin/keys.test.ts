/** Keys as an administrator rotates and drops them: which are begun, which are made, and what another node may do meanwhile. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKeyAdmin } from '../../src/admin/keys.ts'
import { operator, root } from '../support/deployment.ts'

const now = 1_000_000_000
const key = (kid: string, more: object = {}) => ({
  tenant: root,
  kid,
  alg: 'ES256',
  generation: 1,
  publishedAt: 0,
  activatesAt: now - 5,
  notedActiveAt: null,
  droppedAt: null,
  publicJwk: {},
  sealedPrivate: 'opens it',
  ...more,
})
const rsa = { alg: 'RS256' }

/** `taken`: another node does the same at the same moment. */
function open(keys: readonly object[], taken = false) {
  const done: unknown[] = []
  const named = (events: readonly { readonly name: string }[]) => events.map(({ name }) => name).join()
  const admin = openKeyAdmin({
    clock: { now: () => now },
    ids: { id: () => 'e' },
    policy: { keyAnnounce: 86_400, keyRotation: 90 * 86_400, accessTtl: 600, idTokenTtl: 600, leeway: 5 },
    keyring: {
      add: async (
        by: { readonly kind: string },
        _: string,
        it: { readonly alg: string; readonly activatesAt: number },
      ) => {
        done.push(['adds', it.alg, it.activatesAt - now, by.kind])
        return taken ? null : { kid: `new ${it.alg}` }
      },
    },
    store: {
      directory: { catalogue: async () => null },
      keys: {
        list: async () => keys,
        activate: async (_: string, kid: string, at: number, events: []) => {
          done.push(['activates', kid, at - now, named(events)])
          return taken ? 'absent' : 'moved'
        },
        drop: async (_: string, kid: string, at: number, events: []) =>
          void done.push(['drops', kid, at - now, named(events)]),
      },
    },
  } as never)
  return { admin, done }
}

const elsewhere = {
  kind: 'error',
  error: { reason: 'conflict', what: 'another node rotated at the same moment; look before trying again' },
}

test('each algorithm with a key that is not dropped gets a successor, announced a day ahead or at once', async () => {
  const ring = [key('a'), key('b'), key('r', rsa), key('gone', { alg: 'PS256', droppedAt: now - 1 })]
  for (const [at, ahead] of [
    [false, 86_400_000],
    [true, 0],
  ] as const) {
    const { admin, done } = open(ring)
    assert.deepEqual(await admin.rotate(operator, root, { now: at }), { kind: 'ok', value: ['new ES256', 'new RS256'] })
    assert.deepEqual(done, [
      ['adds', 'ES256', ahead, 'operator'],
      ['adds', 'RS256', ahead, 'operator'],
    ])
    assert.deepEqual(await open(ring, true).admin.rotate(operator, root, { now: at }), elsewhere)
  }
})

test('what was announced of that algorithm begins at once, and what was dropped or has begun does not', async () => {
  const announced = { activatesAt: now + 1, generation: 2 }
  const rows: readonly (readonly [object, kid: string])[] = [
    [key('next', announced), 'next'],
    [key('next', { ...announced, droppedAt: now - 1 }), 'new ES256'],
    [key('next', { activatesAt: now, generation: 2 }), 'new ES256'],
  ]
  for (const [next, kid] of rows) {
    const { admin, done } = open([key('a'), next])
    assert.deepEqual(await admin.rotate(operator, root, { now: true }), { kind: 'ok', value: [kid] })
    assert.deepEqual(done, [
      kid === 'next' ? ['activates', 'next', 0, 'key.activated'] : ['adds', 'ES256', 0, 'operator'],
    ])
  }
  const other = open([key('a'), key('next', { ...announced, ...rsa })])
  await other.admin.rotate(operator, root, { now: true })
  assert.deepEqual(other.done[0], ['adds', 'ES256', 0, 'operator'], 'another algorithm’s is no successor')
  const raced = open([key('a'), key('next', announced)], true)
  assert.deepEqual(await raced.admin.rotate(operator, root, { now: true }), elsewhere)
})

test('before the key that signs is dropped another begins; any other is just dropped', async () => {
  const ring = [key('old', { activatesAt: now - 9 }), key('a', { generation: 2 })]
  const signing = open(ring)
  assert.equal((await signing.admin.drop(operator, root, 'a')).kind, 'ok')
  assert.deepEqual(signing.done, [
    ['adds', 'ES256', 0, 'system'],
    ['drops', 'a', 0, 'key.dropped'],
  ])
  const retiring = open(ring)
  assert.equal((await retiring.admin.drop(operator, root, 'old')).kind, 'ok')
  assert.deepEqual(retiring.done, [['drops', 'old', 0, 'key.dropped']])
})

test('where no other begins the key that signs is kept: the one before it would sign again', async () => {
  const { admin, done } = open([key('old', { activatesAt: now - 9 }), key('a', { generation: 2 })], true)
  assert.deepEqual(await admin.drop(operator, root, 'a'), elsewhere)
  assert.deepEqual(done, [['adds', 'ES256', 0, 'system']])
})

test('what is not there is not rotated or dropped, and what is dropped not again', async () => {
  const told = (it: { readonly kind: string; readonly error?: unknown }) => it.error
  const { admin, done } = open([key('gone', { droppedAt: now - 1 })])
  assert.deepEqual(told(await admin.drop(operator, root, 'x')), { reason: 'absent', what: 'key x' })
  assert.deepEqual(told(await admin.drop(operator, root, 'gone')), {
    reason: 'conflict',
    what: 'key gone is dropped already',
  })
  assert.deepEqual(told(await open([]).admin.rotate(operator, root, { now: true })), {
    reason: 'absent',
    what: `a key ring of tenant ${root}; it is made when first needed`,
  })
  assert.deepEqual(done, [])
})

test('a key is shown without its private half, with what is and will be of it', async () => {
  const shown = await open([key('old', { activatesAt: now - 9 }), key('a', { generation: 2 })]).admin.list(root)
  assert.ok(shown.kind === 'ok')
  const { sealedPrivate: _, ...rest } = key('a', { generation: 2 })
  assert.deepEqual(shown.value[1], {
    ...rest,
    state: 'current',
    rotatesAt: now - 5 + 90 * 86_400_000,
    leavesAt: null,
  })
  assert.deepEqual(
    shown.value.map(({ state }) => state),
    ['retiring', 'current'],
  )
})
