/** Validates an API key at the SCIM service: directories use one bearer credential for years. */
import type { Authority } from '@grantor/authority'
import { tokenShape } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, TenantId } from '@grantor/protocol/types'
import { type PresentedCredentials, readBearerToken, rejection, type Verdict } from '@grantor/resource'
import { defaultTenant } from '../issuer.ts'

interface AskedAt {
  readonly tenant: TenantId
  readonly issuer: string
  /** The IP address of the client. */
  readonly ip: string | null
}

/** The last moment that a Date can represent. */
const never = 8_640_000_000_000_000 as Instant

/** Null where no API key was presented. Wrong, foreign and revoked keys are refused alike. */
export async function keyVerdict(
  presented: PresentedCredentials,
  { tenant, issuer, ip }: AskedAt,
  { scim }: Pick<Authority, 'scim'>,
): Promise<Verdict | null> {
  const bearer = readBearerToken(presented)
  if (bearer.kind === 'error' || tokenShape(bearer.value.token) !== 'api_key') return null
  const { scheme, token: key } = bearer.value
  const claims = scheme === 'bearer' ? await scim.keyHolder({ tenant, key, address: ip ?? '' }) : null
  if (claims === null) return err(rejection('invalid_token'))
  const text = (name: string): string => (typeof claims[name] === 'string' ? claims[name] : '')
  return ok({
    credential: 'api_key',
    issuer,
    tenant: tenant === defaultTenant ? null : tenant,
    subject: text('sub'),
    clientId: text('client_id'),
    scope: new Set(text('scope').split(' ').filter(Boolean)),
    authorizationDetails: [],
    jti: text('jti'),
    grantId: null,
    claims,
    expiresAt: never,
  })
}
