/** The size of pictures, read from made ones; what is told of one that is refused; and contrast by WCAG. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  contrast,
  hexOf,
  isBranding,
  isPlain,
  largestLogo,
  logoPath,
  mix,
  parseColour,
  readLogo,
} from '../../src/branding/index.ts'
import { type LogoType, pictureSize } from '../../src/branding/picture-size.ts'
import type { Json } from '../../src/types.ts'
import { tenant } from '../samples.ts'

const chunk = (kind: string, data: Uint8Array = Buffer.alloc(0)): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(kind, 'latin1'), data, Buffer.alloc(4)])
}
const signature = Buffer.from('89504e470d0a1a0a', 'hex')
const header = (width: number, height: number): Buffer => {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  return chunk('IHDR', data)
}
const png = (width: number, height: number, more: readonly Buffer[] = []): Buffer =>
  Buffer.concat([signature, header(width, height), chunk('IDAT', Buffer.from([1])), ...more, chunk('IEND')])

const segment = (marker: number, data: Uint8Array): Buffer => {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(marker, 0)
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}
const frame = (width: number, height: number): Buffer => {
  const data = Buffer.alloc(9, 1)
  data.writeUInt16BE(height, 1)
  data.writeUInt16BE(width, 3)
  return data
}
const scan = Buffer.concat([segment(0xffda, Buffer.alloc(6)), Buffer.from('aabbff00ccffd9', 'hex')])
const start = Buffer.from('ffd8', 'hex')
const jpeg = (...segments: readonly Buffer[]): Buffer => Buffer.concat([start, ...segments, scan])

const webp = (kind: string, data: Uint8Array): Buffer => {
  const bytes = Buffer.concat([Buffer.from(`RIFF....WEBP${kind}....`, 'latin1'), data])
  bytes.writeUInt32LE(bytes.length - 8, 4)
  return bytes
}
const lossless = (width: number, height: number): Buffer => {
  const data = Buffer.alloc(10)
  data[0] = 0x2f
  data.writeUInt32LE((((height - 1) << 14) | (width - 1)) >>> 0, 1)
  return webp('VP8L', data)
}
const extended = (width: number, height: number): Buffer => {
  const data = Buffer.alloc(10)
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return webp('VP8X', data)
}
const lossy = (width: number, height: number): Buffer => {
  const data = Buffer.alloc(10)
  data.write('9d012a', 3, 'hex')
  data.writeUInt16LE(width, 6)
  data.writeUInt16LE(height | 0x4000, 8)
  return webp('VP8 ', data)
}
const changed = (bytes: Buffer, at: number, value: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[at] = value
  return copy
}
const sizeOf = (type: LogoType, bytes: Uint8Array) => {
  const size = pictureSize(type, bytes)
  return size && `${size.width} x ${size.height}`
}

test('PNG §5, ITU T.81 Annex B, RFC 9649 §2: a whole picture tells its size', () => {
  const rows: readonly (readonly [LogoType, Buffer, string])[] = [
    ['image/png', png(300, 200), '300 x 200'],
    ['image/png', png(70_000, 1, [chunk('tEXt', Buffer.from('x'))]), '70000 x 1'],
    ...[0xffc0, 0xffc1, 0xffc2, 0xffc3, 0xffc5, 0xffcb, 0xffcd, 0xffcf].map(
      (marker) => ['image/jpeg', jpeg(segment(marker, frame(300, 200))), '300 x 200'] as const,
    ),
    // Tables, marks of applications and comments come before the frame, and are none.
    ...[0xffc4, 0xffc8, 0xffcc, 0xffe0, 0xfffe].map(
      (marker) =>
        [
          'image/jpeg',
          jpeg(segment(marker, frame(9, 9)), segment(0xffc0, frame(300, 200)), segment(marker, frame(9, 9))),
          '300 x 200',
        ] as const,
    ),
    ['image/jpeg', jpeg(segment(0xffe0, Buffer.alloc(0)), segment(0xffc0, frame(300, 200))), '300 x 200'],
    ['image/webp', lossless(300, 200), '300 x 200'],
    ['image/webp', lossless(1, 1), '1 x 1'],
    ['image/webp', lossless(16_384, 16_384), '16384 x 16384'],
    ['image/webp', extended(300, 70_000), '300 x 70000'],
    ['image/webp', lossy(300, 200), '300 x 200'],
  ]
  for (const [type, bytes, size] of rows) assert.equal(sizeOf(type, bytes), size, bytes.toString('hex').slice(0, 80))
})

test('what is no whole picture of its type has no size', () => {
  const good = png(3, 2)
  const rows: readonly (readonly [string, LogoType, Buffer])[] = [
    ['nothing', 'image/png', Buffer.alloc(0)],
    ['another signature', 'image/png', changed(good, 0, 0x88)],
    ['another first chunk', 'image/png', changed(good, 12, 0x49 + 1)],
    ['a chunk of no name', 'image/png', png(3, 2, [chunk('a b!')])],
    ['no data', 'image/png', Buffer.concat([signature, header(3, 2), chunk('IEND')])],
    ['no end', 'image/png', good.subarray(0, -12)],
    ['half an end', 'image/png', good.subarray(0, -1)],
    ['more behind its end', 'image/png', Buffer.concat([good, Buffer.from([0])])],
    ['no width', 'image/png', png(0, 2)],
    ['no height', 'image/png', png(3, 0)],
    ['nothing', 'image/jpeg', Buffer.alloc(0)],
    ['its beginning alone', 'image/jpeg', start],
    ['another beginning', 'image/jpeg', changed(jpeg(segment(0xffc0, frame(3, 2))), 1, 0xd9)],
    ['no frame', 'image/jpeg', jpeg(segment(0xffe0, frame(3, 2)))],
    ['no scan', 'image/jpeg', Buffer.concat([start, segment(0xffc0, frame(3, 2)), Buffer.alloc(20)])],
    ['no end', 'image/jpeg', jpeg(segment(0xffc0, frame(3, 2))).subarray(0, -1)],
    ['more behind its end', 'image/jpeg', Buffer.concat([jpeg(segment(0xffc0, frame(3, 2))), Buffer.from([0])])],
    ['two ends', 'image/jpeg', Buffer.concat([jpeg(segment(0xffc0, frame(3, 2))), Buffer.from('ffd9', 'hex')])],
    ['a marker that is none', 'image/jpeg', jpeg(segment(0xffbf, frame(3, 2)), segment(0xffc0, frame(3, 2)))],
    ['a marker behind the last', 'image/jpeg', jpeg(segment(0xffff, frame(3, 2)), segment(0xffc0, frame(3, 2)))],
    [
      'a segment shorter than its length',
      'image/jpeg',
      Buffer.concat([start, Buffer.from('ffe00001', 'hex'), segment(0xffc0, frame(3, 2)), scan]),
    ],
    ['nothing', 'image/webp', Buffer.alloc(0)],
    ['another container', 'image/webp', changed(lossless(3, 2), 0, 0x51)],
    ['another form', 'image/webp', changed(lossless(3, 2), 8, 0x51)],
    ['more than it says', 'image/webp', Buffer.concat([lossless(3, 2), Buffer.from([0])])],
    ['less than a header', 'image/webp', webp('VP8X', Buffer.alloc(9))],
    ['another signature of a lossless one', 'image/webp', changed(lossless(3, 2), 20, 0x2e)],
    ['another chunk', 'image/webp', webp('VP8Y', Buffer.alloc(10))],
    ['another beginning of a frame', 'image/webp', changed(lossy(3, 2), 23, 0x9e)],
    ['no width', 'image/webp', lossy(0, 2)],
  ]
  for (const [what, type, bytes] of rows) assert.equal(sizeOf(type, bytes), null, `${type} ${what}`)
})

const uri = (type: string, bytes: Uint8Array): string => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
const told = (value: unknown) => {
  const read = readLogo(value)
  return read.kind === 'ok' ? read.value.type : read.error
}

test('a logo has at most 32 KiB and 2048 pixels a side, and who sends another is told why', () => {
  const filled = (bytes: number) => png(3, 2, [chunk('tEXt', Buffer.alloc(bytes - png(3, 2).length - 12))])
  const kinds = 'must be a PNG, JPEG or WebP picture as a data: URI (data:image/png;base64,…)'
  assert.equal(largestLogo, 32_768)
  assert.equal(filled(largestLogo).length, largestLogo)
  const rows: readonly (readonly [unknown, string])[] = [
    [uri('image/png', filled(largestLogo)), 'image/png'],
    [uri('image/png', filled(largestLogo + 1)), 'must not be larger than 32 KiB'],
    [uri('image/png', filled(largestLogo + 1000)), 'must not be larger than 32 KiB'],
    [`x${' '.repeat(50_000)}`, 'must not be larger than 32 KiB'],
    [uri('image/png', png(2048, 2048)), 'image/png'],
    [uri('image/png', png(2049, 1)), 'must not have more than 2048 pixels a side'],
    [uri('image/png', png(1, 2049)), 'must not have more than 2048 pixels a side'],
    [uri('image/png', Buffer.from('x')), 'must be a whole png picture, and nothing else'],
    [uri('image/webp', Buffer.from('x')), 'must be a whole webp picture, and nothing else'],
    [7, kinds],
    ['', kinds],
    [uri('image/gif', Buffer.from('x')), kinds],
    ['data:image/png;base64,', kinds],
  ]
  for (const [value, expected] of rows) assert.equal(told(value), expected, String(value).slice(0, 40))
})

test('a logo is served below its tenant, by its hash and what it is', () => {
  const hash = 'a'.repeat(32)
  const paths = (['image/png', 'image/jpeg', 'image/webp'] as const).map((type) => logoPath(tenant, { hash, type }))
  assert.deepEqual(
    paths,
    ['png', 'jpg', 'webp'].map((end) => `/assets/logos/default/${hash}.${end}`),
  )
})

test('branding that was stored is one where every part of it is', () => {
  const logo = { hash: 'a'.repeat(32), type: 'image/png' }
  const good: readonly Json[] = [{}, { name: 'A', accent: '#123', background: '#abcdef', logo }]
  for (const value of good) assert.equal(isBranding(value), true, JSON.stringify(value))
  const bad: readonly Json[] = [
    { name: 'A', other: 1 },
    { other: 1, name: 'A' },
    { name: 'x'.repeat(61) },
    { accent: 7 },
    { background: 'red' },
    { logo: 'x' },
    { logo: { ...logo, hash: 7 } },
  ]
  for (const value of bad) assert.equal(isBranding(value), false, JSON.stringify(value))
  assert.equal(isBranding({ name: 'x'.repeat(60) }), true)
  assert.deepEqual([isPlain({}), isPlain({ name: 'A' })], [true, false])
})

test('WCAG 2.2: the contrast of colours that others have measured', () => {
  const between = (a: string, b: string) => {
    const [one, other] = [parseColour(a), parseColour(b)]
    assert.ok(one !== null && other !== null)
    return contrast(one, other).toFixed(2)
  }
  const rows: readonly (readonly [string, string, string])[] = [
    ['#000000', '#ffffff', '21.00'],
    ['#ffffff', '#000', '21.00'],
    ['#777777', '#ffffff', '4.48'],
    ['#767676', '#ffffff', '4.54'],
    ['#ff0000', '#ffffff', '4.00'],
    ['#00ff00', '#ffffff', '1.37'],
    ['#0000ff', '#ffffff', '8.59'],
    ['#010203', '#000000', '1.01'],
    ['#123456', '#123456', '1.00'],
  ]
  for (const [a, b, expected] of rows) assert.equal(between(a, b), expected, `${a} ${b}`)
})

test('colours are read, mixed and written', () => {
  assert.deepEqual(parseColour('#1aF'), [0x11, 0xaa, 0xff])
  assert.deepEqual(parseColour('#010203'), [1, 2, 3])
  for (const text of ['', '#12', '#12345', '#1234567', '123456', ' #123456', 'red'])
    assert.equal(parseColour(text), null)
  assert.equal(hexOf([1.4, 2.6, 255]), '#0103ff')
  assert.deepEqual(mix([0, 100, 200], [100, 200, 0], 0.25), [25, 125, 150])
})
