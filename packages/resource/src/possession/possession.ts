/** Whether the caller has what its token is bound to: a key by DPoP (RFC 9449 §7), a certificate (RFC 8705 §3). */
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
  /** Null where no nonce is asked for. */
  readonly nonces: DpopNonces | null
  /** What a proof may be signed with; left out, whatever a key allows. */
  readonly algs?: readonly string[]
  /** Which certificate counts; left out, that of the connection. */
  readonly certificateOf?: CertificateReader
  /** Milliseconds by which a certificate may be out of its time; none where left out. */
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

/** What a token can be bound to here. Whatever else `cnf` names cannot be proven, and so is not. */
const provable: ReadonlySet<string> = new Set(['jkt', 'x5t#S256'])

/** Null where all of it is proven. A promise only where the store of used proofs is shared. */
export function checkPossession(
  confirmation: JsonObject | null,
  presentation: TokenPresentation,
  options: PossessionOptions,
): Rejection | null | Promise<Rejection | null> {
  // RFC 9449 §7.1: the DPoP scheme with a token that is bound to nothing proves nothing.
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
    // A key may be chosen by others too, and so may an identifier: together they are the client's own.
    const used = replays.use(`${jkt}.${jti}`, usedUntil)
    return used instanceof Promise ? used.then(settle, unavailable) : settle(used)
  } catch {
    return unavailable()
  }
}
