/** The validator of our own APIs, in the authority's process, so that a revoked token is refused at the next call. */
import type { Authority } from '@grantor/authority'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import {
  type Caller,
  type PresentedCredentials,
  readBearerToken,
  type Rejection,
  rejection,
  type Validator,
  type Verdict,
} from '@grantor/resource'
import { missingProof } from '../http/possession.ts'
import { defaultTenant } from '../issuer.ts'

export interface ApiIssuer {
  readonly tenant: TenantId
  readonly issuer: string
}

export function inProcessValidator(authority: Authority, home: ApiIssuer): Validator {
  return {
    validate: (presented) => validate(presented, authority, home),
    // Writes no event, so that polling with a dead token does not fill the log.
    record: () => {},
    ready: () => true,
    whenReady: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}

async function validate(presented: PresentedCredentials, authority: Authority, home: ApiIssuer): Promise<Verdict> {
  const bearer = readBearerToken(presented)
  if (bearer.kind === 'error') return bearer
  const found = await authority.admin.tokens.inspect(home.tenant, bearer.value.token)
  if (found.kind === 'error' && found.error.reason === 'unavailable') {
    return err({ code: 'introspection_unavailable', status: 503, retryAfter: 2 })
  }
  if (found.kind === 'error') return err(rejection('invalid_token'))
  const claims = found.value
  const refused = refusalOf(claims, home.issuer)
  if (refused !== null) return err(refused)
  const { tenant } = home
  // Without a request, as in an example on a page, no possession can be proven.
  const request = presented.request ?? { method: '', url: '' }
  const caller = callerOf(claims, expiryOf(claims), home)
  const own = { ...bearer.value, tenant, clientId: caller.clientId, request }
  const missing = await missingProof(claims['cnf'], own, authority)
  return missing === null ? ok(caller) : err(missing)
}

const expiryOf = ({ exp }: JsonObject): Instant => (typeof exp === 'number' ? exp * 1000 : 0) as Instant

/** Why an API would refuse an inspected token, whoever presents it; null where it would accept it. */
export function refusalOf(claims: JsonObject, audience: string): Rejection | null {
  const { active, revoked_at: revokedAt, aud } = claims
  if (active !== true)
    return typeof revokedAt === 'number'
      ? rejection('token_revoked')
      : { code: 'token_expired', status: 401, expiredAt: expiryOf(claims) }
  return aud === audience ? null : rejection('audience_mismatch')
}

function callerOf(claims: JsonObject, expiresAt: Instant, { tenant, issuer }: ApiIssuer): Caller {
  const text = (name: string): string => (typeof claims[name] === 'string' ? claims[name] : '')
  return {
    // The issuer's own APIs accept no API keys.
    credential: 'access_token',
    issuer,
    tenant: tenant === defaultTenant ? null : tenant,
    subject: text('sub'),
    clientId: text('client_id'),
    scope: new Set(text('scope').split(' ').filter(Boolean)),
    // The issuer's own APIs have no types of authorization details.
    authorizationDetails: [],
    jti: text('jti'),
    grantId: text('grant_id') === '' ? null : text('grant_id'),
    claims,
    expiresAt,
  }
}
