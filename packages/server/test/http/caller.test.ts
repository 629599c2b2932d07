/** Who calls: forwarding headers count only from a trusted proxy, and only its own words. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { IncomingMessage } from 'node:http'
import { callerOf, callerResolver, type ProxyTrust } from '../../src/http/caller.ts'
import { trustedList } from '@grantor/resource/addresses'

const trust: ProxyTrust = { trusted: trustedList(['10.0.0.0/8', 'loopback', 'fd00::/8']), header: 'x-forwarded' }
const rfc7239: ProxyTrust = { ...trust, header: 'forwarded' }
const ask = (peer: string, headers: Record<string, string>, by: ProxyTrust | null = trust) =>
  callerOf({ peer, headers, encrypted: false }, by)

describe('the caller', () => {
  test('without a trusted proxy the socket is all there is', () => {
    const spoofed = { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'https', forwarded: 'for=1.2.3.4;proto=https' }
    assert.deepEqual(ask('203.0.113.9', spoofed, null), { ip: '203.0.113.9', secure: false })
    assert.deepEqual(ask('203.0.113.9', spoofed), { ip: '203.0.113.9', secure: false })
    assert.deepEqual(ask('203.0.113.9', spoofed, rfc7239), { ip: '203.0.113.9', secure: false })
  })

  const cases: readonly (readonly [string, string, Record<string, string>, string, boolean])[] = [
    ['one hop', '10.0.0.1', { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https' }, '198.51.100.7', true],
    ['a spoofed left end', '10.0.0.1', { 'x-forwarded-for': '1.1.1.1, 198.51.100.7' }, '198.51.100.7', false],
    ['two of our proxies', '10.0.0.1', { 'x-forwarded-for': '198.51.100.7, 10.9.9.9' }, '198.51.100.7', false],
    ['rubbish in between', '10.0.0.1', { 'x-forwarded-for': '198.51.100.7, unknown, 10.9.9.9' }, '10.9.9.9', false],
    ['rubbish at the right end', '10.0.0.1', { 'x-forwarded-for': '198.51.100.7, x' }, '10.0.0.1', false],
    ['no address at all', '10.0.0.1', { 'x-forwarded-proto': 'https' }, '10.0.0.1', true],
    ['an empty header', '10.0.0.1', { 'x-forwarded-for': '' }, '10.0.0.1', false],
    ['a port', '10.0.0.1', { 'x-forwarded-for': '198.51.100.7:4711' }, '198.51.100.7', false],
    ['IPv6 in brackets with a port', '10.0.0.1', { 'x-forwarded-for': '[2001:db8::1]:4711' }, '2001:db8::1', false],
    ['a mapped IPv4 peer', '::ffff:10.0.0.1', { 'x-forwarded-for': '::ffff:198.51.100.7' }, '198.51.100.7', false],
    ['the last proto counts', '10.0.0.1', { 'x-forwarded-proto': 'https, http' }, '10.0.0.1', false],
    ['a proto in capitals', '10.0.0.1', { 'x-forwarded-proto': 'HTTPS' }, '10.0.0.1', true],
    ['the header family it does not write', '10.0.0.1', { forwarded: 'for=1.1.1.1;proto=https' }, '10.0.0.1', false],
  ]
  for (const [what, peer, headers, ip, secure] of cases) {
    test(`X-Forwarded: ${what}`, () => assert.deepEqual(ask(peer, headers), { ip, secure }))
  }

  const standard: readonly (readonly [string, string, string, boolean])[] = [
    ['one hop', 'for=198.51.100.7;proto=https', '198.51.100.7', true],
    ['quoted IPv6 with a port', 'for="[2001:db8::1]:47011"; Proto=https', '2001:db8::1', true],
    ['a spoofed left end', 'for=1.1.1.1;proto=https, for=198.51.100.7;proto=http', '198.51.100.7', false],
    ['two of our proxies', 'for=198.51.100.7;proto=https, for=10.9.9.9;proto=http', '198.51.100.7', true],
    ['a plain first part of the way', 'for=198.51.100.7;proto=http, for=10.9.9.9;proto=https', '198.51.100.7', false],
    ['a first part of which nothing is said', 'for=198.51.100.7, for=10.9.9.9;proto=https', '198.51.100.7', true],
    ['hidden', 'for=_hidden;proto=https', '10.0.0.1', true],
    ['nothing', '', '10.0.0.1', false],
  ]
  for (const [what, header, ip, secure] of standard) {
    test(`RFC 7239 §4: ${what}`, () =>
      assert.deepEqual(ask('10.0.0.1', { forwarded: header }, rfc7239), { ip, secure }))
  }

  test('no header whatever makes an untrusted peer someone else or secure', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (one, two, three) => {
        const headers = { 'x-forwarded-for': one, 'x-forwarded-proto': two, forwarded: three }
        assert.deepEqual(ask('198.51.100.1', headers), { ip: '198.51.100.1', secure: false })
        assert.deepEqual(ask('198.51.100.1', headers, rfc7239), { ip: '198.51.100.1', secure: false })
      }),
    )
  })

  test('whatever stands left of the first untrusted hop changes nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.ipV4(), { maxLength: 5 }), fc.string(), (left, noise) => {
        const header = [...left, noise.replaceAll(',', ''), '198.51.100.7', '10.0.0.5'].join(', ')
        assert.equal(ask('10.0.0.1', { 'x-forwarded-for': header }).ip, '198.51.100.7')
      }),
    )
  })

  test('what is remembered of one request never answers another', () => {
    const word = fc.constantFrom(
      '',
      'https',
      'http',
      '1.2.3.4',
      '10.0.0.9',
      'x y',
      'https 1.2.3.4',
      '1.2.3.4, 10.0.0.9',
    )
    const request = fc.record({
      peer: fc.constantFrom('10.0.0.1', '::ffff:10.0.0.1', '8.8.8.8'),
      proto: word,
      from: word,
    })
    fc.assert(
      fc.property(fc.array(request, { maxLength: 20 }), (requests) => {
        for (const { peer, proto, from } of requests) {
          const headers = {
            'x-forwarded-proto': proto,
            'x-forwarded-for': from,
            forwarded: `for=${from};proto=${proto}`,
          }
          for (const by of [trust, rfc7239]) assert.deepEqual(ask(peer, headers, by), ask(peer, headers, { ...by }))
        }
      }),
    )
  })
})

describe('over one connection', () => {
  const over = (remoteAddress: string) => {
    const socket = { remoteAddress }
    return (headers: Record<string, string>) => ({ socket, headers }) as unknown as IncomingMessage
  }

  test('every request is judged by its own headers, whoever came before it', () => {
    for (const by of [trust, rfc7239, null]) {
      const find = callerResolver(false, by)
      const said = fc.array(
        fc.record(
          {
            'x-forwarded-for': fc.constantFrom('198.51.100.7', '203.0.113.5', ''),
            'x-forwarded-proto': fc.constantFrom('https', 'http'),
            forwarded: fc.constantFrom('for=198.51.100.7;proto=https', 'for=203.0.113.5'),
          },
          { requiredKeys: [] },
        ),
      )
      fc.assert(
        fc.property(said, fc.constantFrom('10.0.0.1', '203.0.113.9'), (all, peer) => {
          const request = over(peer)
          for (const headers of all) assert.deepEqual(find(request(headers)), ask(peer, headers, by))
        }),
      )
    }
  })

  test('two connections that say the same are two', () => {
    const find = callerResolver(false, null)
    assert.equal(find(over('203.0.113.9')({})).ip, '203.0.113.9')
    assert.equal(find(over('198.51.100.1')({})).ip, '198.51.100.1')
  })
})
