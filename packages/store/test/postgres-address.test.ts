/** Addresses of databases: one server or several, and what is asked of them. */
import { deepEqual, throws } from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { readAddress } from '../src/drivers/postgres/address.ts'
import { StoreRefused } from '../src/index.ts'

const urlsOf = (url: string): readonly string[] => readAddress(url).hosts.map((host) => host.url)

test('libpq §34.1.1.3: several hosts share user, database and parameters', () => {
  const read = readAddress(
    'postgres://u:p,w%40x@a:5432,b:5433,[::1]:5434/db?sslmode=require&target_session_attrs=primary',
  )
  deepEqual(read, {
    requirement: 'primary',
    hosts: ['a:5432', 'b:5433', '[::1]:5434'].map((name) => ({
      name,
      url: `postgres://u:p,w%40x@${name}/db?sslmode=require`,
    })),
  })
})

test('one host is asked nothing, several whether they can be written to, unless the address says otherwise', () => {
  const asked = (url: string): string => readAddress(url).requirement
  deepEqual(
    [
      'postgres://a/db',
      'postgres://a,b/db',
      'postgres://a,b/db?target_session_attrs=any',
      'postgres://a?target_session_attrs=read-write',
    ].map(asked),
    ['any', 'read-write', 'any', 'read-write'],
  )
})

test('one host keeps its text as it was given', () => {
  for (const url of [
    'postgres://a/db',
    'postgresql://u@/db?host=/run/postgresql',
    'postgres://%2Frun%2Fpostgresql/db',
    'postgres:///db',
  ])
    deepEqual(urlsOf(url), [url])
})

test('what is no address, or asks for a server that cannot be written to, is refused with a reason', () => {
  for (const url of [
    'mysql://a/db',
    'postgres://a,/db',
    'postgres://a,b:x/db',
    'postgres://a,b c/db',
    'postgres://a,[::1/db',
    'postgres://a,b/db?target_session_attrs=standby',
    'postgres://a/db?target_session_attrs=read-only',
    'postgres://a,b/db?target_session_attrs=prefer-standby',
  ])
    throws(() => readAddress(url), StoreRefused, url)
})

test('whatever the password and the hosts are, each server is reached with the same password', () => {
  const host = fc.tuple(fc.domain(), fc.integer({ min: 1, max: 65_535 }))
  const property = fc.property(fc.string(), fc.array(host, { minLength: 1, maxLength: 4 }), (password, hosts) => {
    const names = hosts.map(([name, port]) => `${name}:${port}`)
    const url = `postgres://user:${encodeURIComponent(password)}@${names.join(',')}/db?target_session_attrs=read-write`
    const reached = urlsOf(url).map((connectionString) => new pg.Client({ connectionString }))
    deepEqual(
      reached.map((it) => [`${it.host}:${it.port}`, it.user, it.database, it.password ?? '']),
      names.map((name) => [name.toLowerCase(), 'user', 'db', password]),
    )
  })
  fc.assert(property, { numRuns: 200 })
})
