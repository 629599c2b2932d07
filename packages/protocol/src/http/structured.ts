/** The part of RFC 9651 (Structured Fields) that our own headers need: lists of strings with parameters, and dates. */

export type BareItem = number | string | Uint8Array
export type Parameter = readonly [key: string, value: BareItem]

/** RFC 9651 §4.1: a value that cannot be serialised is a bug, never a fault of a client, so it throws. */
export function sfItem(value: BareItem, parameters: readonly Parameter[] = []): string {
  return bare(value) + parameters.map(([key, of]) => `;${sfKey(key)}=${bare(of)}`).join('')
}

export function sfList(items: readonly string[]): string {
  return items.join(', ')
}

/** RFC 9651 §4.1.10: a Date is `@` and an integer of seconds. */
export function sfDate(milliseconds: number): string {
  return `@${sfInteger(Math.floor(milliseconds / 1000))}`
}

function bare(value: BareItem): string {
  if (typeof value === 'number') return sfInteger(value)
  return typeof value === 'string' ? sfString(value) : `:${Buffer.from(value).toString('base64')}:`
}

// RFC 9651 §3.3.1: at most fifteen digits.
function sfInteger(value: number): string {
  if (!Number.isInteger(value) || Math.abs(value) > 999_999_999_999_999) {
    throw new RangeError(`not an integer of structured fields: ${value}`)
  }
  return String(value)
}

// RFC 9651 §3.3.3: printable ASCII; quote and backslash are escaped.
function sfString(value: string): string {
  if (!/^[\x20-\x7E]*$/.test(value)) throw new RangeError('a structured string is printable ASCII')
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

// RFC 9651 §3.1.2.
function sfKey(key: string): string {
  if (!/^[a-z*][a-z0-9_\-.*]*$/.test(key)) throw new RangeError(`not a key of structured fields: ${key}`)
  return key
}
