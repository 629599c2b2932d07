/** The size of a picture, if the bytes are a complete picture of that type without anything after its end. */
import { Buffer } from 'node:buffer'

export type LogoType = 'image/png' | 'image/jpeg' | 'image/webp'

export interface PictureSize {
  readonly width: number
  readonly height: number
}

export function pictureSize(type: LogoType, given: Uint8Array): PictureSize | null {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const size = readers[type](bytes)
  return size === null || size.width === 0 || size.height === 0 ? null : size
}

const readers: Readonly<Record<LogoType, (bytes: Buffer) => PictureSize | null>> = {
  'image/png': pngSize,
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
}

/** PNG §5: a signature and chunks, IHDR the first and IEND the last. */
function pngSize(bytes: Buffer): PictureSize | null {
  if (bytes.toString('hex', 0, 8) !== '89504e470d0a1a0a' || bytes.toString('latin1', 12, 16) !== 'IHDR') return null
  let hasData = false
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const kind = bytes.toString('latin1', at + 4, at + 8)
    if (!/^[A-Za-z]{4}$/.test(kind)) return null
    hasData ||= kind === 'IDAT'
    if (kind !== 'IEND') continue
    const isWhole = hasData && at + 12 === bytes.length
    return isWhole ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null
  }
  return null
}

/** ITU T.81 Annex B: segments up to the scan, one of which is the frame; the end marker comes last. */
function jpegSize(bytes: Buffer): PictureSize | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xff_d8) return null
  let size: PictureSize | null = null
  for (let at = 2; at + 10 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at)
    const isFrame = marker >= 0xff_c0 && marker <= 0xff_cf && ![0xff_c4, 0xff_c8, 0xff_cc].includes(marker)
    if (isFrame) size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    if (marker === 0xff_da) return endsAfter(bytes, at) ? size : null
    if (marker < 0xff_c0 || marker > 0xff_fe || bytes.readUInt16BE(at + 2) < 2) return null
  }
  return null
}

/**
 * In entropy-coded data 0xFF is followed by zero or a restart marker; so the end marker occurs once, and must be last.
 */
const endsAfter = (bytes: Buffer, scan: number): boolean => bytes.indexOf('ffd9', scan, 'hex') === bytes.length - 2

/** RFC 9649 §2: one RIFF file of the stated length, whose first chunk contains the size. */
function webpSize(bytes: Buffer): PictureSize | null {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return null
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) return null
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8L' && bytes[20] === 0x2f) {
    const bits = bytes.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (kind !== 'VP8 ' || bytes.toString('hex', 23, 26) !== '9d012a') return null
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
}
