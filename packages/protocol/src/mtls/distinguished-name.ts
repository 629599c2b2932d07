/** Distinguished names: those of certificates (RFC 5280 §4.1.2.4), and their text form (RFC 4514). */
import { type DerElement, derMembers, derOid, derTag, derText } from './der.ts'

export interface NameAttribute {
  /** The object identifier, in dotted notation. */
  readonly type: string
  /** Null where only its encoding is given, or it has no string type. */
  readonly text: string | null
  /** The encoded value in hexadecimal; null where only its text is given. */
  readonly encoded: string | null
}

/** The sets of attributes, in the order of the certificate: the most general first. */
export type DistinguishedName = readonly (readonly NameAttribute[])[]

const longest = 1024

/** RFC 4514 §3, RFC 4519 §2, and the usual names of other attributes in certificates of organizations. */
const attributeTypes: Readonly<Record<string, string>> = {
  cn: '2.5.4.3',
  commonname: '2.5.4.3',
  sn: '2.5.4.4',
  surname: '2.5.4.4',
  serialnumber: '2.5.4.5',
  c: '2.5.4.6',
  countryname: '2.5.4.6',
  l: '2.5.4.7',
  localityname: '2.5.4.7',
  st: '2.5.4.8',
  stateorprovincename: '2.5.4.8',
  street: '2.5.4.9',
  streetaddress: '2.5.4.9',
  o: '2.5.4.10',
  organizationname: '2.5.4.10',
  ou: '2.5.4.11',
  organizationalunitname: '2.5.4.11',
  title: '2.5.4.12',
  businesscategory: '2.5.4.15',
  postalcode: '2.5.4.17',
  gn: '2.5.4.42',
  givenname: '2.5.4.42',
  initials: '2.5.4.43',
  generationqualifier: '2.5.4.44',
  dnqualifier: '2.5.4.46',
  pseudonym: '2.5.4.65',
  organizationidentifier: '2.5.4.97',
  uid: '0.9.2342.19200300.100.1.1',
  userid: '0.9.2342.19200300.100.1.1',
  dc: '0.9.2342.19200300.100.1.25',
  domaincomponent: '0.9.2342.19200300.100.1.25',
  e: '1.2.840.113549.1.9.1',
  emailaddress: '1.2.840.113549.1.9.1',
}

/** Reads the name of a certificate; null where it is invalid. */
export function readName(element: DerElement | undefined): DistinguishedName | null {
  const name: NameAttribute[][] = []
  for (const set of derMembers(element, derTag.sequence) ?? [null]) {
    const attributes = set === null ? null : derMembers(set, derTag.set)
    if (attributes === null || attributes.length === 0) return null
    const read = attributes.map(readAttribute)
    if (!read.every((one) => one !== null)) return null
    name.push(read)
  }
  return name
}

function readAttribute(element: DerElement): NameAttribute | null {
  const members = derMembers(element, derTag.sequence)
  const [identifier, value] = members ?? []
  const type = derOid(identifier)
  if (members?.length !== 2 || type === null || value === undefined) return null
  return { type, text: derText(value), encoded: Buffer.from(value.encoded).toString('hex') }
}

/**
 * RFC 4514 §3. The last set of the certificate comes first in the text. Null for an invalid name, or an attribute type
 * without OID.
 */
export function parseDistinguishedName(text: string): DistinguishedName | null {
  if (text.length > longest) return null
  const sets = split(text, ',')?.map((set) => split(set, '+')?.map(parseAttribute))
  if (sets === undefined) return null
  const name: NameAttribute[][] = []
  for (const set of sets) {
    if (set === undefined || !set.every((one) => one !== null)) return null
    name.unshift(set)
  }
  return name
}

/** Splits at separators that are not escaped; undefined where a backslash ends the text. */
function split(text: string, separator: ',' | '+'): readonly string[] | undefined {
  const parts: string[] = ['']
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    if (letter === separator) parts.push('')
    else if (letter !== '\\') parts[parts.length - 1] += letter
    else if (++at === text.length) return undefined
    else parts[parts.length - 1] += letter + text.charAt(at)
  }
  return parts
}

function parseAttribute(text: string): NameAttribute | null {
  // Blanks at the ends of a value must be escaped, so other blanks around an attribute are ignored.
  const [, word, value = ''] = /^ *([A-Za-z][A-Za-z\d-]*|\d+(?:\.\d+)+) *= *((?:\\.|[^\\])*?) *$/su.exec(text) ?? []
  if (word === undefined) return null
  const type = /^\d/.test(word) ? canonicalOid(word) : namedType(word.toLowerCase())
  if (type === null) return null
  if (value.startsWith('#'))
    return /^#(?:[\dA-Fa-f]{2})+$/.test(value) ? { type, text: null, encoded: value.slice(1).toLowerCase() } : null
  const plain = unescaped(value)
  return plain === null ? null : { type, text: plain, encoded: null }
}

/** A property inherited from Object is not an attribute type. */
const namedType = (word: string): string | null =>
  Object.hasOwn(attributeTypes, word) ? (attributeTypes[word] ?? null) : null

const canonicalOid = (text: string): string | null => (/^[012](?:\.(?:0|[1-9]\d*))+$/.test(text) ? text : null)

/** RFC 4514 §2.4: a backslash escapes a special character, or precedes two digits of one octet of UTF-8. */
function unescaped(value: string): string | null {
  const octets: Buffer[] = []
  for (const [piece] of value.matchAll(/\\[\dA-Fa-f]{2}|\\.|[^\\]+/gsu)) {
    if (/^\\[\dA-Fa-f]{2}$/.test(piece)) octets.push(Buffer.from(piece.slice(1), 'hex'))
    else if (piece.startsWith('\\')) {
      if (!/^\\[ "#+,;<=>\\]$/.test(piece)) return null
      octets.push(Buffer.from(piece.slice(1)))
    } else if (/[\0"+,;<>]/.test(piece)) return null
    else octets.push(Buffer.from(piece))
  }
  const all = Buffer.concat(octets)
  const text = all.toString('utf8')
  return Buffer.from(text).equals(all) ? text : null
}

/**
 * Whether a certificate's name equals the written one: the same sets in the same order, each with the same attributes
 * in any order, values byte for byte. RFC 5280 §7.1 would ignore case and blanks, but a registrant copies the name from
 * the certificate, and a stricter comparison never mistakes one client for another.
 */
export const isSameName = (shown: DistinguishedName, written: DistinguishedName): boolean =>
  shown.length > 0 && shown.length === written.length && shown.every((set, at) => isSameSet(set, written[at] ?? []))

function isSameSet(shown: readonly NameAttribute[], written: readonly NameAttribute[]): boolean {
  const unmatched = [...shown]
  for (const wanted of written) {
    const at = unmatched.findIndex((it) => isSameAttribute(it, wanted))
    if (at < 0) return false
    unmatched.splice(at, 1)
  }
  return unmatched.length === 0
}

const isSameAttribute = (shown: NameAttribute, written: NameAttribute): boolean =>
  shown.type === written.type &&
  (written.text === null ? shown.encoded === written.encoded : shown.text === written.text)
