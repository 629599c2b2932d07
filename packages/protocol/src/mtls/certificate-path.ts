/** Whether a certificate has a path to a trusted authority: RFC 5280 §6.1, without policies and name constraints. */
import { X509Certificate } from 'node:crypto'
import { err, ok, type Result } from '../result.ts'
import type { Instant } from '../types.ts'
import { type CertificateFacts, keyUsage, readCertificate } from './certificate.ts'

/** From the certificate itself to the trusted authority. */
export type CertificatePath = readonly CertificateFacts[]

/** For the operator; the client is not told. */
export type PathProblem = 'certificate_issuer' | 'certificate_usage' | 'certificate_algorithm' | 'certificate_extension'

/** The maximum number of intermediate authorities; bounded, because strangers determine what is tried. */
const mostBetween = 4

/** The maximum number of certificates of a client's chain that are read. */
export const mostSentAlong = 8

/** RFC 5280 §4.2.1.12. */
const clientAuth = '1.3.6.1.5.5.7.3.2'
const anyPurpose = '2.5.29.37.0'

/** SHA-2 or Edwards curves: SHA-1 and MD5 signatures have been forged. */
const strongSignatures: ReadonlySet<string> = new Set([
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
  '1.2.840.113549.1.1.10 2.16.840.1.101.3.4.2.1',
  '1.2.840.113549.1.1.10 2.16.840.1.101.3.4.2.2',
  '1.2.840.113549.1.1.10 2.16.840.1.101.3.4.2.3',
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
  '1.3.101.112',
  '1.3.101.113',
  '2.16.840.1.101.3.4.3.17',
  '2.16.840.1.101.3.4.3.18',
  '2.16.840.1.101.3.4.3.19',
])

/** Certificates from a PEM file; null where there is none, or one cannot be read. */
export function readCertificates(pem: string): readonly CertificateFacts[] | null {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
  const read = blocks.map((block) => {
    try {
      return readCertificate(new X509Certificate(block).raw)
    } catch {
      return null
    }
  })
  return read.length > 0 && read.every((one) => one !== null) ? read : null
}

interface PathInput {
  readonly certificate: CertificateFacts
  /** Sent by the client; nothing of them is trusted except what their signatures prove. */
  readonly sentAlong: readonly CertificateFacts[]
  /** Each is trusted by itself, whoever issued it. */
  readonly trusted: readonly CertificateFacts[]
  readonly now: Instant
}

/**
 * The path, or the check that the certificate fails. Validity periods are checked again at each use; if an authority
 * was renewed, both of its certificates may be present, and an expired one does not block the other.
 */
export function certificatePath(it: PathInput): Result<CertificatePath, PathProblem> {
  const { certificate, sentAlong, trusted, now } = it
  const problem = ownProblem(certificate) ?? (isForClients(certificate) ? null : 'certificate_usage')
  if (problem !== null) return err(problem)
  if (certificate.keyUsage !== null && (certificate.keyUsage & keyUsage.digitalSignature) === 0)
    return err('certificate_usage')
  const isTimely = (one: CertificateFacts): boolean => validityProblem(one, now) === null
  const all = { sentAlong: sentAlong.slice(0, mostSentAlong), trusted, isIssuedBy: checkedOnce() }
  const timely = { ...all, sentAlong: all.sentAlong.filter(isTimely), trusted: trusted.filter(isTimely) }
  const path = search([certificate], timely) ?? search([certificate], all)
  return path === null ? err('certificate_issuer') : ok(path)
}

interface Candidates extends Pick<PathInput, 'sentAlong' | 'trusted'> {
  isIssuedBy(one: CertificateFacts, issuer: CertificateFacts): boolean
}

function search(path: readonly CertificateFacts[], among: Candidates): CertificatePath | null {
  const { sentAlong, trusted, isIssuedBy } = among
  const last = path.at(-1)
  if (last === undefined) return null
  const anchor = trusted.find((it) => mayIssue(it, path.length - 1) && isIssuedBy(last, it))
  if (anchor !== undefined) return [...path, anchor]
  if (path.length > mostBetween) return null
  for (const next of sentAlong) {
    if (path.some((it) => it.thumbprint === next.thumbprint)) continue
    if (!mayIssue(next, path.length - 1) || ownProblem(next) !== null || !isIssuedBy(last, next)) continue
    const found = search([...path, next], among)
    if (found !== null) return found
  }
  return null
}

function ownProblem({ signatureAlgorithm, notUnderstood }: CertificateFacts): PathProblem | null {
  if (!strongSignatures.has(signatureAlgorithm)) return 'certificate_algorithm'
  return notUnderstood.length > 0 ? 'certificate_extension' : null
}

/** `below` is the number of authorities between it and the presented certificate. */
const mayIssue = (it: CertificateFacts, below: number): boolean =>
  it.isAuthority &&
  (it.keyUsage === null || (it.keyUsage & keyUsage.keyCertSign) !== 0) &&
  (it.pathLength === null || below <= it.pathLength) &&
  it.notUnderstood.length === 0 &&
  isForClients(it)

/** An authority's extended key usage restricts all certificates below it. */
const isForClients = ({ extendedKeyUsage: purposes }: CertificateFacts): boolean =>
  purposes === null || purposes.includes(clientAuth) || purposes.includes(anyPurpose)

/**
 * Each signature is checked once: authorities that all issued each other, which anybody can make, yield thousands of
 * paths.
 */
function checkedOnce(): Candidates['isIssuedBy'] {
  const checked = new Map<CertificateFacts, Map<CertificateFacts, boolean>>()
  return (certificate, issuer) => {
    const known = checked.get(certificate) ?? new Map<CertificateFacts, boolean>()
    checked.set(certificate, known)
    const answer = known.get(issuer) ?? isIssuedBy(certificate, issuer)
    known.set(issuer, answer)
    return answer
  }
}

function isIssuedBy(subject: CertificateFacts, issuer: CertificateFacts): boolean {
  try {
    const certificate = new X509Certificate(subject.der)
    const authority = new X509Certificate(issuer.der)
    return certificate.checkIssued(authority) && certificate.verify(authority.publicKey)
  } catch {
    return false
  }
}

export type ValidityProblem = 'certificate_not_yet_valid' | 'certificate_expired'

/** RFC 5280 §4.1.2.5: both limits are inclusive. */
export function validityProblem({ notBefore, notAfter }: CertificateFacts, now: Instant): ValidityProblem | null {
  if (now < notBefore) return 'certificate_not_yet_valid'
  // To the second: a certificate is valid until the end of its last second.
  return now >= notAfter + 1000 ? 'certificate_expired' : null
}
