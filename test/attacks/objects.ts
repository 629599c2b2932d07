/** What is attacked: the real command with people, clients of every kind and two more tenants, as declared objects. */
import type { Environment } from '../../interop/server.ts'

export const api = 'https://api.example'
export const ledger = 'https://ledger.example'
export const redirectUri = 'https://client.example/cb'
export const withQuery = 'https://client.example/cb?tenant=1'
export const verifier = 'v'.repeat(43)

/** Every secret carries a mark, so that it can be listened for where it must not be. */
export const alice = { username: 'alice', password: 'zz9canary-password-of-alice' }
export const bob = { username: 'bob', password: 'zz9canary-password-of-bob' }

export type Basic = readonly [id: string, secret: string]
export const web: Basic = ['web', 'zz9canary-web-secret-of-32-characters']
export const other: Basic = ['other', 'zz9canary-other-secret-of-32-characters']
export const service: Basic = ['service', 'zz9canary-service-secret-of-32-characters']
export const posting: Basic = ['posting', 'zz9canary-posting-secret-of-32-characters']

const offline = 'openid profile email offline_access invoices:read entries:read'
const onCode = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], scope: offline }
const onOwnBehalf = { grant_types: ['client_credentials'], response_types: [] }

export const objects = {
  resources: [
    { identifier: api, name: 'Invoices', token_format: 'jwt' },
    { identifier: ledger, name: 'Ledger', token_format: 'opaque' },
  ],
  scopes: [
    { name: 'invoices:read', description: 'See your invoices', resource: api },
    { name: 'entries:read', description: 'See your entries', resource: ledger },
  ],
  users: [alice, bob],
  clients: [
    { ...onCode, client_id: web[0], client_secret: web[1], redirect_uris: [redirectUri, withQuery] },
    { ...onCode, client_id: other[0], client_secret: other[1], redirect_uris: ['https://other.example/cb'] },
    { ...onCode, client_id: 'spa', token_endpoint_auth_method: 'none', redirect_uris: [redirectUri] },
    {
      ...onCode,
      client_id: 'native',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      redirect_uris: ['http://127.0.0.1/cb', 'http://[::1]/cb', 'http://localhost/cb', 'com.example.app:/cb'],
    },
    {
      ...onOwnBehalf,
      client_id: service[0],
      client_secret: service[1],
      scope: 'invoices:read entries:read revocations:read metrics:read',
    },
    {
      ...onOwnBehalf,
      client_id: posting[0],
      client_secret: posting[1],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'invoices:read',
      resource_server: api,
    },
  ],
}

/** One person, many questions: the limits have their own test. */
export const unlimited: Environment = {
  GRANTOR_LOG: 'warn',
  GRANTOR_LIMIT_TOKEN: 'off',
  GRANTOR_LIMIT_TOKEN_FAILURES: 'off',
  GRANTOR_LIMIT_AUTHORIZE: 'off',
  GRANTOR_LIMIT_LOGIN_ACCOUNT: 'off',
  GRANTOR_LIMIT_LOGIN_ADDRESS: 'off',
}
