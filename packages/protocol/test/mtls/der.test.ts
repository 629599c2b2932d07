/** Elements of DER (X.690): what is read, and what two readers could read in two ways. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { derElement, derElements, derMembers, derOid, derTag, derText } from '../../src/mtls/der.ts'

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'))
const filled = (head: string, length: number) => Buffer.concat([hex(head), Buffer.alloc(length)])

const whole: readonly (readonly [title: string, bytes: Uint8Array, length: number | null])[] = [
  ['nothing in it', hex('0400'), 0],
  ['a length of one octet', filled('04 7f', 127), 127],
  ['the shortest that needs two', filled('04 81 80', 128), 128],
  ['the longest of two', filled('04 81 ff', 255), 255],
  ['the shortest that needs three', filled('04 82 01 00', 256), 256],
  ['the shortest that needs four', filled('04 83 01 00 00', 65_536), 65_536],
  ['more than anything here has', filled('04 84 01 00 00 00', 16_777_216), null],
  ['two octets where one is enough', filled('04 81 7f', 127), null],
  ['three where two are', filled('04 82 00 ff', 255), null],
  ['four where three are', filled('04 83 00 ff ff', 65_535), null],
  ['an indefinite length', hex('04 80 00 00'), null],
  ['no length', hex('04'), null],
  ['nothing at all', hex(''), null],
  ['less than it says', hex('04 02 00'), null],
  ['a tag of several octets', hex('1f 01 00'), null],
  ['more behind it', hex('04 01 00 00'), null],
  ['another tag', hex('05 00'), null],
]
for (const [title, bytes, length] of whole)
  test(`X.690 §8.1: ${title}`, () => assert.equal(derElement(bytes, 0x04)?.content.length ?? null, length))

test('X.690 §8.1: elements stand one after the other, as they are', () => {
  const elements = derElements(hex('04 01 aa 05 00 30 03 02 01 07'))
  const texts = elements?.map(({ tag, content, encoded }) => [
    tag,
    Buffer.from(content).toString('hex'),
    Buffer.from(encoded).toString('hex'),
  ])
  assert.deepEqual(texts, [
    [0x04, 'aa', '0401aa'],
    [0x05, '', '0500'],
    [0x30, '020107', '3003020107'],
  ])
  assert.deepEqual(derElements(hex('')), [])
  assert.equal(derElements(hex('04 01 aa 05')), null)
  // Numbers above 30 take several octets, of whatever class.
  for (const several of ['1f 01 00', '3f 01 00', '9f 01 00', 'bf 1f 00']) assert.equal(derElements(hex(several)), null)
  assert.deepEqual(
    derElements(hex('1e 00 9e 00'))?.map(({ tag }) => tag),
    [0x1e, 0x9e],
  )
  assert.deepEqual(
    derMembers(elements?.[2], derTag.sequence)?.map(({ tag }) => tag),
    [derTag.integer],
  )
  assert.equal(derMembers(elements?.[2], derTag.set), null)
  assert.equal(derMembers(undefined, derTag.sequence), null)
})

const oids: readonly (readonly [encoded: string, oid: string | null])[] = [
  ['06 03 55 04 03', '2.5.4.3'],
  ['06 01 00', '0.0'],
  ['06 01 27', '0.39'],
  ['06 01 28', '1.0'],
  ['06 01 4f', '1.39'],
  ['06 01 50', '2.0'],
  ['06 02 88 37', '2.999'],
  ['06 06 2a 86 48 86 f7 0d', '1.2.840.113549'],
  ['06 02 2a 7f', '1.2.127'],
  ['06 08 2a 8f ff ff ff ff ff ff 7f'.replace('06 08', '06 09'), `1.2.${Number.MAX_SAFE_INTEGER}`],
  ['06 09 2a 90 80 80 80 80 80 80 00', null],
  ['06 02 2a 86', null],
  ['06 00', null],
  ['04 03 55 04 03', null],
]
for (const [encoded, oid] of oids)
  test(`X.690 §8.19: ${encoded} → ${oid ?? 'none'}`, () => assert.equal(derOid(derElements(hex(encoded))?.[0]), oid))
test('X.690 §8.19: what is not there is no object identifier', () => assert.equal(derOid(undefined), null))

const texts: readonly (readonly [encoded: string, text: string | null])[] = [
  ['0c 03 61 c3 bc', 'aü'],
  ['0c 02 61 c3', null],
  ['13 02 61 62', 'ab'],
  ['13 01 fc', null],
  ['12 01 31', '1'],
  ['16 02 61 7f', 'a\x7f'],
  ['16 01 80', null],
  ['14 01 61', 'a'],
  ['14 01 e4', null],
  ['1e 04 00 61 20 ac', 'a€'],
  ['1e 03 00 61 20', null],
  ['1c 08 00 00 00 61 00 01 f6 00', 'a😀'],
  ['1c 04 00 10 ff ff', '\u{10ffff}'],
  ['1c 04 00 11 00 00', null],
  ['1c 03 00 00 61', null],
  ['1c 08 00 00 00 61 00 11 00 00', null],
  ['04 01 61', null],
]
for (const [encoded, text] of texts)
  test(`X.690 §8.23: ${encoded} → ${text === null ? 'no text' : JSON.stringify(text)}`, () => {
    const [element] = derElements(hex(encoded)) ?? []
    assert.ok(element !== undefined)
    assert.equal(derText(element), text)
  })
