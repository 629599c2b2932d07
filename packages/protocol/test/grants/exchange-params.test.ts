/** RFC 8693 §2.1: what a token exchange is asked with, and each mistake in it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exchangeParams } from '../../src/exchange/exchange-params.ts'
import { formOf } from '../../src/oauth/form.ts'
import type { Handle } from '../../src/types.ts'

const type = (name: string) => `urn:ietf:params:oauth:token-type:${name}`
const least: Readonly<Record<string, string>> = { subject_token: 's', subject_token_type: type('access_token') }
const jag = {
  requested_token_type: type('id-jag'),
  subject_token_type: type('id_token'),
  audience: 'https://b.example',
}

const read = (more: Readonly<Record<string, string | readonly string[] | undefined>> = {}) => {
  const pairs = Object.entries({ ...least, ...more }).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, one] as const),
  )
  return exchangeParams(formOf(pairs), (secret) => `handle of ${secret}` as Handle)
}

test('what is not said has its default', () => {
  assert.deepEqual(read(), {
    kind: 'ok',
    value: {
      subjectToken: 's',
      subjectType: type('access_token'),
      subjectHandle: null,
      actorToken: null,
      requestedType: type('access_token'),
      target: null,
      audience: null,
      resources: [],
      scope: null,
    },
  })
})

test('all that can be said is read; a resource named twice is one', () => {
  const asked = read({
    actor_token: 'a',
    actor_token_type: type('jwt'),
    requested_token_type: type('jwt'),
    resource: ['https://a.example', 'https://a.example'],
    audience: 'https://a.example',
    scope: 'x y',
  })
  assert.ok(asked.kind === 'ok', JSON.stringify(asked))
  const { actorToken, requestedType, target, audience, resources, scope } = asked.value
  assert.deepEqual(
    [actorToken, requestedType, target, audience, resources, [...(scope ?? [])]],
    ['a', type('jwt'), 'https://a.example', null, ['https://a.example'], ['x', 'y']],
  )
})

test('an identity assertion grant has an audience of its own, and resources that are the other server’s', () => {
  const asked = read({ ...jag, resource: ['https://r.example', 'https://q.example'] })
  assert.ok(asked.kind === 'ok', JSON.stringify(asked))
  assert.deepEqual(
    [asked.value.audience, asked.value.target, asked.value.resources, asked.value.subjectHandle],
    ['https://b.example', 'https://b.example', ['https://r.example', 'https://q.example'], null],
  )
  const byRefresh = read({ ...jag, subject_token_type: type('refresh_token') })
  assert.ok(byRefresh.kind === 'ok')
  assert.equal(byRefresh.value.subjectHandle, 'handle of s')
})

const refused: readonly (readonly [more: Parameters<typeof read>[0], reason: string, name?: string])[] = [
  [{ subject_token: undefined }, 'parameter_missing', 'subject_token'],
  [{ subject_token_type: undefined }, 'parameter_missing', 'subject_token_type'],
  [{ actor_token: 'a' }, 'parameter_missing', 'actor_token_type'],
  [{ actor_token_type: type('jwt') }, 'parameter_missing', 'actor_token'],
  [{ subject_token_type: type('refresh_token') }, 'token_type_not_exchanged', 'subject_token_type'],
  [{ subject_token_type: 'x' }, 'token_type_not_exchanged', 'subject_token_type'],
  [{ actor_token: 'a', actor_token_type: type('id_token') }, 'token_type_not_exchanged', 'actor_token_type'],
  [{ requested_token_type: type('refresh_token') }, 'token_type_not_exchanged', 'requested_token_type'],
  [{ requested_token_type: type('id_token') }, 'token_type_not_exchanged', 'requested_token_type'],
  [{ scope: ' ' }, 'scope_malformed'],
  [{ resource: 'x' }, 'resource_malformed'],
  [{ audience: 'x' }, 'resource_malformed'],
  [{ resource: ['https://a.example', 'https://b.example'] }, 'resource_ambiguous'],
  [{ resource: 'https://a.example', audience: 'https://b.example' }, 'resource_ambiguous'],
  [{ ...jag, audience: undefined }, 'parameter_missing', 'audience'],
  [{ ...jag, audience: ['https://a.example', 'https://b.example'] }, 'resource_ambiguous'],
  [{ ...jag, resource: 'x' }, 'resource_malformed'],
  [{ ...jag, subject_token_type: type('access_token') }, 'token_type_not_exchanged', 'subject_token_type'],
  [{ ...jag, subject_token_type: type('jwt') }, 'token_type_not_exchanged', 'subject_token_type'],
  [{ ...jag, actor_token: 'a', actor_token_type: type('jwt') }, 'token_type_not_exchanged', 'actor_token_type'],
]

for (const [more, reason, name] of refused)
  test(`RFC 8693 §2.1: ${JSON.stringify(more)} is refused: ${reason} ${name ?? ''}`, () =>
    assert.deepEqual(read(more), { kind: 'error', error: { reason, ...(name === undefined ? {} : { name }) } }))

for (const name of ['access_token', 'id_token', 'jwt'])
  test(`RFC 8693 §3: ${name} can be the subject's, and ${name === 'id_token' ? 'no actor’s' : 'an actor’s'}`, () => {
    assert.equal(read({ subject_token_type: type(name) }).kind, 'ok')
    assert.equal(read({ actor_token: 'a', actor_token_type: type(name) }).kind, name === 'id_token' ? 'error' : 'ok')
  })

for (const name of ['access_token', 'jwt'])
  test(`RFC 8693 §2.1: ${name} can be asked for`, () => {
    const asked = read({ requested_token_type: type(name) })
    assert.equal(asked.kind === 'ok' && asked.value.requestedType, type(name))
  })
