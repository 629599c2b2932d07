/** A client as the admin API shows it: RFC 7591's and OIDC's names (DECISIONS §9), and what the server keeps of it. */
import { type Client, metadataDocument } from '@grantor/protocol/registration'
import type { Secret } from '@grantor/protocol/types'
import { Type } from 'typebox'

const text = (maxLength = 2048) => Type.Optional(Type.String({ minLength: 1, maxLength }))
const texts = () => Type.Optional(Type.Array(Type.String({ maxLength: 2048 }), { maxItems: 50 }))
const flag = () => Type.Optional(Type.Boolean())
const time = (description: string) => Type.String({ readOnly: true, format: 'date-time', description })

/** Every field of protocol/registration/metadata.ts, loosely: what its values must be is checked there, for all ways in alike. */
const metadata = {
  client_name: text(200),
  redirect_uris: texts(),
  grant_types: texts(),
  response_types: texts(),
  token_endpoint_auth_method: text(),
  scope: Type.Optional(Type.String({ maxLength: 4096 })),
  application_type: text(),
  client_uri: text(),
  logo_uri: text(),
  policy_uri: text(),
  tos_uri: text(),
  contacts: texts(),
  jwks: Type.Optional(
    Type.Object({ keys: Type.Array(Type.Unknown(), { maxItems: 50 }) }, { additionalProperties: true }),
  ),
  jwks_uri: text(),
  subject_type: text(),
  sector_identifier_uri: text(),
  id_token_signed_response_alg: text(),
  userinfo_signed_response_alg: text(),
  default_max_age: Type.Optional(Type.Integer({ minimum: 0 })),
  require_auth_time: flag(),
  default_acr_values: texts(),
  initiate_login_uri: text(),
  post_logout_redirect_uris: texts(),
  backchannel_logout_uri: text(),
  backchannel_logout_session_required: flag(),
  frontchannel_logout_uri: text(),
  frontchannel_logout_session_required: flag(),
  software_id: text(256),
  software_version: text(256),
  default_resource: text(),
  resource_server: text(),
  pkce: text(),
}

export const ClientSchema = Type.Object({
  id: Type.String({
    readOnly: true,
    pattern: '^[\\x21-\\x7e]{1,255}$',
    description: 'The client_id: made by the server, or chosen by PUT',
  }),
  client_id: Type.String({ readOnly: true, description: 'The same, under the name that OAuth has for it' }),
  client_secret: Type.Optional(
    Type.String({ readOnly: true, description: 'Only in the answer to the request that made it' }),
  ),
  ...metadata,
  disabled: Type.Boolean({ default: false, description: 'A disabled client is refused, and its tokens are dead' }),
  origin: Type.Enum(['manual', 'declared', 'dynamic', 'document'], { readOnly: true }),
  secrets: Type.Array(
    Type.Object({ created_at: time('When it was made'), expires_at: Type.Optional(time('When it ends')) }),
    { readOnly: true, description: 'Its secrets, by their dates' },
  ),
  created_at: time('When it was registered'),
  updated_at: time('When it was last changed'),
})
export type ClientDocument = Type.Static<typeof ClientSchema>

/** What a request writes: a client without what the server keeps. */
export type ClientBody = Omit<
  ClientDocument,
  'id' | 'client_id' | 'client_secret' | 'origin' | 'secrets' | 'created_at' | 'updated_at'
>

const iso = (at: number): string => new Date(at).toISOString()

export function clientDocument(client: Client, secret: Secret | null = null): ClientDocument {
  return {
    id: client.id,
    client_id: client.id,
    ...(secret === null ? {} : { client_secret: secret }),
    ...(metadataDocument(client.metadata) as ClientBody),
    disabled: client.disabledAt !== null,
    origin: client.origin,
    secrets: client.secrets.map(({ createdAt, expiresAt }) => ({
      created_at: iso(createdAt),
      ...(expiresAt === null ? {} : { expires_at: iso(expiresAt) }),
    })),
    created_at: iso(client.createdAt),
    updated_at: iso(client.updatedAt),
  }
}

export const exampleClient: ClientDocument = {
  id: 'web',
  client_id: 'web',
  client_name: 'Web shop',
  redirect_uris: ['https://client.example/cb'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'client_secret_basic',
  scope: 'openid profile offline_access',
  disabled: false,
  origin: 'manual',
  secrets: [{ created_at: '2026-11-15T10:00:00.000Z' }],
  created_at: '2026-11-15T10:00:00.000Z',
  updated_at: '2026-11-15T10:00:00.000Z',
}
