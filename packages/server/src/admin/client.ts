/** A client as the admin API shows it: metadata (RFC 7591, OpenID Connect) and the server's own members. */
import {
  type Client,
  type ClientFieldName,
  clientFieldNames,
  clientFieldSchema,
  clientKind,
  clientKinds,
  type ClientMetadata,
  metadataDocument,
} from '@grantor/protocol/registration'
import type { Secret } from '@grantor/protocol/types'
import { type TOptional, type TUnsafe, Type } from 'typebox'
import { iso, isoIf, time } from './fields.ts'

/**
 * The fields of client metadata, with loose schemas: values are checked by the table, as for files and registration.
 */
const metadata = Object.fromEntries(
  clientFieldNames.map((name) => [name, Type.Optional(Type.Unsafe(clientFieldSchema(name)))]),
) as { readonly [F in ClientFieldName]: TOptional<TUnsafe<NonNullable<ClientMetadata[F]>>> }

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
  kind: Type.Enum([...clientKinds], {
    readOnly: true,
    description: 'What it is for, as its metadata tell: an MCP server is a machine that hears of revocations',
  }),
  origin: Type.Enum(['manual', 'declared', 'dynamic', 'document'], { readOnly: true }),
  secrets: Type.Array(
    Type.Object({ created_at: time('When it was made'), expires_at: Type.Optional(time('When it ends')) }),
    { readOnly: true, description: 'Its secrets, by their dates' },
  ),
  created_at: time('When it was registered'),
  updated_at: time('When it was last changed'),
  last_used_at: Type.Optional(time('When it was last given a token, to about a minute')),
})
export type ClientDocument = Type.Static<typeof ClientSchema>

/** The body of a request: a client without the server's own members. */
export type ClientBody = Pick<ClientDocument, ClientFieldName | 'disabled'>

export function clientDocument(client: Client, secret: Secret | null = null): ClientDocument {
  return {
    id: client.id,
    client_id: client.id,
    ...(secret === null ? {} : { client_secret: secret }),
    ...(metadataDocument(client.metadata) as ClientBody),
    disabled: client.disabledAt !== null,
    kind: clientKind(client.metadata),
    origin: client.origin,
    secrets: client.secrets.map(({ createdAt, expiresAt }) => ({
      created_at: iso(createdAt),
      ...(expiresAt === null ? {} : { expires_at: iso(expiresAt) }),
    })),
    created_at: iso(client.createdAt),
    updated_at: iso(client.updatedAt),
    ...isoIf('last_used_at', client.lastUsedAt ?? null),
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
  kind: 'web',
  origin: 'manual',
  secrets: [{ created_at: '2026-11-15T10:00:00.000Z' }],
  created_at: '2026-11-15T10:00:00.000Z',
  updated_at: '2026-11-15T10:00:00.000Z',
}
