/** Words and numbers that others rely on: to change one is to change what is promised. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prompts } from '../../src/authorize/prompt.ts'
import {
  isSigned,
  byForm,
  responseModeFor,
  responseModes,
  signedResponseModes,
} from '../../src/authorize/response-mode.ts'
import { cutoffDimensions, feedPaths, feedScope, feedVersion, snapshotType } from '../../src/feed/feed.ts'
import { filterOps, longestText, mostValues } from '../../src/http/page.ts'
import { jwtType, signingAlgs } from '../../src/jose/algorithms.ts'
import { formLimits } from '../../src/oauth/form.ts'
import { hasIssuerScope } from '../../src/oauth/personal-scope.ts'
import { isVerifier, verifierTries } from '../../src/oauth/pkce.ts'
import { formatScope, parseScope, scopeLimits } from '../../src/oauth/scope.ts'
import { mostPreferences, textLimits } from '../../src/oauth/text-limits.ts'
import { oidcScopeNames } from '../../src/oidc/scopes.ts'
import {
  clientFieldNames,
  clientFields,
  deliveryModes,
  responseTypes,
  subjectTypes,
} from '../../src/registration/client-fields.ts'
import { documentLimit, isDocumentId } from '../../src/registration/document.ts'
import { isTenantProfile, tenantProfiles } from '../../src/registration/tenant-profile.ts'
import { statusReference } from '../../src/status-list/status-claim.ts'
import { builtInScopes } from '../../src/oauth/built-in-scopes.ts'

test('how long a text of a stranger may be', () => {
  assert.deepEqual(textLimits, {
    state: 4096,
    nonce: 1024,
    loginHint: 1024,
    acrValues: 1024,
    uiLocales: 1024,
    claims: 8192,
    bindingMessage: 100,
    backchannelUserCode: 64,
    clientNotificationToken: 1024,
    jwt: 16_384,
    dpopProof: 8192,
    jti: 256,
    kid: 256,
    uri: 2048,
    name: 200,
    description: 1000,
    claim: 1000,
  })
  assert.deepEqual([mostPreferences, verifierTries, documentLimit], [20, 5, 5120])
  assert.deepEqual(scopeLimits, { text: 4096, names: 100, name: 128 })
  assert.deepEqual(formLimits, { parameters: 100, name: 128, value: 16_384 })
  assert.deepEqual([longestText, mostValues], [2048, 100])
})

test('words of requests and documents', () => {
  assert.deepEqual(prompts, ['none', 'login', 'consent', 'select_account'])
  assert.deepEqual(responseModes, ['query', 'form_post', 'jwt', 'query.jwt', 'form_post.jwt'])
  assert.deepEqual(signedResponseModes, ['jwt', 'query.jwt', 'form_post.jwt'])
  assert.deepEqual(responseTypes, ['code'])
  assert.deepEqual(deliveryModes, ['poll', 'ping'])
  assert.deepEqual(subjectTypes, ['public', 'pairwise'])
  assert.deepEqual(filterOps, ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'prefix'])
  assert.deepEqual(oidcScopeNames, ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'])
  assert.deepEqual(tenantProfiles, ['fapi2-security', 'fapi2-message-signing'])
  assert.deepEqual(['fapi2-security', 'fapi-ciba', null].map(isTenantProfile), [true, false, false])
  assert.deepEqual(signingAlgs, ['ES256', 'RS256', 'PS256', 'EdDSA', 'ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'])
  assert.deepEqual(jwtType, {
    access: 'at+jwt',
    id: 'JWT',
    logout: 'logout+jwt',
    dpop: 'dpop+jwt',
    introspection: 'token-introspection+jwt',
    idJag: 'oauth-id-jag+jwt',
    statusList: 'statuslist+jwt',
    authorizationResponse: 'JWT',
  })
  assert.deepEqual(cutoffDimensions, ['grant', 'session', 'subject', 'client', 'tenant', 'issuer'])
  assert.deepEqual(feedPaths, {
    stream: '/revocations/stream',
    changes: '/revocations/changes',
    snapshot: '/revocations/snapshot',
  })
  assert.deepEqual([feedScope, feedVersion, snapshotType], ['revocations:read', 1, 'revsnap+jwt'])
})

test('an answer travels as it was asked for, where that can be', () => {
  const [web, app] = ['https://client.example/cb', 'com.example.app:/cb']
  const rows = [
    [undefined, web, 'query'],
    ['query', web, 'query'],
    ['form_post', web, 'form_post'],
    ['jwt', web, 'query.jwt'],
    ['query.jwt', app, 'query.jwt'],
    ['form_post.jwt', web, 'form_post.jwt'],
    ['form_post', app, null],
    ['form_post.jwt', app, null],
    ['fragment', web, null],
    ['toString', web, null],
  ] as const
  for (const [word, uri, mode] of rows) assert.equal(responseModeFor(word, uri), mode, word ?? 'none')
  assert.deepEqual((['query', 'form_post', 'query.jwt', 'form_post.jwt'] as const).map(byForm), [
    false,
    true,
    false,
    true,
  ])
  assert.deepEqual((['query', 'form_post', 'query.jwt', 'form_post.jwt'] as const).map(isSigned), [
    false,
    false,
    true,
    true,
  ])
})

test('the ends of each limit', () => {
  const names = (count: number, length = 2) =>
    Array.from({ length: count }, (_, n) => `${n}`.padStart(length, 'x')).join(' ')
  assert.equal(parseScope(names(100))?.size, 100)
  assert.equal(parseScope(names(101)), null)
  assert.equal(parseScope('x'.repeat(128))?.size, 1)
  assert.equal(parseScope('x'.repeat(129)), null)
  const long = names(32, 127)
  assert.equal(long.length, 4095)
  assert.equal(parseScope(`${long.slice(0, -1)}yz`)?.size, 32)
  assert.equal(parseScope(`${long} y`), null)
  assert.deepEqual([formatScope(new Set()), formatScope(new Set(['b', 'a']))], ['', 'a b'])
  assert.deepEqual(
    [42, 43, 128, 129].map((length) => isVerifier('x'.repeat(length))),
    [false, true, true, false],
  )
  const document = (length: number) => `https://client.example/${'x'.repeat(length - 'https://client.example/'.length)}`
  assert.deepEqual(
    [512, 513].map((length) => isDocumentId(document(length))),
    [true, false],
  )
  for (const id of [
    'http://client.example/a',
    'https://client.example/',
    'https://client.example/a#b',
    'https://u@client.example/a',
    'https://:p@client.example/a',
    'https://client.example/a/../b',
    'https://CLIENT.example/a',
    'https://',
  ])
    assert.equal(isDocumentId(id), false, id)
  const status = (idx: unknown, uri: unknown = 'u') =>
    statusReference({ status: { status_list: { idx, uri } } as never })
  assert.deepEqual(status(0), { uri: 'u', idx: 0 })
  assert.deepEqual(status(1, 'x'.repeat(2048))?.idx, 1)
  for (const none of [status(-1), status(0.5), status('0'), status(0, ''), status(0, 7), status(0, 'x'.repeat(2049))])
    assert.equal(none, null)
  assert.equal(statusReference({}), null)
  assert.equal(statusReference({ status: { status_list: [] } }), null)
})

test('what is of the issuer begins with admin:, or is one of its own', () => {
  for (const name of ['admin:users:read', 'admin:later', 'revocations:read', 'events:report', 'metrics:read'])
    assert.equal(hasIssuerScope(new Set(['openid', name])), true, name)
  for (const name of ['openid', 'administer', 'orders:admin:', 'x:admin'])
    assert.equal(hasIssuerScope(new Set([name])), false, name)
  const high = builtInScopes.filter(({ sensitivity }) => sensitivity === 'high').map(({ name }) => name)
  assert.ok(high.every((name) => name.startsWith('admin:')))
  assert.deepEqual(
    builtInScopes.filter(({ sensitivity }) => sensitivity === 'normal').map(({ name }) => name),
    ['revocations:read', 'events:report', 'metrics:read'],
  )
  assert.deepEqual(
    high.filter((name) => name.endsWith(':read')).filter((name) => !high.includes(name.replace(':read', ':write'))),
    ['admin:events:read', 'admin:statistics:read', 'admin:settings:read'],
  )
})

test('what a client says of itself: who may set each field, and how it is described', () => {
  const operators = new Set([
    'default_resource',
    'resource_server',
    'exchange',
    'authorization_details_types',
    'profile',
    'first_party',
    'pkce',
  ])
  const lists = {
    redirect_uris: 2048,
    grant_types: 2048,
    response_types: 2048,
    contacts: 320,
    request_uris: 2048,
    default_acr_values: 256,
    post_logout_redirect_uris: 2048,
    authorization_details_types: 200,
  }
  const texts: Readonly<Record<string, number>> = {
    client_name: 200,
    tls_client_auth_subject_dn: 1024,
    software_id: 256,
    software_version: 256,
  }
  const flags =
    'id_token_scope_claims require_pushed_authorization_requests require_signed_request_object require_auth_time backchannel_logout_session_required frontchannel_logout_session_required backchannel_user_code_parameter dpop_bound_access_tokens tls_client_certificate_bound_access_tokens first_party'.split(
      ' ',
    )
  const others: Readonly<Record<string, object>> = {
    scope: { type: 'string', maxLength: 4096 },
    default_max_age: { type: 'integer', minimum: 0 },
    jwks: {
      type: 'object',
      required: ['keys'],
      properties: { keys: { type: 'array', items: {}, maxItems: 50 } },
      additionalProperties: true,
    },
    exchange: clientFields.exchange.type.schema,
  }
  for (const name of clientFieldNames) {
    const { setBy, type } = clientFields[name]
    assert.deepEqual(setBy, operators.has(name) ? ['operator'] : ['operator', 'registration', 'document'], name)
    const entry = (lists as Readonly<Record<string, number>>)[name]
    const text = { type: 'string', minLength: 1, maxLength: entry ?? texts[name] ?? 2048 }
    const flagged = flags.includes(name) ? { type: 'boolean' } : null
    const schema =
      others[name] ?? flagged ?? (entry === undefined ? text : { type: 'array', items: text, maxItems: 50 })
    assert.deepEqual(type.schema, schema, name)
  }
})
