/** Branding as operators write it: pictures that are pictures, colours that are colours, names that can be shown. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  brandingDocument,
  isBranding,
  largestLogo,
  logoPath,
  logoUri,
  readBranding,
  readLogo,
} from '../../src/branding/index.ts'
import type { Json, TenantId } from '../../src/types.ts'

const tenant = 'acme' as TenantId
const nothingHeld = { tenant, held: undefined }

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const jpeg = Buffer.from('ffd8ffc0000b080001000101011100ffda0008010100003f00aaffd9', 'hex')
const webp = Buffer.concat([
  Buffer.from('RIFF\x18\0\0\0WEBPVP8L\x0c\0\0\0', 'latin1'),
  Buffer.from('2f0000000000000000000000', 'hex'),
])
const uri = (type: string, bytes: Uint8Array): string => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
const pictures = [
  ['image/png', png],
  ['image/jpeg', jpeg],
  ['image/webp', webp],
] as const

const withSize = (width: number): Buffer => {
  const bytes = Buffer.from(png)
  bytes.writeUInt32BE(width, 16)
  return bytes
}

test('a PNG, a JPEG and a WebP are logos, named by a hash of their bytes, and written back as they came', () => {
  const hashes = pictures.map(([type, bytes]) => {
    const read = readLogo(uri(type, bytes))
    assert.ok(read.kind === 'ok', type)
    assert.equal(logoUri(read.value), uri(type, bytes))
    assert.match(read.value.hash, /^[0-9a-f]{32}$/)
    return read.value.hash
  })
  assert.equal(new Set(hashes).size, 3)
})

test('what is no picture, another one than it says, more than one, or too much, is no logo', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const html = Buffer.from('<!doctype html><script>alert(1)</script>')
  const refused: readonly (readonly [why: string, value: Json])[] = [
    ['an address elsewhere', 'https://evil.example/logo.png'],
    ['the address of a logo that is not there', logoPath(tenant, { hash: 'a'.repeat(32), type: 'image/png' })],
    ['SVG', uri('image/svg+xml', svg)],
    ['SVG that says it is PNG', uri('image/png', svg)],
    ['HTML', uri('text/html', html)],
    ['HTML that says it is PNG', uri('image/png', html)],
    ['a PNG that says it is JPEG', uri('image/jpeg', png)],
    ['a JPEG that says it is PNG', uri('image/png', jpeg)],
    ['a GIF', uri('image/gif', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'))],
    ['HTML behind a PNG', uri('image/png', Buffer.concat([png, html]))],
    ['HTML behind a JPEG', uri('image/jpeg', Buffer.concat([jpeg, html]))],
    ['HTML behind a WebP', uri('image/webp', Buffer.concat([webp, html]))],
    ['a ZIP behind a PNG', uri('image/png', Buffer.concat([png, Buffer.from('PK\x03\x04')]))],
    ['half a PNG', uri('image/png', png.subarray(0, 40))],
    ['a PNG without data', uri('image/png', Buffer.concat([png.subarray(0, 33), png.subarray(-12)]))],
    ['a PNG that unfolds to far too much', uri('image/png', withSize(60_000))],
    ['a PNG of no width', uri('image/png', withSize(0))],
    [
      'too many bytes',
      uri('image/png', Buffer.concat([png.subarray(0, -12), Buffer.alloc(largestLogo), png.subarray(-12)])),
    ],
    ['a text that never ends', `data:image/png;base64,${'A'.repeat(10_000_000)}`],
    ['another writing of base64', uri('image/png', png).replace('==', '')],
    ['a parameter', uri('image/png', png).replace(';base64', ';charset=utf-8;base64')],
    ['a number', 7],
    ['null', null],
    ['a list', [uri('image/png', png)]],
  ]
  for (const [why, value] of refused) {
    const read = readBranding({ logo: value }, nothingHeld)
    assert.ok(read.kind === 'error', why)
    assert.deepEqual(
      read.error.map((it) => it.field),
      ['logo'],
      why,
    )
  }
})

test('whatever becomes of the bytes of a picture, reading them gives a picture or a problem', () => {
  const damaged = fc
    .tuple(fc.constantFrom(...pictures), fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }))), fc.nat())
    .map(([[type, bytes], edits, cut]) => {
      const copy = Buffer.from(bytes)
      for (const [at, value] of edits) copy[at % copy.length] = value
      return uri(type, copy.subarray(0, 1 + (cut % copy.length)))
    })
  fc.assert(fc.property(damaged, (text) => assert.match(readLogo(text).kind, /^(?:ok|error)$/)))
  fc.assert(fc.property(fc.string(), (text) => assert.equal(readLogo(text).kind, 'error')))
})

test('names and colours that could be something else are refused, each at its field', () => {
  const refused: readonly (readonly [field: string, value: Json])[] = [
    ['name', ''],
    ['name', 'x'.repeat(61)],
    ['name', 'Acme\u202eknab'],
    ['name', 'Ac\u0000me'],
    ['name', 7],
    ['accent', 'red'],
    ['accent', '#12345'],
    ['accent', '#fff}body{display:none'],
    ['accent', 'url(https://evil.example)'],
    ['accent', '#ffffff;'],
    ['accent', 0xffffff],
    ['background', 'var(--x)'],
    ['background', '#\uff10\uff10\uff10'],
    ['stylesheet', 'https://evil.example/x.css'],
    ['__proto__x', {}],
  ]
  for (const [field, value] of refused) {
    const read = readBranding({ [field]: value }, nothingHeld)
    assert.ok(read.kind === 'error', `${field} ${JSON.stringify(value)}`)
    assert.deepEqual(
      read.error.map((it) => it.field),
      [field],
    )
  }
  for (const value of [null, 'x', 7, []])
    assert.deepEqual(readBranding(value, nothingHeld), {
      kind: 'error',
      error: [{ field: '', problem: 'must be an object' }],
    })
})

test('names in any writing are names, markup is only a name, and colours are written in one way', () => {
  for (const name of ['شركة أكمي', 'חברה', '株式会社', '<b>Acme</b>', 'A & B', '🏦 Bank']) {
    const read = readBranding({ name, accent: '#ABC', background: '#FFFFFF' }, nothingHeld)
    assert.deepEqual(read, {
      kind: 'ok',
      value: { branding: { name, accent: '#aabbcc', background: '#ffffff' }, logo: null },
    })
  }
})

test('a logo that is there stays when its address is written back, and only for its own tenant', () => {
  const made = readBranding({ logo: uri('image/png', png) }, nothingHeld)
  assert.ok(made.kind === 'ok')
  const { branding: held } = made.value
  const document = brandingDocument(tenant, held)
  const again = readBranding(document, { tenant, held })
  assert.deepEqual(again, { kind: 'ok', value: { branding: held, logo: null } })
  assert.equal(readBranding(document, { tenant: 'other' as TenantId, held }).kind, 'error')
})

test('what was read is known again when it comes out of a database, and nothing else is', () => {
  const read = readBranding({ name: 'Acme', logo: uri('image/webp', webp), accent: '#123456' }, nothingHeld)
  assert.ok(read.kind === 'ok')
  const { branding } = read.value
  assert.equal(isBranding(JSON.parse(JSON.stringify(branding)) as Json), true)
  for (const value of [
    { accent: 'red' },
    { logo: { hash: '../../etc', type: 'image/png' } },
    { logo: { hash: 'a'.repeat(32), type: 'text/html' } },
    { name: 7 },
    { other: 'x' },
    [],
  ])
    assert.equal(isBranding(value as Json), false, JSON.stringify(value))
})
