/** The client of our own command line, `grantor login`: there from the first start, so that it works without set-up. */
import type { AdminError, Authority } from '@grantor/authority'
import { deviceGrant } from '@grantor/protocol/grants'
import { adminScopes } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import { type Store, StoreUnavailable } from '@grantor/store'
import { defaultTenant } from './issuer.ts'

const commandLineClient = 'grantor-cli'

/** What every deployment has from the start and could not be made: by an outage, or else by a defect. */
export const notMade = (what: string, { reason }: AdminError): Error =>
  reason === 'unavailable'
    ? new StoreUnavailable(`${what} could not be written; is its disk full?`)
    : new Error(`${what} could not be made: ${reason}`)

/**
 * It may learn who somebody is, stay signed in, and administer for those who are administrators: to anybody else those
 * scopes are not given. What more it may ask for is an operator's to say.
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

/** Made where there is none: one that was changed or switched off stays as it is. */
export async function ensureCommandLineClient(store: Store, authority: Authority): Promise<void> {
  if ((await store.clients.find(defaultTenant, commandLineClient)) !== null) return
  const input = { id: commandLineClient, metadata }
  const made = await authority.admin.clients.create({ kind: 'system', id: null }, defaultTenant, input)
  // Another process of the same start may have been first; one that cannot be read is named in the log; and where the
  // profile of the tenant has no public clients, there is none.
  if (made.kind === 'error' && !['exists', 'unreadable', 'invalid'].includes(made.error.reason))
    throw notMade('the client of the command line', made.error)
}
