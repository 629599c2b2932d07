/** Checks that a caller of the server's own resources possesses what its token is bound to, and answers if not. */
import type { IncomingMessage } from 'node:http'
import type { Authority } from '@grantor/authority'
import { dpopChallenge } from '@grantor/protocol/http'
import { isJsonObject, type Json, type TenantId } from '@grantor/protocol/types'
import {
  acceptableAlgs,
  type BearerToken,
  checkPossession,
  type PresentedRequest,
  type Rejection,
  rejectionKinds,
  shownCertificate,
} from '@grantor/resource'
import type { ClientCertificates } from './client-certificate.ts'

export interface OwnResourceRequest extends BearerToken {
  readonly tenant: TenantId
  readonly clientId: string
  readonly request: PresentedRequest
}

/** Null where everything in `cnf` is proven. A proof is used up for all nodes. */
export async function missingProof(
  cnf: Json | undefined,
  { tenant, clientId, request, scheme, token }: OwnResourceRequest,
  { proofs }: Pick<Authority, 'proofs'>,
): Promise<Rejection | null> {
  const confirmation = cnf === undefined ? null : isJsonObject(cnf) ? cnf : {}
  return checkPossession(
    confirmation,
    { presented: { authorization: undefined, request }, scheme, token },
    {
      time: proofs,
      algs: await proofs.algs(tenant, clientId),
      nonces: proofs.nonces(tenant),
      replays: { use: (id, until) => proofs.use(tenant, id, until) },
    },
  )
}

export interface RefusedProof {
  readonly status: Rejection['status']
  readonly error: string | null
  readonly headers: Readonly<Record<string, string>>
}

/** RFC 9449 §7.1, §9: the challenge, and the nonce for the next proof. */
export function refusedProof(refused: Rejection, realm: string): RefusedProof {
  const { error, description } = rejectionKinds[refused.code]
  if (refused.status === 503 || refused.status === 429)
    return { status: refused.status, error: null, headers: { 'retry-after': String(refused.retryAfter) } }
  const challenge = dpopChallenge({
    realm,
    ...(error === null ? {} : { error, error_description: description }),
    algs: acceptableAlgs(refused),
  })
  const nonce: Readonly<Record<string, string>> =
    refused.code === 'proof_nonce_required' ? { 'dpop-nonce': refused.nonce } : {}
  return { status: refused.status, error, headers: { 'www-authenticate': challenge, ...nonce } }
}

/** RFC 9449 §4.3: not more than one proof; two that are joined do not parse. */
export const proofIn = (lines: readonly string[] | undefined): { readonly proof?: string } =>
  lines === undefined ? {} : { proof: lines.join(', ') }

/** Called only where a token is bound to a certificate. */
export const certificateIn =
  (
    request: IncomingMessage,
    certificates: Pick<ClientCertificates, 'of'>,
  ): NonNullable<PresentedRequest['certificate']> =>
  () => {
    const shown = certificates.of(request)
    if (shown.kind === 'error') return 'unreadable'
    const { clientCertificate: der } = shown.value
    return der === null ? null : shownCertificate(der)
  }
