/** The content of a certificate (RFC 5280 §4.1, §4.2), as far as it is used here. */
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
  /** RFC 7638, of its public key; null for a key without JWK form. */
  readonly keyThumbprint: string | null
  readonly notBefore: Instant
  readonly notAfter: Instant
  /** The OID of its signature algorithm; for RSA-PSS, followed by that of the digest. */
  readonly signatureAlgorithm: string
  readonly isAuthority: boolean
  /** The maximum number of authorities between this one and the end certificate. */
  readonly pathLength: number | null
  /** RFC 5280 §4.2.1.3: bits, the first (digitalSignature) the highest; null without restriction. */
  readonly keyUsage: number | null
  readonly extendedKeyUsage: readonly string[] | null
  /** Unsupported critical extensions: with any, the certificate must not be accepted (§4.2). */
  readonly notUnderstood: readonly string[]
}

export const keyUsage = { digitalSignature: 0x80, keyCertSign: 0x04 } as const

const extension = {
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
} as const
/** Also certificate policies: none is required here, so any is acceptable (RFC 5280 §6.1.1 d, e). */
const understood: ReadonlySet<string> = new Set([...Object.values(extension), '2.5.29.32'])

/** Null for bytes that are not a certificate, or that readers could interpret differently. */
export function readCertificate(der: Uint8Array): CertificateFacts | null {
  const publicKey = publicKeyOf(der)
  const [body, algorithm] = derMembers(derElement(der, derTag.sequence) ?? undefined, derTag.sequence) ?? []
  const members = [...(derMembers(body, derTag.sequence) ?? [])]
  // The version, which version 1 omits.
  if (members[0]?.tag === 0xa0) members.shift()
  const [, signature, , validity, subject] = members
  const name = readName(subject)
  const times = derMembers(validity, derTag.sequence)
  const extensions = readExtensions(members.find(({ tag }) => tag === 0xa3))
  const signatureAlgorithm = readAlgorithm(algorithm)
  const [notBefore, notAfter] = (times ?? []).map(timeOf)
  if (publicKey === null || name === null || extensions === null || signatureAlgorithm === null) return null
  // RFC 5280 §4.1.1.2: the signed part must name the same algorithm.
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
  // RFC 4055 §3.1: SHA-1 is the default.
  const [digest] = derMembers(parameters, derTag.sequence)?.filter(({ tag }) => tag === 0xa0) ?? []
  const named = derMembers(digest === undefined ? undefined : derElements(digest.content)?.[0], derTag.sequence)
  return `${rsaPss} ${derOid(named?.[0]) ?? 'sha1'}`
}

function publicKeyOf(der: Uint8Array): KeyObject | null {
  try {
    const certificate = new X509Certificate(der)
    // Anything but the exact encoding (PEM, or trailing bytes) would be another certificate for other readers.
    return certificate.raw.equals(der) ? certificate.publicKey : null
  } catch {
    return null
  }
}

const isEqual = (one: DerElement, other: DerElement): boolean => Buffer.compare(one.encoded, other.encoded) === 0

/** RFC 5280 §4.1.2.5: in UTC, to the second; a two-digit year is from 1950 to 2049. */
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
  const valuesByOid = new Map<string, Uint8Array>()
  const notUnderstood: string[] = []
  const list = element === undefined ? [] : derMembers(derElements(element.content)?.[0], derTag.sequence)
  for (const one of list ?? [null]) {
    const [identifier, ...more] = (one === null ? null : derMembers(one, derTag.sequence)) ?? []
    const oid = derOid(identifier)
    const value = more.at(-1)
    // RFC 5280 §4.2: no extension occurs twice.
    if (oid === null || value?.tag !== derTag.octetString || more.length > 2 || valuesByOid.has(oid)) return null
    valuesByOid.set(oid, value.content)
    const critical = more.length === 2 && more[0]?.tag === derTag.boolean && more[0].content[0] !== 0
    if (critical && !understood.has(oid)) notUnderstood.push(oid)
  }
  const names = valuesByOid.get(extension.alternativeNames)
  const alternativeNames = names === undefined ? [] : readAlternativeNames(names)
  const constraints = readConstraints(valuesByOid.get(extension.basicConstraints))
  const usage = readUsage(valuesByOid.get(extension.keyUsage))
  const purposes = readPurposes(valuesByOid.get(extension.extendedKeyUsage))
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

/** Undefined for an invalid key usage. */
function readUsage(value: Uint8Array | undefined): number | null | undefined {
  if (value === undefined) return null
  // The first octet is the number of unused bits in the last one.
  return derElement(value, derTag.bitString)?.content[1]
}

function readPurposes(value: Uint8Array | undefined): readonly string[] | null | undefined {
  if (value === undefined) return null
  const purposes = derMembers(derElement(value, derTag.sequence) ?? undefined, derTag.sequence)?.map(derOid)
  return purposes?.every((one) => one !== null) === true ? purposes : undefined
}
