/**
 * Subject alternative names of a certificate (RFC 5280 §4.2.1.6), and their comparison with the name that a client
 * registered.
 */
import { isMailAddress } from '../people/mail-address.ts'
import { number4, number6 } from '../uri/address-block.ts'
import { derElements, type DerElement, derMembers, derTag, derText } from './der.ts'

export const alternativeNameKinds = ['dns', 'uri', 'ip', 'email'] as const
export type AlternativeNameKind = (typeof alternativeNameKinds)[number]

export interface AlternativeName {
  readonly kind: AlternativeNameKind
  /** For an IP address, the octets in hexadecimal. */
  readonly value: string
}

/** RFC 5280 §4.2.1.6: the supported tags of GeneralName; other tags are ignored. */
const kinds: ReadonlyMap<number, AlternativeNameKind> = new Map([
  [0x81, 'email'],
  [0x82, 'dns'],
  [0x86, 'uri'],
  [0x87, 'ip'],
])

/** The names of an extension's value; null where it is invalid. */
export function readAlternativeNames(value: Uint8Array): readonly AlternativeName[] | null {
  const [list, ...rest] = derElements(value) ?? []
  const names = derMembers(list, derTag.sequence)
  if (names === null || names.length === 0 || rest.length > 0) return null
  const read = names.map(readOne)
  return read.includes(null) ? null : read.flatMap((one) => (one === null || one === 'other' ? [] : [one]))
}

function readOne({ tag, content, encoded }: DerElement): AlternativeName | 'other' | null {
  const kind = kinds.get(tag)
  if (kind === undefined) return 'other'
  if (kind === 'ip')
    return content.length === 4 || content.length === 16 ? { kind, value: Buffer.from(content).toString('hex') } : null
  const text = derText({ tag: derTag.ia5String, content, encoded })
  return text === null ? null : { kind, value: text }
}

const label = /^[A-Za-z\d_](?:[\w-]{0,61}[A-Za-z\d_])?$/

/** The problem of a name that a client registers. */
export function alternativeNameProblem(kind: AlternativeNameKind, text: string): string | null {
  switch (kind) {
    case 'dns':
      return text.length <= 253 && text.split('.').every((it) => label.test(it)) ? null : 'must be a host name'
    case 'uri':
      // RFC 3986 §3: any scheme is allowed, for example spiffe and urn; the URI is never fetched.
      return /^[A-Za-z][A-Za-z\d+.-]*:[\x21-\x7e]+$/.test(text) ? null : 'must be an absolute URI'
    case 'ip':
      return octets(text) === null ? 'must be an IPv4 or IPv6 address' : null
    case 'email':
      return isMailAddress(text) ? null : 'must be a mail address'
  }
}

/**
 * Whether one of the certificate's names of that kind is the registered one. A wildcard in a certificate matches only
 * itself.
 */
export const hasAlternativeName = (
  names: readonly AlternativeName[],
  kind: AlternativeNameKind,
  registered: string,
): boolean => names.some((name) => name.kind === kind && isSame(kind, name.value, registered))

function isSame(kind: AlternativeNameKind, shown: string, registered: string): boolean {
  switch (kind) {
    case 'dns':
      return shown.toLowerCase() === registered.toLowerCase()
    case 'uri':
      return shown === registered
    case 'ip':
      // RFC 8705 §2.1.2: compared as octets, so that the spelling of an address does not matter.
      return shown === octets(registered)
    case 'email':
      return mailKey(shown) === mailKey(registered)
  }
}

/** RFC 5280 §7.5: the host ignores case, the local part does not. */
function mailKey(address: string): string {
  const at = address.lastIndexOf('@')
  return address.slice(0, at) + address.slice(at).toLowerCase()
}

function octets(address: string): string | null {
  const four = number4(address)
  if (four !== null) return four.toString(16).padStart(8, '0')
  return number6(address)?.toString(16).padStart(32, '0') ?? null
}
