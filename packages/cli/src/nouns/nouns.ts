/** The list of nouns of the admin API. Adding one means a few lines here; what it can be told is in docs/admin-api.md. */
import { type Noun, type NounVerb, textFilter } from './noun.ts'

const subject = textFilter('subject', 'only those of this person', 'id')
const client = textFilter('client_id', 'only those of this client', 'id')

const reading = (many: string, one: string): readonly NounVerb[] => [
  { kind: 'list', description: `list ${many}` },
  { kind: 'show', description: `show all there is to know of ${one}` },
]

export const nouns: readonly Noun[] = [
  {
    name: 'client',
    collection: 'clients',
    description: 'the applications that ask for tokens',
    creating: {
      flags: {
        '--client-name': 'client_name',
        '--grant-type': 'grant_types',
        '--redirect-uri': 'redirect_uris',
        '--scope': 'scope',
        '--token-endpoint-auth-method': 'token_endpoint_auth_method',
        '--resource-server': 'resource_server',
        '--default-resource': 'default_resource',
      },
      only: ['--secret-file'],
    },
    columns: ['client_id', 'client_name', 'grant_types', 'token_endpoint_auth_method', 'scope', 'disabled'],
    filters: [],
    verbs: [
      ...reading('the clients of a tenant', 'one client'),
      { kind: 'create', description: 'register a client; its secret is shown once' },
      { kind: 'update', description: 'change some of its metadata' },
      { kind: 'remove', word: 'delete', description: 'delete a client; its tokens are dead at once' },
      {
        kind: 'action',
        word: 'rotate-secret',
        action: 'rotate-secret',
        on: 'item',
        description: 'give a client another secret; the old ones live on for a while',
        fields: [textFilter('overlap', 'seconds that the old secrets live on', 'seconds')],
        asks: false,
      },
    ],
  },
  {
    name: 'user',
    collection: 'users',
    description: 'the people who sign in',
    creating: {
      argument: 'username',
      flags: { '--name': 'name', '--email': 'email', '--administrator': 'administrator' },
      only: ['--password-file'],
    },
    columns: ['username', 'name', 'email', 'administrator', 'disabled', 'id'],
    knownBy: 'username',
    filters: [
      textFilter('username', 'only the one of this name', 'name'),
      textFilter('email', 'only those with this address', 'address'),
      {
        flag: '--username-prefix',
        parameter: 'username[prefix]',
        description: 'only those whose name begins so',
        placeholder: 'text',
      },
    ],
    verbs: [
      ...reading('the people of a tenant', 'one person'),
      { kind: 'create', description: 'make an account for a person' },
      { kind: 'update', description: 'change what is known of a person, or disable them' },
      { kind: 'remove', word: 'delete', description: 'delete an account with everything that hangs on it' },
      {
        kind: 'action',
        word: 'reset-factors',
        action: 'reset-factors',
        on: 'item',
        description: 'forget passkeys, authenticator app, recovery codes and remembered browsers',
        fields: [],
        asks: true,
      },
    ],
  },
  {
    name: 'session',
    collection: 'sessions',
    description: 'the browsers that people are signed in with',
    columns: ['id', 'subject', 'acr', 'ip', 'user_agent', 'last_seen_at', 'expires_at'],
    filters: [subject],
    verbs: [
      ...reading('who is signed in where, the newest first', 'one session'),
      { kind: 'remove', word: 'revoke', description: 'sign somebody out of a browser' },
    ],
  },
  {
    name: 'grant',
    collection: 'grants',
    description: 'what people allowed apps to do, as long as it stands',
    columns: ['id', 'subject', 'client_id', 'scope', 'last_used_at', 'expires_at'],
    filters: [subject, client],
    verbs: [
      ...reading('grants, the newest first', 'one grant'),
      { kind: 'remove', word: 'revoke', description: 'end a grant with everything that was issued on it' },
      {
        kind: 'action',
        word: 'revoke-all',
        action: 'revoke',
        on: 'collection',
        description: 'end all grants of a person, of a client, or of a person to a client',
        fields: [textFilter('subject', 'the person', 'id'), textFilter('client_id', 'the client', 'id')],
        asks: true,
      },
    ],
  },
  {
    name: 'consent',
    collection: 'consents',
    description: 'what people agreed to: a record that is never edited',
    columns: ['id', 'subject', 'client_id', 'scope', 'how', 'granted_at', 'revoked_at'],
    filters: [subject, client],
    verbs: [
      ...reading('what people agreed to, the newest first', 'one agreement'),
      { kind: 'remove', word: 'revoke', description: 'withdraw all that stands between that person and that client' },
    ],
  },
  {
    name: 'api-key',
    collection: 'api-keys',
    description: 'the keys that clients carry to APIs instead of tokens',
    creating: {
      flags: {
        '--client': 'client_id',
        '--resource': 'resource',
        '--name': 'name',
        '--scope': 'scope',
        '--address': 'addresses',
      },
      only: ['--expires'],
    },
    columns: ['id', 'name', 'client_id', 'resource', 'scope', 'expires_at', 'last_used_at'],
    filters: [client, textFilter('resource', 'only those of this API', 'identifier')],
    verbs: [
      ...reading('the keys that clients carry to APIs, without what opens with them', 'one key but the key itself'),
      { kind: 'create', description: 'make a key that a client carries to one API; it is shown once' },
      { kind: 'remove', word: 'revoke', description: 'revoke a key; APIs refuse it at once' },
    ],
  },
  {
    name: 'tenant',
    collection: 'tenants',
    description: 'the tenants of this deployment',
    columns: ['id', 'name', 'issuer', 'disabled', 'profile'],
    filters: [],
    verbs: reading('the tenants of this deployment', 'one tenant'),
  },
  {
    name: 'event',
    collection: 'events',
    description: 'what happened, in order; sealed, never edited',
    columns: ['seq', 'at', 'name', 'actor', 'subject', 'client_id', 'id'],
    filters: [
      textFilter('name', 'only those of this name', 'name'),
      subject,
      client,
      textFilter('grant_id', 'only those of this grant', 'id'),
      textFilter('jti', 'only those of this token', 'id'),
      { flag: '--since', parameter: 'at[gte]', description: 'from this time on (RFC 3339)', placeholder: 'time' },
      { flag: '--until', parameter: 'at[lt]', description: 'before this time (RFC 3339)', placeholder: 'time' },
    ],
    verbs: reading('events, the newest first', 'one event'),
  },
]
