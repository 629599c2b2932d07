/** The image type of bytes, by their beginning. No type that can contain script: never SVG. */

/** In hexadecimal. */
const beginnings: readonly (readonly [type: string, pattern: RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^474946383[79]61/],
  ['image/webp', /^52494646.{8}57454250/],
  ['image/x-icon', /^00000100/],
]

/** The registered name of the icon type, and the one commonly used. */
const aliases: Readonly<Record<string, string>> = { 'image/vnd.microsoft.icon': 'image/x-icon' }

/** Media types that are accepted for a picture. */
export const pictureTypes: readonly string[] = [...beginnings.map(([type]) => type), ...Object.keys(aliases)]

/** The type, if the bytes match the stated media type; null otherwise. */
export function pictureType(contentType: string, bytes: Uint8Array): string | null {
  const begin = Buffer.from(bytes.subarray(0, 16)).toString('hex')
  const type = beginnings.find(([, pattern]) => pattern.test(begin))?.[0] ?? null
  return type === (aliases[contentType] ?? contentType) ? type : null
}
