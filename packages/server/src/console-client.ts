/** The client of the console, at {issuer}/console: every tenant has one as soon as its console is opened. */
import type { AdminResult, Authority } from '@grantor/authority'
import { builtInScopes } from '@grantor/protocol/oauth'
import { type Client, consoleClient, metadataDocument } from '@grantor/protocol/registration'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { defaultTenant, type Issuer } from './issuer.ts'

/** All administrative scopes: which of them a person gets is decided at sign-in. */
const scope = ['openid', 'profile', 'email', ...builtInScopes.map(({ name }) => name).filter(isAdministrative)].join(
  ' ',
)

function isAdministrative(name: string): boolean {
  return name.startsWith('admin:') || name === 'metrics:read'
}

const metadataAt = (issuer: string): JsonObject => ({
  client_name: 'Grantor console',
  application_type: 'web',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: [`${issuer}/console/callback`],
  post_logout_redirect_uris: [`${issuer}/console`],
  initiate_login_uri: `${issuer}/console`,
  dpop_bound_access_tokens: true,
  first_party: true,
  scope,
})

export interface ConsoleClients {
  /**
   * Creates or updates the client, as its addresses depend on the issuer and its scopes on the version. Once per
   * process and tenant.
   */
  ensure(tenant?: TenantId): Promise<void>
}

export function openConsoleClients({
  authority,
  issuer,
}: {
  readonly authority: Pick<Authority, 'admin'>
  readonly issuer: Pick<Issuer, 'of'>
}): ConsoleClients {
  const ensured = new Set<TenantId>()
  return {
    async ensure(tenant = defaultTenant) {
      if (ensured.has(tenant)) return
      const done = await ensureClient(tenant, metadataAt(issuer.of(tenant)), authority.admin.clients)
      // `exists`: another process created it first. Other errors are retried later: the client cannot be read, which
      // the
      // log tells, or the tenant's profile does not allow public clients, so that there is no console.
      if (done.kind === 'ok' || done.error.reason === 'exists') ensured.add(tenant)
    },
  }
}

/** The metadata is always ours; whether the client is disabled is up to the operator. */
async function ensureClient(
  tenant: TenantId,
  metadata: JsonObject,
  clients: Authority['admin']['clients'],
): Promise<AdminResult<unknown>> {
  const system = { kind: 'system', id: null } as const
  const held = await clients.find(tenant, consoleClient)
  if (held.kind === 'error')
    return held.error.reason === 'absent' ? clients.create(system, tenant, { id: consoleClient, metadata }) : held
  if (says(held.value, metadata)) return held
  const { id, version, disabledAt } = held.value
  return clients.replace(system, tenant, { id, version, metadata, disabled: disabledAt !== null })
}

const says = (client: Client, metadata: JsonObject): boolean => {
  const held = metadataDocument(client.metadata)
  const names = Object.keys({ ...held, ...metadata })
  return names.every((name) => JSON.stringify(held[name]) === JSON.stringify(metadata[name]))
}
