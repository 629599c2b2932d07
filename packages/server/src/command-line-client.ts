/** The client of the command line, `grantor login`: created at the first start, so that it works without set-up. */
import type { AdminError, Authority } from '@grantor/authority'
import { deviceGrant } from '@grantor/protocol/grants'
import { adminScopes } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import { type Store, StoreUnavailable } from '@grantor/store'
import { defaultTenant } from './issuer.ts'

const commandLineClient = 'grantor-cli'

/** The error when an object that every deployment has could not be created: an outage, or else a defect. */
export const notMade = (what: string, { reason }: AdminError): Error =>
  reason === 'unavailable'
    ? new StoreUnavailable(`${what} could not be written; is its disk full?`)
    : new Error(`${what} could not be made: ${reason}`)

/**
 * The client may identify people, stay signed in, and administer on behalf of administrators; other people are not
 * granted those scopes. An operator may allow it further scopes.
 */
const metadata: JsonObject = {
  client_name: 'Grantor command line',
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: [deviceGrant, 'refresh_token'],
  response_types: [],
  redirect_uris: [],
  scope: ['openid profile email offline_access', ...adminScopes].join(' '),
}

/** Creates the client if it does not exist: one that was changed or disabled is left unchanged. */
export async function ensureCommandLineClient(store: Store, authority: Authority): Promise<void> {
  if ((await store.clients.find(defaultTenant, commandLineClient)) !== null) return
  const input = { id: commandLineClient, metadata }
  const made = await authority.admin.clients.create({ kind: 'system', id: null }, defaultTenant, input)
  // Not errors: another process created it first; the client exists but cannot be read, which the log tells; or the
  // tenant's profile does not allow public clients.
  if (made.kind === 'error' && !['exists', 'unreadable', 'invalid'].includes(made.error.reason))
    throw notMade('the client of the command line', made.error)
}
