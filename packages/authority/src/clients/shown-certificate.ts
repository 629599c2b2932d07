/**
 * Reads a client certificate (RFC 8705 §2): its content, its path to a trusted authority, and the client's registered
 * keys.
 */
import type { ShownCertificate } from '@grantor/protocol/client-auth'
import type { VerificationKey } from '@grantor/protocol/jose'
import {
  type CertificateFacts,
  certificatePath,
  mostSentAlong,
  readCertificate,
  validityProblem,
} from '@grantor/protocol/mtls'
import type { Client } from '@grantor/protocol/registration'
import type { Instant } from '@grantor/protocol/types'
import type { EndpointRequest } from '../endpoint.ts'
import type { ClientAuthorities, Clock } from '../ports/environment.ts'
import type { Outbound } from '../ports/outbound.ts'
import { keysOfClient } from './keys.ts'

export interface CertificateDependencies {
  readonly clock: Pick<Clock, 'now'>
  readonly clientAuthorities: ClientAuthorities
  readonly outbound: Outbound
}

type ReadCertificate = Omit<ShownCertificate, 'keys'>

/**
 * Read certificates, by the trusted authorities and then by the certificate bytes that the connection holds. A
 * certificate is read once for all its requests, and again when an authority on its path has expired, since another may
 * have replaced it.
 */
const remembered = new WeakMap<readonly CertificateFacts[], WeakMap<Uint8Array, ReadCertificate | 'unreadable'>>()

/** Null where the request came with no certificate, or with an unreadable one. */
export async function shownCertificate(
  request: EndpointRequest,
  client: Client | null,
  { clock, clientAuthorities, outbound }: CertificateDependencies,
): Promise<ShownCertificate | null> {
  const read = readOnce(request, clientAuthorities.trusted(), clock.now())
  if (read === null) return null
  const byKey = client?.metadata.token_endpoint_auth_method === 'self_signed_tls_client_auth'
  const isOne = (keys: readonly VerificationKey[]): boolean =>
    keys.some((key) => key.thumbprint() === read.certificate.keyThumbprint)
  return { ...read, keys: byKey ? await keysOfClient(client, isOne, outbound) : [] }
}

function readOnce(
  { clientCertificate: der, certificatesSentAlong = [] }: EndpointRequest,
  trusted: readonly CertificateFacts[],
  now: Instant,
): ReadCertificate | null {
  if (der === null) return null
  const known = remembered.get(trusted) ?? new WeakMap<Uint8Array, ReadCertificate | 'unreadable'>()
  remembered.set(trusted, known)
  const before = known.get(der)
  const found =
    before === undefined || isOutlived(before, now)
      ? (read(der, { sentAlong: certificatesSentAlong, trusted, now }) ?? 'unreadable')
      : before
  known.set(der, found)
  return found === 'unreadable' ? null : found
}

/** Whether an authority on the path has expired. If the certificate itself has expired, no other path helps. */
function isOutlived(it: ReadCertificate | 'unreadable', now: Instant): boolean {
  if (it === 'unreadable' || it.path.kind === 'error' || validityProblem(it.certificate, now) !== null) return false
  return it.path.value.some((one) => validityProblem(one, now) !== null)
}

const factsOf = new WeakMap<Uint8Array, CertificateFacts | 'unreadable'>()

/** The content of a certificate, read once while its connection lasts; null where it cannot be read. */
export function certificateFacts(der: Uint8Array): CertificateFacts | null {
  const found = factsOf.get(der) ?? readCertificate(der) ?? 'unreadable'
  factsOf.set(der, found)
  return found === 'unreadable' ? null : found
}

interface Surroundings {
  readonly sentAlong: readonly Uint8Array[]
  readonly trusted: readonly CertificateFacts[]
  readonly now: Instant
}

function read(der: Uint8Array, { sentAlong: others, trusted, now }: Surroundings): ReadCertificate | null {
  const certificate = certificateFacts(der)
  if (certificate === null) return null
  const sentAlong = others.slice(0, mostSentAlong).flatMap((one) => readCertificate(one) ?? [])
  return { certificate, path: certificatePath({ certificate, sentAlong, trusted, now }) }
}
