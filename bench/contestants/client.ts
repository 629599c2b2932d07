/** The one client that every contestant knows, and the request that all of them answer. */
import { formRequest } from '../load.ts'

export const clientId = 'bench'
export const clientSecret = 'bench-secret-of-32-or-more-characters'
export const audience = 'https://api.bench.example'
export const scope = 'bench:read'

export const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'

export const tokenRequest = (path = '/token', resource?: string): Buffer =>
  formRequest({
    path,
    basic: [clientId, clientSecret],
    form: { grant_type: 'client_credentials', scope, ...(resource === undefined ? {} : { resource }) },
  })
