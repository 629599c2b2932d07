/** A logo that an operator provides: a small PNG, JPEG or WebP that is valid from its first byte to its last. */
import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import { err, ok, type Result } from '../result.ts'
import { type LogoType, pictureSize } from './picture-size.ts'

export type { LogoType } from './picture-size.ts'

export interface Logo {
  readonly type: LogoType
  readonly bytes: Uint8Array
  /** The hash of the bytes; part of the file name. */
  readonly hash: string
}

const logoTypes: ReadonlySet<unknown> = new Set(['image/png', 'image/jpeg', 'image/webp'])
export const isLogoType = (value: unknown): value is LogoType => logoTypes.has(value)

/** Bytes. In base64 it fits into a request's body with all other settings of a tenant. */
export const largestLogo = 32 * 1024
/** Pixels per side: a few bytes may unfold to a large bitmap in memory. */
const longestSide = 2048

const dataUri = /^data:(image\/[a-z+.-]+);base64,([A-Za-z0-9+/]+={0,2})$/
const longestUri = Math.ceil(largestLogo / 3) * 4 + 64

const kinds = 'must be a PNG, JPEG or WebP picture as a data: URI (data:image/png;base64,…)'

/** SVG is refused: it can contain scripts and fetch from elsewhere. */
export function readLogo(value: unknown): Result<Logo, string> {
  if (typeof value !== 'string') return err(kinds)
  if (value.length > longestUri) return err(`must not be larger than ${largestLogo / 1024} KiB`)
  const [, type, base64 = ''] = dataUri.exec(value) ?? []
  if (!isLogoType(type)) return err(kinds)
  const bytes = Buffer.from(base64, 'base64')
  // Base64 must be canonical.
  if (bytes.toString('base64') !== base64) return err(kinds)
  if (bytes.length > largestLogo) return err(`must not be larger than ${largestLogo / 1024} KiB`)
  const size = pictureSize(type, bytes)
  if (size === null) return err(`must be a whole ${type.slice('image/'.length)} picture, and nothing else`)
  if (size.width > longestSide || size.height > longestSide)
    return err(`must not have more than ${longestSide} pixels a side`)
  return ok({ type, bytes: Uint8Array.from(bytes), hash: logoHash(bytes) })
}

export const logoHash = (bytes: Uint8Array): string => hash('sha256', bytes).slice(0, 32)
export const isLogoHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{32}$/.test(value)

/** The logo as a file writes it. */
export const logoUri = ({ type, bytes }: Pick<Logo, 'type' | 'bytes'>): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
