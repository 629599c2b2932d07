/** Admits a caller of the server's own resources by access token: RFC 6750 §2.1, RFC 9449 §7.1, audience the issuer, one scope. */
import type { IncomingMessage } from 'node:http'
import type { Authority } from '@grantor/authority'
import { bearerChallenge, parseAuthorizationHeader, type TokenChallenge } from '@grantor/protocol/http'
import { type Err, err, ok, type Result } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { BearerToken } from '@grantor/resource'
import type { ClientCertificates } from './client-certificate.ts'
import { certificateIn, missingProof, proofIn, refusedProof } from './possession.ts'

/** What is answered to a caller who is not admitted. */
export interface BearerError {
  readonly status: 400 | 401 | 429 | 503
  readonly headers: Readonly<Record<string, string>>
}

export interface Admission {
  readonly tenant: TenantId
  readonly scope: string
  readonly audience: string
  /** The issuer where clients are asked for certificates; null where they are not. */
  readonly alias: string | null
  /** Looked at again while the same request goes on: what it proved at first it need not prove twice. */
  readonly proven?: boolean
}

interface AdmissionDependencies {
  readonly authority: Authority
  readonly certificates: Pick<ClientCertificates, 'of'>
}

/** The client that calls. No event is written: whoever polls with a dead token must not fill the log. */
export async function admit(
  request: IncomingMessage,
  needs: Admission,
  deps: AdmissionDependencies,
): Promise<Result<string, BearerError>> {
  const { authority } = deps
  const shown = request.headersDistinct['authorization'] ?? []
  // Which of two tokens is meant is not ours to guess (RFC 6750 §2).
  if (shown.length > 1) return refused({ error: 'invalid_request' }, 400)
  const presented = tokenIn(shown[0])
  if (presented === null) return refused({})
  const found = await authority.admin.tokens.inspect(needs.tenant, presented.token)
  if (found.kind === 'error' && found.error.reason === 'unavailable') {
    return err({ status: 503, headers: { 'retry-after': '2' } })
  }
  if (found.kind === 'error') return refused({ error: 'invalid_token' })
  const { active, aud, scope, client_id: client } = found.value
  if (active !== true || aud !== needs.audience) return refused({ error: 'invalid_token' })
  const unproven = needs.proven === true ? null : await unprovenBy({ request, presented, needs }, found.value, deps)
  if (unproven !== null) return unproven
  const held = typeof scope === 'string' ? scope.split(' ') : []
  return held.includes(needs.scope)
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

async function unprovenBy(
  { request, presented, needs }: PresentedBearer,
  { cnf, client_id: client }: JsonObject,
  { authority, certificates }: AdmissionDependencies,
): Promise<Err<BearerError> | null> {
  const { method = 'GET', url = '', headersDistinct } = request
  const made = {
    method,
    url: new URL(needs.audience).origin + url,
    aliases: needs.alias === null ? [] : [new URL(needs.alias).origin + url],
    certificate: certificateIn(request, certificates),
    ...proofIn(headersDistinct['dpop']),
  }
  const clientId = typeof client === 'string' ? client : ''
  const own = { ...presented, tenant: needs.tenant, clientId, request: made }
  const missing = await missingProof(cnf, own, authority)
  return missing === null ? null : err(refusedProof(missing, realm))
}

const realm = 'grantor'

const refused = (challenge: TokenChallenge, status: 400 | 401 = 401): Err<BearerError> =>
  err({ status, headers: { 'www-authenticate': bearerChallenge({ realm, ...challenge }) } })
