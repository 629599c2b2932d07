/** /v1/providers: identity providers that people of a tenant may sign in with. Secrets are written, but never shown. */
import { collection, type Collection, type Handlers, type StoredResource } from '@grantor/api'
import type { Authority, ShownProvider } from '@grantor/authority'
import { knownAlgorithms } from '@grantor/protocol/jose'
import { longestPem, longestProviderSecret, providerFields, providerKinds } from '@grantor/protocol/providers'
import { Type } from 'typebox'
import { catalogueHandlers } from '../catalogue/handlers.ts'
import { idFrom, isoIf, tenantOf, time } from '../fields.ts'
import { shownVersion } from '../shown-version.ts'
import { withGroupRights } from './group-rights.ts'

type ListField = 'scopes' | 'domains' | 'hosts'

const texts = (field: ListField, description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { maxItems: limitOf(field), description }))

const limitOf = (field: ListField): number => Number(providerFields[field].schema['maxItems'])

const text = (description: string, maxLength: number) => Type.String({ minLength: 1, maxLength, description })

const ProviderSchema = Type.Object({
  id: Type.String({
    readOnly: true,
    maxLength: 40,
    description:
      'Part of the address that it sends people back to; PUT chooses it, POST makes it of the kind or the name',
  }),
  kind: Type.Enum([...providerKinds], {
    description:
      'Which preset; oidc for any other issuer, saml for SAML 2.0, ldap or active_directory for a directory that keeps passwords',
  }),
  name: Type.Optional(text('What people read on its button; left out, the name of the preset', 200)),
  issuer: Type.Optional(
    text('Its issuer, letter by letter; left out, that of the preset. Of a directory it follows from base_dn', 2048),
  ),
  client_id: text(
    'What we are called there; of SAML our entity id, of a directory the name of the account that searches (DN)',
    512,
  ),
  client_secret: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: longestProviderSecret,
      writeOnly: true,
      description:
        'Kept sealed and never shown; left out of a change, it stays. Of Apple: the private key in PEM; of a directory: the password',
    }),
  ),
  has_secret: Type.Boolean({ readOnly: true, description: 'Whether one is kept' }),
  scopes: texts('scopes', 'What is asked for there; left out, those of the preset'),
  domains: texts('domains', 'Whoever types an address of these is sent there'),
  claims: Type.Optional(
    Type.Record(Type.String({ maxLength: 40 }), Type.String({ minLength: 1, maxLength: 200 }), {
      description: 'Our claim and its claim, beside what the preset says; username, too',
    }),
  ),
  create: Type.Optional(Type.Boolean({ description: 'Makes an account for whoever has none' })),
  trust_email: Type.Optional(Type.Boolean({ description: 'An address that it calls verified links accounts' })),
  trust_amr: Type.Optional(Type.Boolean({ description: 'What it says of second factors is believed' })),
  disabled: Type.Optional(Type.Boolean({ description: 'Nobody signs in by it' })),
  id_token_signed_response_alg: Type.Optional(
    Type.Enum([...knownAlgorithms], {
      description:
        'What it signs ID tokens and logout tokens with for us, as registered there; left out, what its discovery document lists',
    }),
  ),
  signals_url: Type.Optional(
    text('Where it is asked for security events (RFC 8936); without it, it pushes them (RFC 8935)', 2048),
  ),
  signals_scope: Type.Optional(
    text('Asked for there with our client credentials, where no signals_authorization is kept', 4096),
  ),
  signals_authorization: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      writeOnly: true,
      description: 'The Authorization header of these questions. Kept sealed; stays unless signals_url changes',
    }),
  ),
  has_signals_authorization: Type.Optional(Type.Boolean({ readOnly: true, description: 'Whether one is kept' })),
  signals_asked_at: Type.Optional(time('When it was last asked for security events')),
  signals_received_at: Type.Optional(time('When one last came that was good')),
  signals_failing_since: Type.Optional(time('Since when asking fails')),
  signals_error: Type.Optional(
    Type.String({ readOnly: true, description: 'Why asking fails, or the check that a token last failed' }),
  ),
  team_id: Type.Optional(text('Of Apple', 40)),
  key_id: Type.Optional(text('Of Apple', 40)),
  hosts: texts('hosts', 'Of a directory: ldaps://host, or ldap://host for StartTLS; tried in this order'),
  ca: Type.Optional(text('Of a directory: who signs its certificates (PEM), and nobody else', longestPem)),
  base_dn: Type.Optional(text('Of a directory: below which people are looked for', 512)),
  filter: Type.Optional(text('Of a directory: whom {username} means (RFC 4515)', 1000)),
  subject_attribute: Type.Optional(text('Of a directory or SAML: the attribute that is never another person’s', 1024)),
  sso_url: Type.Optional(text('Of SAML: where people are sent with a request', 2048)),
  certificates: Type.Optional(text('Of SAML: whose signatures count (PEM)', longestPem)),
  groups: Type.Optional(
    Type.Record(Type.String({ maxLength: 512 }), Type.String({ minLength: 1, maxLength: 512 }), {
      description: 'Of a directory: its groups (DN), and the names of ours that their members are in',
    }),
  ),
})
type ProviderDocument = Type.Static<typeof ProviderSchema>

