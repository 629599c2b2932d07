/** What is refused of a SAML response before anything of it is parsed; all else stands in server/test/providers/saml.test.ts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { samlRequestId, signedAssertion } from '../../src/providers/saml/relying-party.ts'

const party = {
  provider: { client_id: 'us', sso_url: 'https://idp.example/sso', certificates: '' },
  recipient: 'https://as.example/return',
} as never
const told = async (response: string) => {
  const read = await signedAssertion(response, party)
  return read.kind === 'ok' ? 'ok' : read.error
}
const xml = (text: string) => told(Buffer.from(text).toString('base64'))
const whole = (inside = '<saml:Assertion ID="a"></saml:Assertion>') => `<samlp:Response>${inside}</samlp:Response>`
/** It came as far as the signature, which is none. */
const parsed = new Set(['saml_signature', 'saml_status'])

test('a response is base64, not empty, and of a bounded length', async () => {
  for (const bad of ['', '<Response/>', 'AAAA-_', 'AAAA"', 'A'.repeat(60_001)])
    assert.equal(await told(bad), 'saml_response', bad.slice(0, 9))
  assert.notEqual(await told('A'.repeat(60_000)), 'saml_response')
  assert.notEqual(await told('AAAA\r\nAA=='), 'saml_response')
})

test('comments, document types, entities, instructions and CDATA are refused unread', async () => {
  for (const bad of [
    '<!-- x -->',
    '<!DOCTYPE a>',
    '<!ENTITY x "y">',
    '<![CDATA[x]]>',
    '<?xml-stylesheet x?>',
    '&x;',
    '&',
    '&#12345678;',
    '&#xFFFFFFF;',
  ])
    assert.equal(await xml(whole(bad)), 'saml_xml', bad)
  assert.ok(
    parsed.has(await xml(`<?xml version="1.0"?>${whole('&amp;&lt;&gt;&quot;&apos;&#1;&#xA;<saml:Assertion/>')}`)),
  )
})

test('there is one assertion at most, by whatever prefix, encrypted or not', async () => {
  for (const two of [
    '<saml:Assertion/><saml:Assertion/>',
    '<Assertion></Assertion><a.b-c:Assertion ID="x"/>',
    '<saml:Assertion/><saml:EncryptedAssertion/>',
  ])
    assert.equal(await xml(whole(two)), 'saml_assertions', two)
  assert.ok(parsed.has(await xml(whole('<saml:Assertion/><saml:AssertionConsumer/>'))))
})

test('nothing rests on SHA-1, MD5 or a shared secret', async () => {
  for (const bad of ['rsa-sha1', 'rsa-MD5', 'hmac-sha256'])
    assert.equal(await xml(whole(`<x Algorithm = '${bad}'/><saml:Assertion/>`)), 'saml_algorithm', bad)
  assert.ok(parsed.has(await xml(whole('<x Algorithm="rsa-sha256"/><saml:Assertion/>'))))
})

test('an answer without a signature proves nothing; one without an assertion says why, or nothing', async () => {
  assert.equal(await xml(whole()), 'saml_signature')
  assert.equal(await xml(whole('')), 'saml_status')
})

test('xs:ID: the id of a request begins with an underscore', () => assert.equal(samlRequestId('9x'), '_9x'))
