/** A reader of DER (X.690 §8, §10) for certificates: only definite lengths in their shortest form. */

export interface DerElement {
  /** The identifier octet: class, constructed flag, number. */
  readonly tag: number
  readonly content: Uint8Array
  /** The whole element, with identifier and length. */
  readonly encoded: Uint8Array
}

export const derTag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  universalString: 0x1c,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const

/** A sequence of elements; null where the bytes are not exactly that. */
export function derElements(bytes: Uint8Array): readonly DerElement[] | null {
  const found: DerElement[] = []
  for (let at = 0; at < bytes.length;) {
    const element = elementAt(bytes, at)
    if (element === null) return null
    found.push(element)
    at += element.encoded.length
  }
  return found
}

/** The single element that the bytes consist of. */
export function derElement(bytes: Uint8Array, tag: number): DerElement | null {
  const element = elementAt(bytes, 0)
  return element?.tag === tag && element.encoded.length === bytes.length ? element : null
}

/** The members of a constructed element. */
export const derMembers = (element: DerElement | undefined, tag: number): readonly DerElement[] | null =>
  element?.tag === tag ? derElements(element.content) : null

function elementAt(bytes: Uint8Array, at: number): DerElement | null {
  const tag = bytes[at]
  const first = bytes[at + 1]
  // Tag numbers above 30 take several octets; none of them occurs here.
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return null
  const octets = first < 0x80 ? 0 : first & 0x7f
  if (first === 0x80 || octets > 3) return null
  let length = octets === 0 ? first : 0
  for (let n = 0; n < octets; n++) length = length * 256 + (bytes[at + 2 + n] ?? 0)
  if (octets > 0 && length < (octets === 1 ? 0x80 : 256 ** (octets - 1))) return null
  const begin = at + 2 + octets
  const end = begin + length
  return end > bytes.length ? null : { tag, content: bytes.subarray(begin, end), encoded: bytes.subarray(at, end) }
}

/** X.690 §8.19: in dotted notation. */
export function derOid(element: DerElement | undefined): string | null {
  if (element?.tag !== derTag.oid || element.content.length === 0) return null
  const arcs: number[] = []
  let arc = 0
  for (const [at, octet] of element.content.entries()) {
    arc = arc * 128 + (octet & 0x7f)
    if (arc > Number.MAX_SAFE_INTEGER) return null
    if ((octet & 0x80) !== 0) {
      if (at === element.content.length - 1) return null
      continue
    }
    if (arcs.length === 0) arcs.push(Math.min(2, Math.floor(arc / 40)), arc - 40 * Math.min(2, Math.floor(arc / 40)))
    else arcs.push(arc)
    arc = 0
  }
  return arcs.join('.')
}

const ascii = /^[\0-\x7f]*$/

/** The text of any of the string types; null for other types and for invalid text. */
export function derText({ tag, content }: DerElement): string | null {
  const bytes = Buffer.from(content)
  switch (tag) {
    case derTag.utf8String: {
      const text = bytes.toString('utf8')
      return Buffer.from(text, 'utf8').equals(bytes) ? text : null
    }
    case derTag.printableString:
    case derTag.numericString:
    case derTag.ia5String:
    // The meaning of bytes beyond ASCII is not standardised for it.
    case derTag.teletexString: {
      const text = bytes.toString('latin1')
      return ascii.test(text) ? text : null
    }
    case derTag.bmpString:
      return bytes.length % 2 === 0 ? Buffer.from(bytes).swap16().toString('utf16le') : null
    case derTag.universalString:
      return universalText(bytes)
    default:
      return null
  }
}

function universalText(bytes: Buffer): string | null {
  if (bytes.length % 4 !== 0) return null
  const points = Array.from({ length: bytes.length / 4 }, (_, n) => bytes.readUInt32BE(4 * n))
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : null
}
