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

test('XML 1.0 §3.1: a tag that only a forgiving parser reads is refused unread', async () => {
  for (const bad of [
    '<x a=b/>',
    '<x a/>',
    '<x a"b"/>',
    '<x a=b"/>',
    '<x a="b"c="d"/>',
    '<x a="<"/>',
    '<x a\u0080="b"/>',
    '<x a\u0001="b"/>',
    '<x a="b>',
    '<x',
    '<',
  ])
    assert.equal(await xml(whole(`${bad}<saml:Assertion/>`)), 'saml_xml', bad)
  for (const good of ['<ä:x é = "a > b"\r\n\tb=\'"\' />', '<x a=""></x\n>', 'a > b "c"'])
    assert.ok(parsed.has(await xml(whole(`${good}<saml:Assertion/>`))), good)
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
  for (const bad of ['rsa-sha1', 'rsa-MD5', 'hmac-sha256', 'rsa-sh&#97;1', 'rsa-sha&#x31;', 'rsa-sha256&amp;'])
    assert.equal(await xml(whole(`<x Algorithm = '${bad}'/><saml:Assertion/>`)), 'saml_algorithm', bad)
  assert.ok(parsed.has(await xml(whole('<x Algorithm="rsa-sha256"/><saml:Assertion/>'))))
  assert.ok(parsed.has(await xml(whole('<x>Algorithm &amp; sha1</x><saml:Assertion/>'))))
})

test('a text that looks like an algorithm does not hide the one that counts', async () => {
  const real = '<x a="b" Algorithm="rsa-sha1"/><saml:Assertion/>'
  for (const before of ['<x>Algorithm="</x>', `<x a='Algorithm="'/>`, `<x Algorithm="it's"/>`, 'Algorithm="'])
    assert.equal(await xml(whole(before + real)), 'saml_algorithm', before)
  const inside = `<x a='Algorithm="' Algorithm="rsa-sha1"/><saml:Assertion/>`
  assert.equal(await xml(whole(inside)), 'saml_algorithm')
})

test('what strangers send is looked at in a time that grows with its length alone', async () => {
  const long = (part: string) => part.repeat(Math.floor(44_000 / part.length))
  for (const [head, part] of [
    ['<x Algorithm="', 'md5'],
    ['<x Algorithm', ' '],
    ['', 'Algorithm="'],
    ['', '<x a="'],
    ['<x', ` a='b"'`],
    ['<x', ' a ='],
    ['<Response', ' a="b"'],
    ['<StatusCode ', 'Value= '],
  ] as const) {
    const begun = performance.now()
    await xml(head + long(part))
    const took = performance.now() - begun
    assert.ok(took < 400, `${head}${part}: ${took} ms`)
  }
})

test('an answer without a signature proves nothing; one without an assertion says why, or nothing', async () => {
  assert.equal(await xml(whole()), 'saml_signature')
  assert.equal(await xml(whole('')), 'saml_status')
})

test('xs:ID: the id of a request begins with an underscore', () => assert.equal(samlRequestId('9x'), '_9x'))
