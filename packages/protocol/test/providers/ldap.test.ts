/** What is declared of a directory, and how a typed name gets into its filter. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { served } from '@grantor/protocol/documents'
import { escapeFilterValue, ldapFilterFor, ldapIssuer, parseLdapHost, readProvider } from '@grantor/protocol/providers'
import type { JsonObject } from '@grantor/protocol/types'

const plain: JsonObject = {
  id: 'corp',
  kind: 'ldap',
  name: 'Corp',
  hosts: ['ldaps://ldap.example.com'],
  base_dn: 'dc=example,dc=com',
  client_id: 'cn=searcher,dc=example,dc=com',
}

test('a directory is known by its domain, whatever of it is searched', () => {
  assert.equal(ldapIssuer('dc=example,dc=com'), 'ldap:dc=example,dc=com')
  assert.equal(ldapIssuer('ou=People, DC=Example, dc=com'), 'ldap:dc=example,dc=com')
  assert.equal(ldapIssuer('ou=people,o=Example'), 'ldap:ou=people,o=example')
  const read = readProvider({ ...plain, issuer: 'ldap:whatever' }, served)
  assert.ok(read.kind === 'ok' && read.value.issuer === 'ldap:dc=example,dc=com')
})

const wrong: readonly (readonly [string, JsonObject])[] = [
  ['hosts', { hosts: [] }],
  ['hosts', { hosts: ['https://ldap.example.com'] }],
  ['hosts', { hosts: ['ldap.example.com'] }],
  ['hosts', { hosts: ['ldaps://me@ldap.example.com'] }],
  ['hosts', { hosts: ['ldaps://ldap.example.com/dc=example'] }],
  ['hosts', { hosts: ['ldaps://10.0.0.1'] }],
  ['hosts', { hosts: ['ldaps://0x0a000001'] }],
  ['hosts', { hosts: ['ldaps://[::1]'] }],
  ['hosts', { hosts: ['ldaps://dc1.corp.internal'] }],
  ['hosts', { hosts: ['ldaps://ldap.example.com:6379'] }],
  ['base_dn', { base_dn: null }],
  ['filter', { filter: '(uid=ada)' }],
  ['filter', { filter: '(uid={username}' }],
  ['filter', { filter: '(uid={username}))' }],
  ['filter', { filter: '(uid={username})(cn=*)' }],
  ['filter', { filter: 'uid={username}' }],
  ['subject_attribute', { subject_attribute: 'entry UUID' }],
  ['ca', { ca: 'a certificate' }],
  ['ca', { ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }],
  ['groups', { groups: { 'cn=staff': '' } }],
  ['groups', { groups: ['staff'] }],
  ['scopes', { scopes: ['openid'] }],
  ['trust_amr', { trust_amr: true }],
  ['team_id', { team_id: 'T' }],
]
for (const [field, more] of wrong)
  test(`refused: ${field} ${JSON.stringify(more)}`, () => {
    const result = readProvider({ ...plain, ...more }, served)
    assert.ok(result.kind === 'error')
    assert.ok(
      result.error.some((it) => it.field === field),
      JSON.stringify(result.error),
    )
  })

test('what is of a directory is of nothing else', () => {
  const result = readProvider({ id: 'google', kind: 'google', client_id: 'us', hosts: plain['hosts'] ?? null }, served)
  assert.ok(result.kind === 'error' && result.error[0]?.field === 'hosts')
})

test('hosts have the usual port, and may be named by the operator with theirs', () => {
  const allow = new Set(['10.0.0.1:636', 'dc.corp.internal'])
  assert.deepEqual(parseLdapHost('LDAPS://Dc.Corp.Internal', allow), {
    scheme: 'ldaps',
    host: 'dc.corp.internal',
    port: 636,
    allowed: true,
  })
  assert.equal(parseLdapHost('ldap://10.0.0.1', allow)?.allowed, false)
  assert.equal(parseLdapHost('ldaps://10.0.0.1', allow)?.allowed, true)
  assert.equal(parseLdapHost('ldap://ldap.example.com', allow)?.port, 389)
  assert.equal(parseLdapHost('ldap://ldap.example.com:99999', allow), null)
})

test('RFC 4515 §3: what was typed is a value', () => {
  assert.equal(escapeFilterValue('a*b(c)d\\e\u0000'), 'a\\2ab\\28c\\29d\\5ce\\00')
  assert.equal(escapeFilterValue('jürgen@example.com'), 'jürgen@example.com')
  const filter = ldapFilterFor({ kind: 'ldap', filter: '(uid={username})' }, '$&)(uid=*{username}')
  assert.equal(filter, '(uid=$&\\29\\28uid=\\2a{username})')
})
