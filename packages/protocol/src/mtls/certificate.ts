/** What a certificate says (RFC 5280 §4.1, §4.2), as far as anything here depends on it. */
import { type KeyObject, X509Certificate } from 'node:crypto'
import { publicKeyThumbprint } from '../jose/thumbprint.ts'
import type { Instant } from '../types.ts'
import { type AlternativeName, readAlternativeNames } from './alternative-name.ts'
import { derElement, derElements, type DerElement, derMembers, derOid, derTag } from './der.ts'
import { type DistinguishedName, readName } from './distinguished-name.ts'
import { certificateThumbprint } from './thumbprint.ts'

export interface CertificateFacts {
  readonly der: Uint8Array
  /** `x5t#S256`. */
  readonly thumbprint: string
  readonly subject: DistinguishedName
  readonly alternativeNames: readonly AlternativeName[]
  /** RFC 7638, of its public key; null for a key that has no JWK. */
  readonly keyThumbprint: string | null
  readonly notBefore: Instant
  readonly notAfter: Instant
  /** The object identifier of what it is signed by; of RSA-PSS, that of its digest behind it. */
  readonly signatureAlgorithm: string
  readonly isAuthority: boolean
  /** How many authorities may stand between this one and the last certificate. */
  readonly pathLength: number | null
  /** RFC 5280 §4.2.1.3: bits, the first (digitalSignature) the highest; null where it may be used for anything. */
  readonly keyUsage: number | null
  readonly extendedKeyUsage: readonly string[] | null
  /** Critical extensions that nothing here understands: then the certificate must not be accepted (§4.2). */
  readonly notUnderstood: readonly string[]
}

export const keyUsage = { digitalSignature: 0x80, keyCertSign: 0x04 } as const

const extension = {
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
} as const
/** Also certificate policies: nobody here asks for one, so any will do (RFC 5280 §6.1.1 d, e). */
const understood: ReadonlySet<string> = new Set([...Object.values(extension), '2.5.29.32'])

/** Null for bytes that are no certificate, or one that two readers could read in two ways. */
export function readCertificate(der: Uint8Array): CertificateFacts | null {
  const publicKey = publicKeyOf(der)
  const [body, algorithm] = derMembers(derElement(der, derTag.sequence) ?? undefined, derTag.sequence) ?? []
  const members = [...(derMembers(body, derTag.sequence) ?? [])]
  // The version, which is left out of version 1.
  if (members[0]?.tag === 0xa0) members.shift()
  const [, signature, , validity, subject] = members
  const name = readName(subject)
  const times = derMembers(validity, derTag.sequence)
  const extensions = readExtensions(members.find(({ tag }) => tag === 0xa3))
  const signatureAlgorithm = readAlgorithm(algorithm)
  const [notBefore, notAfter] = (times ?? []).map(timeOf)
  if (publicKey === null || name === null || extensions === null || signatureAlgorithm === null) return null
  // RFC 5280 §4.1.1.2: what is signed names the same algorithm.
  if (signature === undefined || algorithm === undefined || !isEqual(signature, algorithm)) return null
  if (typeof notBefore !== 'number' || typeof notAfter !== 'number') return null
  return {
    der,
    thumbprint: certificateThumbprint(der),
    subject: name,
    keyThumbprint: publicKeyThumbprint(publicKey),
    notBefore,
    notAfter,
    signatureAlgorithm,
    ...extensions,
  }
}

const rsaPss = '1.2.840.113549.1.1.10'

function readAlgorithm(element: DerElement | undefined): string | null {
  const [identifier, parameters] = derMembers(element, derTag.sequence) ?? []
  const oid = derOid(identifier)
  if (oid !== rsaPss) return oid
  // RFC 4055 §3.1: SHA-1 where nothing is said.
  const [digest] = derMembers(parameters, derTag.sequence)?.filter(({ tag }) => tag === 0xa0) ?? []
  const named = derMembers(digest === undefined ? undefined : derElements(digest.content)?.[0], derTag.sequence)
  return `${rsaPss} ${derOid(named?.[0]) ?? 'sha1'}`
}

