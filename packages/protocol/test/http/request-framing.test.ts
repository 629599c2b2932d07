/** RFC 9112: requests that two servers could read in two ways. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPlainlyFramed, originForm } from '../../src/http/request-framing.ts'

const framed = (rawHeaders: readonly string[], url = '/x', httpVersion = '1.1') =>
  isPlainlyFramed({ rawHeaders, url, httpVersion })
const host = ['Host', 'as.example'] as const

test('RFC 9112 §3.2: exactly one Host, and a plain one', () => {
  for (const value of ['as.example', 'as.example:8443', '[::1]:8443', 'AS.example', '127.0.0.1'])
    assert.equal(framed(['host', value]), true, value)
  for (const value of ['', 'a,b', 'a, b', 'a b', 'a/b', 'a@b', 'a?b', 'a#b', 'a\\b', 'a\tb', 'ä'])
    assert.equal(framed(['Host', value]), false, value)
  assert.equal(framed([]), false)
  assert.equal(framed([], '/x', '1.0'), true)
  assert.equal(framed([...host, 'HOST', 'as.example']), false)
  assert.equal(framed([...host, 'Hosts', 'x', 'X-Host', 'y']), true)
})

test('RFC 9112 §6.1, §6.3: chunked or a length, once', () => {
  for (const value of ['chunked', 'Chunked']) assert.equal(framed([...host, 'Transfer-Encoding', value]), true)
  for (const value of ['gzip', 'gzip, chunked', 'chunked, gzip', 'identity', '', 'chunked ', 'xchunked', 'chunked;q=1'])
    assert.equal(framed([...host, 'transfer-encoding', value]), false, value)
  assert.equal(framed([...host, 'Content-Length', '1', 'Transfer-Encoding', 'chunked']), false)
  assert.equal(framed([...host, 'Transfer-Encoding', 'chunked', 'Transfer-Encoding', 'chunked']), false)
  assert.equal(framed([...host, 'Content-Length', '1', 'Content-Length', '1']), false)
  assert.equal(framed(['Transfer-Encoding', 'chunked'], '/x', '1.0'), false)
})

test('names that are as long as those that count are other names', () => {
  const others = ['From', 'a@b.example', 'Accept-Charset', 'utf-8', 'X-Forwarded-Proto', 'https']
  assert.equal(framed([...host, ...others, ...others]), true)
  assert.equal(framed(others), false)
  assert.equal(framed([...host, 'Content-Length', '1', ...others]), true)
  assert.equal(framed(['Content-Length', '1', ...host], '/x', '1.0'), true)
  assert.equal(framed([], 'https://evil.example/x', '1.0'), true)
})

test('RFC 9112 §3.2.2: an absolute target is of the host that is named, and means its path', () => {
  assert.equal(framed(host, 'https://AS.example/x?y'), true)
  for (const url of ['https://evil.example/x', 'https://as.example:8443/x', 'https://as.example@evil.example/x'])
    assert.equal(framed(host, url), false, url)
  assert.deepEqual(
    ['/x?y', 'https://as.example/x?y', 'https://as.example?y', 'https://as.example', '*'].map(originForm),
    ['/x?y', '/x?y', '/?y', '/', '*'],
  )
})
