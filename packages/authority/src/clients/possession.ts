/**
 * What a request proves to possess before its tokens are bound to it: a key, by its DPoP proof (RFC 9449 §4.3, §5, §8),
 * and a certificate, by the TLS handshake of its connection (RFC 8705 §3).
 */
import { type EndpointName, endpointUrl } from '@grantor/protocol/documents'
import { checkProof, type DpopNonces, openNonces, proofAlgorithms, type ProvenKey } from '@grantor/protocol/dpop'
import { validityProblem } from '@grantor/protocol/mtls'
import { noPossession, type Policy, type Possession, type Refusal, tokenBinding } from '@grantor/protocol/oauth'
import { type Client, profileOf } from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import type { Store, UsedProof } from '@grantor/store'
import type { EndpointRequest } from '../endpoint.ts'
import type { RefusalRecorder } from '../events.ts'
import type { Clock, Ids, Issuers } from '../ports/environment.ts'
import { certificateFacts } from './shown-certificate.ts'

export interface ProvenPossession {
  readonly possession: Possession
  /** The proof, to be used up in the commit of the request; null where none came. */
  readonly proof: UsedProof | null
  /** The nonce for the client's next proof; absent where none is required. */
  readonly dpopNonce?: string
}

export interface PossessionDependencies {
  readonly clock: Pick<Clock, 'now'>
  readonly ids: Pick<Ids, 'handleOf'>
  readonly issuers: Issuers
  readonly policy: Policy
  readonly refusedRequests: RefusalRecorder
  readonly store: Pick<Store, 'keys'>
}

export interface ProvePossession {
  /**
   * Called when the client is known. Changes nothing, and gives the same answer for the same client, however often it
   * is called.
   */
  (client: Client): Result<ProvenPossession, Refusal>
  /** Called when the proof was used up in another commit of the request: from then on there is none to use up. */
  proofUsed(): void
}

const nothing = ok<ProvenPossession>({ possession: noPossession, proof: null })

export function possessionOf(
  request: EndpointRequest,
  endpoint: EndpointName,
  deps: PossessionDependencies,
): ProvePossession {
  const { tenant, proof, clientCertificate: der } = request
  let byKey: Result<ProvenPossession, Refusal> | null = proof === null ? nothing : null
  let judged: { readonly client: Client; readonly proven: Result<ProvenPossession, Refusal> } | null = null
  let isRecorded = false
  function judge(client: Client): Result<ProvenPossession, Refusal> {
    byKey ??= byProof({ tenant, endpoint, client, proof: proof ?? '' }, deps)
    // A pushed request is not bound to a certificate.
    if (endpoint !== 'token' || byKey.kind === 'error') return byKey
    const certified = der === null ? byKey : withCertificate(byKey.value, { client, der }, deps)
    if (certified.kind === 'ok') return asRegistered(client, certified.value)
    const { reason } = certified.error
    if (!isRecorded) deps.refusedRequests.record({ name: 'proof.refused', tenant, clientId: client.id, reason })
    isRecorded = true
    return certified
  }
  // An administrator may have changed what the client must prove, so a newly read client is judged again.
  const prove = (client: Client): Result<ProvenPossession, Refusal> => {
    if (judged?.client !== client) judged = { client, proven: judge(client) }
    return judged.proven
  }
  return Object.assign(prove, {
    proofUsed: () => {
      if (byKey?.kind === 'ok') byKey = ok({ ...byKey.value, proof: null })
      judged = null
    },
  })
}

/** Refuses a request that lacks the key to which every token of the client is bound, whatever the request is for. */
function asRegistered(client: Client, shown: ProvenPossession): Result<ProvenPossession, Refusal> {
  const bound = tokenBinding({ client, possession: shown.possession, redeems: null, held: null })
  return bound.kind === 'error' ? bound : ok(shown)
}

interface PresentedCertificate {
  readonly client: Client
  readonly der: Uint8Array
}

/**
 * RFC 8705 does not restrict who issued the certificate that tokens are bound to, but it must be a valid one: no token
 * outlives an expired certificate. For a client whose tokens are not bound, an expired certificate is ignored.
 */
function withCertificate(
  proven: ProvenPossession,
  { client, der }: PresentedCertificate,
  { clock }: PossessionDependencies,
): Result<ProvenPossession, Refusal> {
  const facts = certificateFacts(der)
  const reason = facts === null ? 'client_certificate_unreadable' : validityProblem(facts, clock.now())
  if (facts !== null && reason === null)
    return ok({ ...proven, possession: { ...proven.possession, certificate: facts.thumbprint } })
  return reason === null || client.metadata.tls_client_certificate_bound_access_tokens !== true
    ? ok(proven)
    : err({ reason })
}

interface PresentedProof {
  readonly tenant: TenantId
  readonly endpoint: EndpointName
  readonly client: Client
  readonly proof: string
}

function byProof(
  { tenant, endpoint, client, proof }: PresentedProof,
  { clock, ids, issuers, policy, refusedRequests, store }: PossessionDependencies,
): Result<ProvenPossession, Refusal> {
  const now = clock.now()
  const nonces = policy.dpopNonce === 'required' ? noncesOf(tenant, store) : null
  const checked = checkProof(proof, {
    method: 'POST',
    urls: targetsOf(tenant, endpoint, issuers),
    accessToken: null,
    now,
    // FAPI 2.0 §5.4.1.
    algs: profileOf(client).algs ?? proofAlgorithms,
    isNonce: nonces === null ? null : (nonce) => nonces.accepts(nonce, now),
  })
  if (checked.kind === 'ok') {
    const possession = { ...noPossession, jkt: checked.value.jkt }
    const next = nonces === null ? {} : { dpopNonce: nonces.current(now) }
    return ok({ possession, proof: usedProof(checked.value, ids), ...next })
  }
  const fault = checked.error
  if (fault === 'nonce') return err({ reason: 'proof_nonce_wanted', nonce: nonces?.current(now) ?? '' })
  refusedRequests.record({ name: 'proof.refused', tenant, clientId: client.id, reason: fault })
  return err({ reason: 'proof_invalid', fault })
}

/** RFC 9449 §4.3: the allowed values of `htu`: the endpoint as metadata name it, also under the mTLS alias. */
function targetsOf(tenant: TenantId, endpoint: EndpointName, issuers: Issuers): readonly string[] {
  const alias = issuers.mtlsIssuerOf?.(tenant) ?? null
  return [issuers.issuerOf(tenant), ...(alias === null ? [] : [alias])].map((base) => endpointUrl(base, endpoint))
}

/** Others may choose the same `jti`, so a proof is identified by key and `jti` together. */
const usedProof = ({ jkt, jti, usedUntil }: ProvenKey, { handleOf }: Pick<Ids, 'handleOf'>): UsedProof => ({
  handle: handleOf(`${jkt}.${jti}`),
  expiresAt: usedUntil,
})

/** The nonce that is sent with the answer, for the client's next proof. */
export const nextNonce = ({ dpopNonce }: ProvenPossession): Pick<ProvenPossession, 'dpopNonce'> =>
  dpopNonce === undefined ? {} : { dpopNonce }

const purpose = 'dpop nonces'

/**
 * The nonces of a tenant, which are valid for no other. The key is derived from the database, so that every node has
 * the same one.
 */
export const noncesOf = (tenant: TenantId, { keys }: Pick<Store, 'keys'>): DpopNonces =>
  openNonces(keys.derived(purpose), tenant)
