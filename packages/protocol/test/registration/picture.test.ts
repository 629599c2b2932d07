/** Pictures are what their first bytes say, and only where somebody said the same. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pictureType, pictureTypes } from '../../src/registration/picture.ts'

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const pictures: Readonly<Record<string, Buffer>> = {
  'image/png': bytes('89504e470d0a1a0a 0000000d'),
  'image/jpeg': bytes('ffd8ff e0 0010'),
  'image/gif': Buffer.from('GIF89a....'),
  'image/webp': Buffer.from('RIFF\u0001\u0002\u0003\u0004WEBPVP8 '),
  'image/x-icon': bytes('00000100 0100'),
}

test('a picture of each kind is taken for what it is, and for nothing else', () => {
  for (const [type, picture] of Object.entries(pictures))
    for (const said of Object.keys(pictures)) assert.equal(pictureType(said, picture), said === type ? type : null)
  assert.equal(pictureType('image/gif', Buffer.from('GIF87a')), 'image/gif')
  assert.equal(pictureType('image/vnd.microsoft.icon', pictures['image/x-icon'] ?? bytes('')), 'image/x-icon')
  assert.deepEqual(pictureTypes, [...Object.keys(pictures), 'image/vnd.microsoft.icon'])
})

test('what can hold script, is cut short or begins with something else is no picture', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
  for (const said of [...pictureTypes, 'image/svg+xml', 'text/html', '']) assert.equal(pictureType(said, svg), null)
  assert.equal(pictureType('image/png', bytes('89504e470d0a1a')), null)
  assert.equal(pictureType('image/gif', Buffer.from('GIF88a')), null)
  assert.equal(pictureType('image/png', Buffer.concat([Buffer.of(0), pictures['image/png'] ?? bytes('')])), null)
  assert.equal(pictureType('image/webp', Buffer.from('RIFF....WAVE')), null)
  assert.equal(pictureType('image/png', bytes('')), null)
})
