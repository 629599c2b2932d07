/** Distinguished names: what is written and what a certificate holds are the same name, or are not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { derElements } from '../../src/mtls/der.ts'
import { isSameName, parseDistinguishedName, readName } from '../../src/mtls/distinguished-name.ts'
import { make } from './certificates.ts'

const shown = async (subject: Record<string, string[]>[]) => (await make({ by: null, subject })).facts.subject
const isNamed = async (subject: Record<string, string[]>[], text: string): Promise<boolean> => {
  const written = parseDistinguishedName(text)
  return written !== null && isSameName(await shown(subject), written)
}

const bank = [{ C: ['GB'] }, { O: ['Bank, plc'] }, { OU: ['Payments'], CN: ['tpp'] }]

const same: readonly [string, string][] = [
  ['RFC 4514 §2.1: the last set is written first', 'OU=Payments+CN=tpp,O=Bank\\, plc,C=GB'],
  ['RFC 4514 §2.2: the attributes of a set have no order', 'CN=tpp+OU=Payments,O=Bank\\, plc,C=GB'],
  ['RFC 4514 §2.3: types in any case, or as identifiers', 'cn=tpp+2.5.4.11=Payments,o=Bank\\, plc,2.5.4.6=GB'],
  ['RFC 4514 §2.4: octets in hexadecimal', 'CN=\\74pp+OU=Payments,O=Bank\\2C plc,C=GB'],
  ['RFC 4514 §2.4: a value by its encoding', 'CN=#1303747070+OU=Payments,O=Bank\\, plc,C=GB'],
  ['blanks around separators, as programs write them', 'CN=tpp + OU=Payments, O=Bank\\, plc, C=GB'],
  ['long names of types', 'commonName=tpp+organizationalUnitName=Payments,organizationName=Bank\\, plc,countryName=GB'],
]
for (const [title, text] of same) test(`${title}: the same name`, async () => assert.ok(await isNamed(bank, text)))

const other: readonly [string, string][] = [
  ['the order of the certificate', 'C=GB,O=Bank\\, plc,OU=Payments+CN=tpp'],
  ['a set taken apart', 'OU=Payments,CN=tpp,O=Bank\\, plc,C=GB'],
  ['an attribute less', 'CN=tpp,O=Bank\\, plc,C=GB'],
  ['an attribute more', 'OU=Payments+CN=tpp+L=London,O=Bank\\, plc,C=GB'],
  ['an attribute twice instead of another', 'CN=tpp+CN=tpp,O=Bank\\, plc,C=GB'],
  ['the end of the name', 'OU=Payments+CN=tpp'],
  ['another case', 'OU=Payments+CN=TPP,O=Bank\\, plc,C=GB'],
  ['a blank more', 'OU=Payments+CN=tpp\\ ,O=Bank\\, plc,C=GB'],
  ['an encoding of another string type', 'CN=#0c03747070+OU=Payments,O=Bank\\, plc,C=GB'],
]
for (const [title, text] of other)
  test(`${title}: another name`, async () => {
    assert.notEqual(parseDistinguishedName(text), null)
    assert.equal(await isNamed(bank, text), false)
  })

test('what a value holds cannot pose as another attribute', async () => {
  assert.equal(await isNamed([{ CN: ['tpp\\,O=Bank'] }], 'CN=tpp,O=Bank'), false)
  assert.equal(await isNamed([{ O: ['Bank'] }, { CN: ['tpp'] }], 'CN=tpp\\,O=Bank'), false)
  assert.equal(await isNamed([{ CN: ['tpp\\+OU=x'] }], 'CN=tpp+OU=x'), false)
})

test('RFC 4514 §2: a name of one set is a name, and hexadecimal is read in either case', async () => {
  assert.ok(await isNamed([{ CN: ['tpp'] }], 'CN=tpp'))
  assert.deepEqual(parseDistinguishedName('CN=#0C016A'), [[{ type: '2.5.4.3', text: null, encoded: '0c016a' }]])
})

test('RFC 5280 §4.1.2.4: sets of attributes, each a type and a value, or no name', () => {
  const read = (hex: string) => readName(derElements(Buffer.from(hex.replaceAll(' ', ''), 'hex'))?.[0])
  const named = [[{ type: '2.5.4.3', text: 'a', encoded: '0c0161' }]]
  assert.deepEqual(read('30 0c 31 0a 30 08 06 03 55 04 03 0c 01 61'), named)
  assert.deepEqual(read('30 00'), [])
  for (const none of [
    '',
    '31 0c 31 0a 30 08 06 03 55 04 03 0c 01 61',
    '30 0c 30 0a 30 08 06 03 55 04 03 0c 01 61',
    '30 0c 31 0a 31 08 06 03 55 04 03 0c 01 61',
    '30 0c 31 0a 30 08 04 03 55 04 03 0c 01 61',
    '30 02 31 00',
    '30 09 31 07 30 05 06 03 55 04 03',
    '30 0e 31 0c 30 0a 06 03 55 04 03 0c 01 61 05 00',
    '30 0e 31 0c 30 08 06 03 55 04 03 0c 01 61 05 00',
  ])
    assert.equal(read(none), null, none)
})

test('a certificate without a subject has no name', async () => {
  assert.equal(isSameName([], []), false)
})

for (const text of [
  '',
  'tpp',
  'CN',
  'CN=a,',
  'CN=a,,O=b',
  'CN=a+',
  '=a',
  'NOSUCH=a',
  '01.2=a',
  '9.9=a',
  'CN=a"b',
  'CN=a;O=b',
  'CN=<a>',
  'CN=a\\',
  'CN=\\q',
  'CN=#',
  'CN=#0',
  'CN=#zz',
  'CN=\\ff',
  `CN=${'a'.repeat(1022)}`,
])
  test(`no name: ${text.slice(0, 20)}`, () => assert.equal(parseDistinguishedName(text), null))

test('a name of the greatest length is read', () => {
  const [[attribute] = []] = parseDistinguishedName(`CN=${'a'.repeat(1021)}`) ?? []
  assert.equal(attribute?.text?.length, 1021)
})

test('RFC 4514 §2.4: any text can be written, and is read back as it was', () => {
  const escape = (text: string): string => Buffer.from(text).toString('hex').replaceAll(/../g, '\\$&')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (text) => {
      const written = parseDistinguishedName(`CN=${escape(text)}`)
      assert.equal(written?.[0]?.[0]?.text, text)
    }),
  )
})

test('whatever is written, reading it ends and does not throw', () => {
  const letters = fc.constantFrom(...'CN=O+,\\# "1.2;<>ab'.split(''))
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: letters, maxLength: 200 })), (text) => {
      parseDistinguishedName(text)
    }),
  )
})

test('RFC 4514 §3: the names of attributes, each with its identifier', () => {
  const known = {
    '2.5.4.3': 'cn commonName',
    '2.5.4.4': 'sn surname',
    '2.5.4.5': 'serialNumber',
    '2.5.4.6': 'c countryName',
    '2.5.4.7': 'l localityName',
    '2.5.4.8': 'st stateOrProvinceName',
    '2.5.4.9': 'street streetAddress',
    '2.5.4.10': 'o organizationName',
    '2.5.4.11': 'ou organizationalUnitName',
    '2.5.4.12': 'title',
    '2.5.4.15': 'businessCategory',
    '2.5.4.17': 'postalCode',
    '2.5.4.42': 'gn givenName',
    '2.5.4.43': 'initials',
    '2.5.4.44': 'generationQualifier',
    '2.5.4.46': 'dnQualifier',
    '2.5.4.65': 'pseudonym',
    '2.5.4.97': 'organizationIdentifier',
    '0.9.2342.19200300.100.1.1': 'uid userId',
    '0.9.2342.19200300.100.1.25': 'dc domainComponent',
    '1.2.840.113549.1.9.1': 'e emailAddress',
  }
  for (const [oid, names] of Object.entries(known))
    for (const name of names.split(' ')) assert.equal(parseDistinguishedName(`${name}=x`)?.[0]?.[0]?.type, oid, name)
  for (const inherited of ['toString', 'constructor', 'Constructor'])
    assert.equal(parseDistinguishedName(`${inherited}=x`), null, inherited)
})
