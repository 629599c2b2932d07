/** Admits callers of the server's own resources by access token, audience and scope (RFC 6750 §2.1, RFC 9449 §7.1). */
import type { IncomingMessage } from 'node:http'
import type { Authority } from '@grantor/authority'
import { bearerChallenge, parseAuthorizationHeader, type TokenChallenge } from '@grantor/protocol/http'
import { type Err, err, ok, type Result } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { BearerToken } from '@grantor/resource'
import type { ClientCertificates } from './client-certificate.ts'
import { certificateIn, missingProof, proofIn, refusedProof } from './possession.ts'

/** The answer to a caller who is not admitted. */
export interface BearerError {
  readonly status: 400 | 401 | 429 | 503
  readonly headers: Readonly<Record<string, string>>
}

export interface Admission {
  readonly tenant: TenantId
  readonly scope: string
  readonly audience: string
  /** The issuer's URL where clients are asked for certificates; null where there is none. */
  readonly alias: string | null
  /** True to check a long request again, which proved possession at its start. */
  readonly proven?: boolean
}

interface AdmissionDependencies {
  readonly authority: Authority
  readonly certificates: Pick<ClientCertificates, 'of'>
}

/**
 * Returns the id of the calling client. A refusal writes no event, so that polling with a dead token does not fill the
 * log.
 */
export async function admit(
  request: IncomingMessage,
  needs: Admission,
  deps: AdmissionDependencies,
): Promise<Result<string, BearerError>> {
  const { authority } = deps
  const headers = request.headersDistinct['authorization'] ?? []
  // RFC 6750 §2: it would be a guess which of two tokens is meant.
  if (headers.length > 1) return refused({ error: 'invalid_request' }, 400)
  const presented = tokenIn(headers[0])
  if (presented === null) return refused({})
  const found = await authority.admin.tokens.inspect(needs.tenant, presented.token)
  if (found.kind === 'error' && found.error.reason === 'unavailable') {
    return err({ status: 503, headers: { 'retry-after': '2' } })
  }
  if (found.kind === 'error') return refused({ error: 'invalid_token' })
  const { active, aud, scope, client_id: client } = found.value
  if (active !== true || aud !== needs.audience) return refused({ error: 'invalid_token' })
  const refusal =
    needs.proven === true ? null : await possessionRefusal({ request, presented, needs }, found.value, deps)
  if (refusal !== null) return refusal
  const grantedScopes = typeof scope === 'string' ? scope.split(' ') : []
  return grantedScopes.includes(needs.scope)
    ? ok(typeof client === 'string' ? client : '')
    : refused({ error: 'insufficient_scope', scope: needs.scope })
}

/** RFC 6750 §2.1, RFC 9449 §7.1. */
export function tokenIn(header: string | undefined): BearerToken | null {
  const { scheme, token = null } = parseAuthorizationHeader(header) ?? {}
  return token !== null && (scheme === 'bearer' || scheme === 'dpop') ? { scheme, token } : null
}

interface PresentedBearer {
  readonly request: IncomingMessage
  readonly presented: BearerToken
  readonly needs: Admission
}

async function possessionRefusal(
  { request, presented, needs }: PresentedBearer,
  { cnf, client_id: client }: JsonObject,
  { authority, certificates }: AdmissionDependencies,
): Promise<Err<BearerError> | null> {
  const { method = 'GET', url = '', headersDistinct } = request
  const presentedRequest = {
    method,
    url: new URL(needs.audience).origin + url,
    aliases: needs.alias === null ? [] : [new URL(needs.alias).origin + url],
    certificate: certificateIn(request, certificates),
    ...proofIn(headersDistinct['dpop']),
  }
  const clientId = typeof client === 'string' ? client : ''
  const toProve = { ...presented, tenant: needs.tenant, clientId, request: presentedRequest }
  const missing = await missingProof(cnf, toProve, authority)
  return missing === null ? null : err(refusedProof(missing, realm))
}

const realm = 'grantor'

const refused = (challenge: TokenChallenge, status: 400 | 401 = 401): Err<BearerError> =>
  err({ status, headers: { 'www-authenticate': bearerChallenge({ realm, ...challenge }) } })
