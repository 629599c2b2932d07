/** Which kind of picture bytes are, by how they begin. Nothing that can hold script: never SVG. */

/** In hexadecimal. */
const beginnings: readonly (readonly [type: string, pattern: RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^474946383[79]61/],
  ['image/webp', /^52494646.{8}57454250/],
  ['image/x-icon', /^00000100/],
]

/** The registered name of an icon's type, and the one that everybody uses. */
const aliases: Readonly<Record<string, string>> = { 'image/vnd.microsoft.icon': 'image/x-icon' }

/** Media types that are taken for a picture. */
export const pictureTypes: readonly string[] = [...beginnings.map(([type]) => type), ...Object.keys(aliases)]

/** The type, where the bytes are what somebody said they are; null otherwise. */
export function pictureType(contentType: string, bytes: Uint8Array): string | null {
  const begin = Buffer.from(bytes.subarray(0, 16)).toString('hex')
  const type = beginnings.find(([, pattern]) => pattern.test(begin))?.[0] ?? null
  return type === (aliases[contentType] ?? contentType) ? type : null
}
