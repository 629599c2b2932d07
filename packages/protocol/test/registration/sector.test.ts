import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOfSector, sectorOf } from '../../src/registration/sector.ts'

for (const [redirects, sector] of [
  [['https://a.example/cb'], 'a.example'],
  [['https://a.example/cb', 'https://a.example:8443/other'], 'a.example'],
  [['https://a.example/cb', 'https://b.example/cb'], null],
  [['https://a.example/cb', 'cursor://a.example/cb'], null],
  [['https://a.example/cb', 'http://localhost/cb'], null],
  [['http://127.0.0.1/cb'], null],
  [['com.example.app:/cb'], null],
  [[], null],
] as const)
  test(`OIDC Core §8.1: the sector of ${redirects.join(' and ') || 'no redirect URI'} is ${sector ?? 'none'}`, () =>
    assert.equal(sectorOf({ redirect_uris: redirects }), sector))

test('OIDC Core §8.1: sector_identifier_uri decides where there is one', () => {
  const redirect_uris = ['https://a.example/cb', 'https://b.example/cb']
  assert.equal(sectorOf({ redirect_uris, sector_identifier_uri: 'https://C.example/sector.json' }), 'c.example')
})

test('OIDC Registration §5: every redirect URI stands in the document of the sector, byte for byte', () => {
  const redirect_uris = ['https://a.example/cb', 'https://b.example/cb']
  assert.equal(isOfSector([...redirect_uris, 'https://c.example/'], { redirect_uris }), true)
  for (const lacking of [['https://a.example/cb'], [], ['https://a.example/cb', 'https://B.example/cb'], {}, null, 'x'])
    assert.equal(isOfSector(lacking, { redirect_uris }), false, JSON.stringify(lacking))
})