function publicKeyOf(der: Uint8Array): KeyObject | null {
  try {
    const certificate = new X509Certificate(der)
    // What is not the encoding of itself (PEM, or bytes behind the end) is another certificate to others.
    return certificate.raw.equals(der) ? certificate.publicKey : null
  } catch {
    return null
  }
}

const isEqual = (one: DerElement, other: DerElement): boolean => Buffer.compare(one.encoded, other.encoded) === 0

/** RFC 5280 §4.1.2.5: in Greenwich and to the second; two digits are a year from 1950 to 2049. */
function timeOf({ tag, content }: DerElement): Instant | null {
  const text = Buffer.from(content).toString('latin1')
  const short = tag === derTag.utcTime && /^\d{12}Z$/.test(text)
  const long = tag === derTag.generalizedTime && /^\d{14}Z$/.test(text)
  if (!short && !long) return null
  const full = short ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text
  const at = Date.parse(full.replace(/^(....)(..)(..)(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  return Number.isNaN(at) ? null : (at as Instant)
}

type Extensions = Pick<
  CertificateFacts,
  'alternativeNames' | 'isAuthority' | 'pathLength' | 'keyUsage' | 'extendedKeyUsage' | 'notUnderstood'
>

function readExtensions(element: DerElement | undefined): Extensions | null {
  const given = new Map<string, Uint8Array>()
  const notUnderstood: string[] = []
  const list = element === undefined ? [] : derMembers(derElements(element.content)?.[0], derTag.sequence)
  for (const one of list ?? [null]) {
    const [identifier, ...more] = (one === null ? null : derMembers(one, derTag.sequence)) ?? []
    const oid = derOid(identifier)
    const value = more.at(-1)
    // RFC 5280 §4.2: none stands there twice.
    if (oid === null || value?.tag !== derTag.octetString || more.length > 2 || given.has(oid)) return null
    given.set(oid, value.content)
    const critical = more.length === 2 && more[0]?.tag === derTag.boolean && more[0].content[0] !== 0
    if (critical && !understood.has(oid)) notUnderstood.push(oid)
  }
  const names = given.get(extension.alternativeNames)
  const alternativeNames = names === undefined ? [] : readAlternativeNames(names)
  const constraints = readConstraints(given.get(extension.basicConstraints))
  const usage = readUsage(given.get(extension.keyUsage))
  const purposes = readPurposes(given.get(extension.extendedKeyUsage))
  if (alternativeNames === null || constraints === null || usage === undefined || purposes === undefined) return null
  return { alternativeNames, ...constraints, keyUsage: usage, extendedKeyUsage: purposes, notUnderstood }
}

function readConstraints(value: Uint8Array | undefined): Pick<Extensions, 'isAuthority' | 'pathLength'> | null {
  if (value === undefined) return { isAuthority: false, pathLength: null }
  const members = derMembers(derElement(value, derTag.sequence) ?? undefined, derTag.sequence)
  if (members === null || members.length > 2) return null
  const authority = members.find(({ tag }) => tag === derTag.boolean)
  const length = members.find(({ tag }) => tag === derTag.integer)
  if (length !== undefined && (length.content.length !== 1 || (length.content[0] ?? 0x80) >= 0x80)) return null
  return { isAuthority: authority !== undefined && authority.content[0] !== 0, pathLength: length?.content[0] ?? null }
}

/** Undefined for what is no key usage. */
function readUsage(value: Uint8Array | undefined): number | null | undefined {
  if (value === undefined) return null
  // The first octet says how many bits of the last one are not there.
  return derElement(value, derTag.bitString)?.content[1]
}

function readPurposes(value: Uint8Array | undefined): readonly string[] | null | undefined {
  if (value === undefined) return null
  const purposes = derMembers(derElement(value, derTag.sequence) ?? undefined, derTag.sequence)?.map(derOid)
  return purposes?.every((one) => one !== null) === true ? purposes : undefined
}
