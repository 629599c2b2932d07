/** A real Keycloak as the issuer: an API takes its access tokens by what is declared of them, and none of its other tokens. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'node:test'
import { fetchHandler } from '@grantor/api/fetch'
import { OrdersTable, ordersApi } from '@grantor/demo'
import { createValidator, type IssuerFault, type IssuerOptions } from '@grantor/resource'
import { ensureKeycloak, formToken, startKeycloak } from '../keycloak.ts'
import { temporaryFolder } from '../server.ts'

const missing = ensureKeycloak()
const orders = 'https://orders.example'
const secret = 'a-secret-of-32-or-more-characters-long'

const audience = {
  name: 'orders-audience',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-audience-mapper',
  config: { 'included.custom.audience': orders, 'access.token.claim': 'true', 'introspection.token.claim': 'true' },
}
const client = (clientId: string, more: object = {}) => ({
  clientId,
  secret,
  serviceAccountsEnabled: true,
  directAccessGrantsEnabled: true,
  standardFlowEnabled: false,
  ...more,
})

/** One client for the API, one for another, and somebody whose role is what the API asks for. */
const realm = {
  realm: 'shop',
  enabled: true,
  sslRequired: 'none',
  roles: { realm: [{ name: 'orders:read' }] },
  clients: [client('reader', { protocolMappers: [audience] }), client('stranger'), client('orders')],
  users: [
    {
      username: 'alice',
      enabled: true,
      email: 'alice@example.com',
      firstName: 'Alice',
      lastName: 'Doe',
      credentials: [{ type: 'password', value: 'correct-horse' }],
      realmRoles: ['orders:read'],
    },
    {
      username: 'bob',
      enabled: true,
      email: 'bob@example.com',
      firstName: 'Bob',
      lastName: 'Roe',
      credentials: [{ type: 'password', value: 'correct-horse' }],
    },
  ],
}

test(
  'Keycloak: Orders takes its access tokens by role, and refuses its ID and refresh tokens, other audiences and what was signed out',
  {
    skip: missing ?? false,
  },
  async () => {
    using folder = temporaryFolder()
    await using keycloak = await startKeycloak()
    await keycloak.addRealm(realm)
    const issuer = `${keycloak.origin}/realms/shop`
    const credentials = { clientId: 'orders', clientSecret: secret }
    const declared: IssuerOptions = {
      issuer,
      revocation: 'none',
      types: ['JWT'],
      claims: { scope: ['scope', ['realm_access', 'roles']] },
    }
    await using stack = new AsyncDisposableStack()
    const table = new OrdersTable(`${folder.path}/orders.db`)
    stack.defer(() => table.close())
    const apiWith = (options: IssuerOptions) => {
      const faults: IssuerFault[] = []
      const trouble = { onTrouble: (fault: IssuerFault) => void faults.push(fault) }
      const validator = createValidator({ audience: orders, issuers: [options], ...trouble })
      stack.defer(() => validator.close())
      const served = ordersApi({ audience: orders, issuer, validator, table })
      stack.defer(() => served.close())
      const handle = fetchHandler(served)
      const list = async (token = '') => {
        const headers = { authorization: `Bearer ${token}` }
        const answer = await handle(new Request(`${orders}/v2/orders`, { headers }))
        const { code } = (await answer.json()) as { code?: string }
        return `${answer.status} ${code ?? ''}`.trim()
      }
      return { validator, faults, list }
    }
    const tokensOf = (clientId: string, username: string) =>
      formToken(issuer, {
        grant_type: 'password',
        client_id: clientId,
        client_secret: secret,
        username,
        password: 'correct-horse',
        scope: 'openid',
      })

    const api = apiWith(declared)
    await api.validator.whenReady()
    const alice = await tokensOf('reader', 'alice')
    assert.equal(await api.list(alice['access_token']), '200')
    assert.match(await api.list(alice['id_token']), /^401 /)
    assert.match(await api.list(alice['refresh_token']), /^401 /)
    assert.equal(await api.list((await tokensOf('reader', 'bob'))['access_token']), '401 insufficient_scope')
    assert.equal(await api.list((await tokensOf('stranger', 'alice'))['access_token']), '401 audience_mismatch')

    // RFC 7662: asked about, because nothing else tells of it, a token ends with its session.
    const silent = { isRevoked: () => false, freshness: () => 'stale' as const, age: () => 60_000 }
    const asking = apiWith({ ...declared, revocation: silent, credentials })
    await asking.validator.whenReady()
    const ended = await tokensOf('reader', 'alice')
    const form = { client_id: 'reader', client_secret: secret, refresh_token: ended['refresh_token'] ?? '' }
    const left = await fetch(`${issuer}/protocol/openid-connect/logout`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    assert.equal(left.status, 204)
    const asked = async (token = '') => {
      const verdict = await asking.validator.validate({ authorization: `Bearer ${token}`, onStale: 'introspect' })
      return verdict.kind === 'ok' ? 'ok' : verdict.error.code
    }
    assert.deepEqual([await asked(alice['access_token']), await asked(ended['access_token'])], ['ok', 'token_revoked'])

    // Who leaves the feed on is told that there is none, and nobody is let in.
    const feeding = apiWith({ issuer, types: ['JWT'], credentials })
    assert.match(await feeding.list(alice['access_token']), /^(401|503) /)
    while (feeding.faults.length === 0) await pause(50)
    assert.match(feeding.faults[0]?.message ?? '', /no Grantor has no feed, so declare it with revocation: 'none'/)
  },
)
