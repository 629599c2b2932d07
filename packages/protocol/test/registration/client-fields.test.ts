/** The fields of a client: who may set each, and how an API describes it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  clientFieldNames,
  clientFields,
  deliveryModes,
  responseTypes,
  subjectTypes,
} from '../../src/registration/client-fields.ts'

test('what a client says of itself: who may set each field, and how it is described', () => {
  const operators = new Set([
    'default_resource',
    'resource_server',
    'exchange',
    'authorization_details_types',
    'claim_mappings',
    'profile',
    'first_party',
    'accent',
    'background',
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
    claim_mappings: clientFields.claim_mappings.type.schema,
    accent: { type: 'string', pattern: '^#([0-9a-fA-F]{3}){1,2}$' },
    background: { type: 'string', pattern: '^#([0-9a-fA-F]{3}){1,2}$' },
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

test('words that a client may choose among', () => {
  assert.deepEqual(responseTypes, ['code'])
  assert.deepEqual(deliveryModes, ['poll', 'ping'])
  assert.deepEqual(subjectTypes, ['public', 'pairwise'])
})
