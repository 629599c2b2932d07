/** Whether the caller has the key (DPoP, RFC 9449 §7) or certificate (RFC 8705 §3) that its token is bound to. */
import { checkProof, type DpopNonces, openNonces, type ProvenKey } from '@grantor/protocol/dpop'
import type { JsonObject } from '@grantor/protocol/types'
import type { Time } from '../time.ts'
import type { TokenPresentation } from '../validate/judge.ts'
import { nonceWanted, outage, proofInvalid, type Rejection, rejection } from '../validate/rejections.ts'
import type { ValidatorOptions } from '../validate/validator-options.ts'
import { MemoryProofReplays, type ProofReplays } from './proof-replays.ts'
import { type CertificateReader, connectionCertificateOf, forwardedBy } from './shown-certificate.ts'

export interface PossessionOptions {
  readonly time: Pick<Time, 'now'>
  readonly replays: ProofReplays
  /** Null where no nonce is required. */
  readonly nonces: DpopNonces | null
  /** Algorithms that a proof may be signed with; left out, any that its key allows. */
  readonly algs?: readonly string[]
  /** Finds the client certificate; left out, that of the connection counts. */
  readonly certificateOf?: CertificateReader
  /** Milliseconds by which a certificate may be outside its validity; left out, 0. */
  readonly leeway?: number
}

export const possessionOptions = (
  { dpop: { nonceSecret, replays, capacity = 500_000 } = {}, clientCertHeader, leeway = 60 }: ValidatorOptions,
  time: Time,
): PossessionOptions => ({
  time,
  leeway: 1000 * leeway,
  certificateOf: clientCertHeader === undefined ? connectionCertificateOf : forwardedBy(clientCertHeader),
  nonces: nonceSecret === undefined ? null : openNonces(nonceSecret),
  replays: replays ?? new MemoryProofReplays(time, capacity),
})

/** The members of `cnf` that can be proven here. A token bound to anything else is refused. */
const provable: ReadonlySet<string> = new Set(['jkt', 'x5t#S256'])

/** Null where every member of `cnf` is proven. A promise only where the store of used proofs is shared. */
export function checkPossession(
  confirmation: JsonObject | null,
  presentation: TokenPresentation,
  options: PossessionOptions,
): Rejection | null | Promise<Rejection | null> {
  // RFC 9449 §7.1: a proof for a token that is not bound to a key proves nothing.
  if (confirmation === null) return presentation.scheme === 'dpop' ? proofInvalid('unbound') : null
  const names = Object.keys(confirmation)
  if (names.length === 0 || names.some((name) => !provable.has(name))) return rejection('proof_required')
  const { jkt, 'x5t#S256': certificate } = confirmation
  if (certificate !== undefined) {
    const unproven = checkCertificate(certificate, presentation, options)
    if (unproven !== null) return unproven
  }
  return jkt === undefined ? null : checkKey(jkt, presentation, options)
}

function checkCertificate(
  thumbprint: unknown,
  { presented: { request } }: TokenPresentation,
  { time, certificateOf = connectionCertificateOf, leeway = 0 }: PossessionOptions,
): Rejection | null {
  const shown = request === undefined ? null : certificateOf(request)
  if (shown === null) return rejection('certificate_required')
  if (shown === 'unreadable') return rejection('client_certificate_unreadable')
  if (shown.thumbprint !== thumbprint) return rejection('certificate_mismatch')
  const { notBefore = -Infinity, notAfter = Infinity } = shown
  const now = time.now()
  return now > notAfter + leeway || now < notBefore - leeway ? rejection('certificate_expired') : null
}

function checkKey(jkt: unknown, presentation: TokenPresentation, options: PossessionOptions) {
  const { presented, scheme, token: accessToken } = presentation
  const { request } = presented
  // RFC 9449 §7.2: a token that is bound to a key must not be accepted as a plain bearer token.
  if (scheme !== 'dpop' || request?.proof === undefined) return rejection('proof_required')
  const { nonces } = options
  const now = options.time.now()
  const checked = checkProof(request.proof, {
    method: request.method,
    urls: [request.url, ...(request.aliases ?? [])],
    accessToken,
    now,
    ...(options.algs === undefined ? {} : { algs: options.algs }),
    isNonce: nonces === null ? null : (nonce) => nonces.accepts(nonce, now),
  })
  if (checked.kind === 'error')
    return checked.error === 'nonce'
      ? nonceWanted(nonces?.current(now) ?? '')
      : proofInvalid(checked.error, options.algs)
  return checked.value.jkt === jkt ? useOnce(checked.value, options.replays) : proofInvalid('key_mismatch')
}

function useOnce({ jkt, jti, usedUntil }: ProvenKey, replays: ProofReplays) {
  const settle = (first: boolean): Rejection | null => (first ? null : proofInvalid('replayed'))
  const unavailable = (): Rejection => outage('proof_state_unavailable', 2)
  try {
    // Another client may use the same `jti`; together with the key thumbprint it is unique to this client.
    const used = replays.use(`${jkt}.${jti}`, usedUntil)
    return used instanceof Promise ? used.then(settle, unavailable) : settle(used)
  } catch {
    return unavailable()
  }
}