/** Members set by the server, not by the caller. */
type ReadOnlyField =
  | 'has_secret'
  | 'has_signals_authorization'
  | `signals_${'asked_at' | 'received_at' | 'failing_since' | 'error'}`
type ProviderBody = Omit<ProviderDocument, 'id' | ReadOnlyField>

export function providers({ admin }: Authority): Collection {
  return collection<typeof ProviderSchema, ProviderBody>({
    name: 'providers',
    description: 'Other identity providers that people may sign in by',
    schema: ProviderSchema,
    example: exampleProvider,
    scopes: { read: 'admin:providers:read', write: 'admin:providers:write' },
    handlers: withGroupRights(
      withId(
        catalogueHandlers({
          acts: admin.providers,
          key: 'id',
          entryOf: ({ value, version }, context): StoredResource<ProviderDocument> => ({
            tenant: tenantOf(context),
            version: shownVersion(version, healthOf(value)),
            value: documentOf(value),
          }),
        }),
      ),
      admin,
    ),
  })
}

/** Adds the id, which is in the URL, to the body, because it is stored with the provider. */
const withId = (
  acts: Handlers<ProviderDocument, ProviderBody & { readonly id: string }>,
): Handlers<ProviderDocument, ProviderBody> => ({
  ...acts,
  create: async (body, context) => acts.create?.({ ...body, id: idFor(body) }, context) as never,
  insert: async (id, body, context) => acts.insert?.(id, { ...body, id }, context) as never,
  update: async (id, { body, ...at }, context) => acts.update?.(id, { ...at, body: { ...body, id } }, context) as never,
})

/** `Example Corp` becomes example-corp; a preset gets the id of its kind. */
const idFor = ({ kind, name }: ProviderBody): string => (isNamed(kind) ? idFrom(name ?? '') : kind)

const isNamed = (kind: ProviderBody['kind']): boolean =>
  kind === 'oidc' || kind === 'saml' || kind === 'ldap' || kind === 'active_directory'

const documentOf = ({ scopes, domains, claims, hosts, groups, polled, ...it }: ShownProvider): ProviderDocument => ({
  ...it,
  ...isoIf('signals_asked_at', polled?.askedAt ?? null),
  ...isoIf('signals_received_at', polled?.receivedAt ?? null),
  ...isoIf('signals_failing_since', polled?.failingSince ?? null),
  ...(polled?.error == null ? {} : { signals_error: polled.error }),
  ...(scopes === undefined ? {} : { scopes: [...scopes] }),
  ...(domains === undefined ? {} : { domains: [...domains] }),
  ...(claims === undefined ? {} : { claims: { ...claims } }),
  ...(hosts === undefined ? {} : { hosts: [...hosts] }),
  ...(groups === undefined ? {} : { groups: { ...groups } }),
})

/**
 * The health members that are part of the ETag; not `signals_asked_at`, which changes every minute (shown-version.ts).
 */
const healthOf = ({ polled }: ShownProvider) => ({
  failing: polled?.failingSince ?? undefined,
  error: polled?.error ?? undefined,
})

const exampleProvider: ProviderDocument = {
  id: 'google',
  kind: 'google',
  name: 'Google',
  issuer: 'https://accounts.google.com',
  client_id: '1234.apps.googleusercontent.com',
  has_secret: true,
  domains: ['example.com'],
  create: true,
  trust_email: true,
}
